import { readDomainReports } from '../../src/sending/domain-reports';
import { endpoint, group } from '../http/endpoint';
import { IdParams } from '../http/pieces';
import { DomainReports, DomainReportsQuery } from './schemas';
import { toDomainReports } from './view';

export const domainReportExtensions = group('Extensions', [
  endpoint('GET /v1/domains/{id}/reports', {
    operationId: 'getDomainReports',
    summary: 'Get what receivers report of a domain',
    description:
      'An extension of this implementation. DMARC: who sends with the domain, how much of it passes, next to what was sent from here, and whether the policy can be stricter. TLS: sessions that hosts opened to the domain.',
    request: { params: IdParams, query: DomainReportsQuery },
    response: DomainReports,
    handle: async ({ ctx, params, query }) => toDomainReports(await readDomainReports(ctx, params.id, query)),
  }),
]);
