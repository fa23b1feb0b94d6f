import { endpoint } from '../http/endpoint';
import { Deleted, IdParams, NoBody } from '../http/pieces';
import { CreateDomain, Domain } from './schemas';

const tag = 'Domains';

export const domainRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/domains',
    operationId: 'listDomains',
    summary: 'List domains',
    tag,
    response: Domain,
    list: 'plain',
  }),
  endpoint({
    method: 'post',
    path: '/v1/domains',
    operationId: 'createDomain',
    summary: 'Add a sending domain',
    description: 'It has fresh DKIM keys; `dnsRecords` lists what to publish. It is checked every five minutes for 72 hours.',
    tag,
    status: 201,
    body: CreateDomain,
    response: Domain,
    errors: ['conflict'],
  }),
  endpoint({
    method: 'get',
    path: '/v1/domains/{id}',
    operationId: 'getDomain',
    summary: 'Get a domain with the DNS records to publish',
    tag,
    params: IdParams,
    response: Domain,
  }),
  endpoint({
    method: 'delete',
    path: '/v1/domains/{id}',
    operationId: 'deleteDomain',
    summary: 'Remove a domain that nothing is about to send from',
    tag,
    params: IdParams,
    response: Deleted,
    errors: ['in_use'],
  }),
  endpoint({
    method: 'post',
    path: '/v1/domains/{id}/verify',
    operationId: 'verifyDomain',
    summary: 'Check the DNS records now',
    description: 'At most once in ten seconds.',
    tag,
    params: IdParams,
    body: NoBody,
    response: Domain,
    errors: ['conflict', 'rate_limited'],
  }),
];
