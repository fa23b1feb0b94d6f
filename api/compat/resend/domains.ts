import type { z } from 'zod';
import type { Domain as WireDomain } from '../../domains/schemas';
import { membersOf, refuse } from '../kit/members';
import { perform } from '../kit/operations';
import { absent, byId, resend, wholeList } from './declare';

type Domain = z.output<typeof WireDomain>;

/** Names of records there, by their purposes here. */
const RECORDS: Readonly<Record<Domain['dnsRecords'][number]['purpose'], string>> = {
  ownership: 'Ownership',
  dkim: 'DKIM',
  spf: 'SPF',
  dmarc: 'DMARC',
  tracking: 'Tracking',
  mailfrom: 'SPF',
};

const MX = /^(\d+) (\S+)$/;

function recordView({ purpose, type, host, value, status }: Domain['dnsRecords'][number]) {
  const [, priority, server] = type === 'MX' ? (MX.exec(value) ?? []) : [];
  return {
    record: RECORDS[purpose],
    name: host,
    type,
    ttl: 'Auto',
    status: status === 'not_applicable' ? 'not_started' : status,
    value: server ?? value,
    ...(priority !== undefined && { priority: Number(priority) }),
  };
}

const rowView = ({ domainId, domain, status, createdAt }: Domain) => ({
  id: domainId,
  name: domain,
  status,
  created_at: createdAt,
  region: null,
});

const view = (domain: Domain) => ({ object: 'domain', ...rowView(domain), records: domain.dnsRecords.map(recordView) });

const TRACKING = 'Tracking is a setting of the project here: PATCH /v1/settings';

const WHY = {
  open_tracking: TRACKING,
  click_tracking: TRACKING,
  tracking_subdomain: 'The tracking host of a domain is one of its records here',
  tls: 'The operator sets how mail is encrypted here',
  capabilities: 'A domain sends and receives here once its records are published',
};

const NO_CLAIM = 'A domain is verified by its records: POST /domains/{id}/verify.';

export const domainRoutes = [
  resend('POST /domains', 'createDomain', async (request) =>
    view(await perform<Domain>('createDomain', request, { body: { domain: membersOf(request.body)['name'] } })),
  ),
  resend('GET /domains', 'listDomains', (request) =>
    wholeList<Domain>(request, { operationId: 'listDomains', idOf: ({ domainId }) => domainId, show: rowView }),
  ),
  resend('GET /domains/{id}', 'getDomain', async (request) => view(await perform<Domain>('getDomain', request, byId(request)))),
  resend('PATCH /domains/{id}', 'verifyDomain', async (request) => {
    const { domainId } = await perform<Domain>('getDomain', request, byId(request));
    refuse(membersOf(request.body), WHY);
    return { object: 'domain', id: domainId };
  }),
  resend('POST /domains/{id}/verify', 'verifyDomain', async (request) => {
    const { domainId } = await perform<Domain>('verifyDomain', request, byId(request));
    return { object: 'domain', id: domainId };
  }),
  resend('DELETE /domains/{id}', 'deleteDomain', async (request) => {
    await perform('deleteDomain', request, byId(request));
    return { object: 'domain', id: request.params['id'], deleted: true };
  }),
  absent('POST /domains/claim', NO_CLAIM),
  absent('GET /domains/{id}/claim', NO_CLAIM),
  absent('POST /domains/{id}/claim/verify', NO_CLAIM),
];
