import { Readable } from 'node:stream';
import { z } from 'zod';
import * as domains from '../../src/sending/domains';
import { mapped } from '../../src/platform/mongo';
import { zoneFile, zoneLine } from '../../src/rules/domains/zone';
import { Streamed, deleted } from '../http/answers';
import { endpoint, extensions, group, listEndpoint, streamEndpoint } from '../http/endpoint';
import { Deleted, IdParams } from '../http/pieces';
import { CreateDomain, DeleteDomainQuery, Domain } from './schemas';
import type { Context } from '../../src/platform/core';
import type { Domain as StoredDomain } from '../../src/sending/domains';
import { bounceDomainOf, bounceStatus } from '../../src/rules/domains/records';
import type { DnsRecord } from '../../src/rules/domains/records';

export const domainRoutes = group('Domains', [
  listEndpoint('GET /v1/domains', {
    operationId: 'listDomains',
    summary: 'List domains',
    response: Domain,
    list: 'whole',
    handle: async ({ ctx, page }) => mapped(await domains.listDomains(ctx, page), toDomain(ctx)),
  }),
  endpoint('POST /v1/domains', {
    operationId: 'createDomain',
    summary: 'Add a sending domain',
    description: 'The domain gets new DKIM keys; `dnsRecords` lists what to publish. It is checked every five minutes for 72 hours.',
    request: { body: CreateDomain },
    status: 201,
    response: Domain,
    errors: ['limit_exceeded', 'conflict'],
    audit: ({ data }) => ['domain.create', data.domainId],
    handle: async ({ ctx, body }) => toDomain(ctx)(await domains.createDomain(ctx, body.domain)),
  }),
  endpoint('GET /v1/domains/{id}', {
    operationId: 'getDomain',
    summary: 'Get a domain with the DNS records to publish',
    request: { params: IdParams },
    response: Domain,
    handle: async ({ ctx, params }) => toDomain(ctx)(await domains.getDomain(ctx, params.id)),
  }),
  endpoint('DELETE /v1/domains/{id}', {
    operationId: 'deleteDomain',
    summary: 'Remove a domain that nothing sends from',
    description:
      'The response is 409 `in_use` while a campaign, a workflow or a waiting message sends from it. With `cancelWaiting`, waiting messages are cancelled first with the reason `domain_removed`, and their credits are refunded.',
    request: { params: IdParams, query: DeleteDomainQuery },
    response: Deleted,
    errors: ['in_use'],
    audit: ({ params }) => ['domain.delete', params.id],
    handle: ({ ctx, params, query }) => deleted(domains.deleteDomain(ctx, params.id, { cancelsWaiting: query.cancelWaiting })),
  }),
  endpoint('POST /v1/domains/{id}/verify', {
    operationId: 'verifyDomain',
    summary: 'Check the DNS records now',
    description:
      'At most once every ten seconds. The response arrives within eight seconds; a longer check continues in the background, and `lastCheckedAt` shows whether the response includes it. A domain that failed is checked for another 72 hours.',
    request: { params: IdParams },
    response: Domain,
    errors: ['conflict'],
    handle: async ({ ctx, params }) => toDomain(ctx)(await domains.verifyDomain(ctx, params.id)),
  }),
]);

export const domainExtensions = extensions('Extensions', [
  streamEndpoint('GET /v1/domains/{id}/zone', {
    operationId: 'getDomainZone',
    summary: 'Download the DNS records of a domain as a zone file',
    description: 'Lines of a BIND zone file, for name servers and the import of DNS providers.',
    request: { params: IdParams },
    response: z.string(),
    produces: 'text/plain',
    handle: async ({ ctx, params }) => {
      const row = await domains.getDomain(ctx, params.id);
      return new Streamed(Readable.from([zoneFile(row.domain, domains.dnsRecordsOf(ctx.core, row))]), {
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Disposition': `attachment; filename="${row.domain}.zone"`,
      });
    },
  }),
]);

const NO_TOKENS = [] as const;

const toDomain =
  ({ core }: Pick<Context, 'core'>) =>
  (row: StoredDomain): z.input<typeof Domain> => {
    const records = domains.dnsRecordsOf(core, row);
    return {
      domainId: row._id,
      projectId: row.projectId,
      domain: row.domain,
      status: row.status,
      dkimStatus: row.records.dkim,
      spfStatus: row.records.spf,
      dmarcStatus: row.records.dmarc,
      trackingStatus: row.records.tracking,
      mailFromStatus: bounceStatus(row.records),
      mailFromDomain: bounceDomainOf(row.domain),
      selector: row.selector,
      verifiedForSending: row.status === 'verified',
      dkimTokens: NO_TOKENS,
      verificationToken: domains.verificationTokenOf(row),
      lastCheckedAt: row.lastCheckedAt,
      createdAt: row.createdAt,
      dnsRecords: records.map(({ key, purpose, type, host, value }) => ({ purpose, type, host, value, status: row.records[key] })),
      nextCheckAt: row.nextCheckAt,
      dnsChecks: records.map((record) => toCheck(row, record)),
    };
  };

const toCheck = ({ answers }: StoredDomain, record: DnsRecord): z.input<typeof Domain>['dnsChecks'][number] => ({
  purpose: record.purpose,
  type: record.type,
  host: record.host,
  expected: record.value,
  answer: answers?.[record.key].said ?? null,
  found: answers?.[record.key].records ?? [],
  zoneLine: zoneLine(record),
});
