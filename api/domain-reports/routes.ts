import { readDomainReports } from '../../src/sending/domain-reports';
import { endpoint, extensions } from '../http/endpoint';
import { IdParams, count, instant, optionalTimestamp, timestamp, wholeNumber } from '../http/pieces';
import { z } from 'zod';
import { DMARC_POLICIES } from '../../src/rules/authentication';

const disposition = z.enum(DMARC_POLICIES);
const alignment = z.enum(['r', 's']);

const DomainReportsQuery = z.object({
  from: instant.optional().meta({ description: 'Inclusive; default 30 days before the end. Its whole UTC day counts' }),
  to: instant.optional().meta({ description: 'Exclusive; default the end of the current day. Its whole UTC day counts' }),
  limit: wholeNumber(1, 100).default(50).meta({ description: 'Number of sources' }),
});

const ReportRecord = z
  .object({ purpose: z.enum(['dmarc', 'tls']), type: z.literal('TXT'), host: z.string(), value: z.string() })
  .meta({ id: 'ReportRecord' });

const PublishedPolicy = z
  .object({
    p: disposition,
    sp: disposition.nullable(),
    pct: z.number().nullable(),
    adkim: alignment,
    aspf: alignment,
  })
  .meta({ id: 'PublishedPolicy' });

const Ready = z
  .object({
    quarantine: z.boolean(),
    reject: z.boolean(),
    cleanDays: count,
    lastDay: optionalTimestamp,
  })
  .meta({ id: 'DmarcReadiness' });

const ReportedDay = z
  .object({
    day: timestamp,
    sent: z.number().int().nullable(),
    messages: count,
    aligned: count,
    ours: count,
  })
  .meta({ id: 'DmarcDay' });

const ReportSource = z
  .object({
    ip: z.string(),
    kind: z.enum(['ours', 'aligned', 'failing']),
    sender: z.string().nullable(),
    messages: count,
    dkim: count,
    spf: count,
    quarantined: count,
    rejected: count,
    lastDay: timestamp,
  })
  .meta({ id: 'DmarcSource' });

const Organization = z
  .object({ organization: z.string(), reporter: z.string(), reports: count, messages: count })
  .meta({ id: 'DmarcOrganization' });

const DomainReports = z
  .object({
    domain: z.string(),
    from: timestamp,
    to: timestamp,
    address: z.string(),
    records: z.array(ReportRecord).readonly(),
    dmarc: z.object({
      reports: count,
      messages: count,
      aligned: count,
      ours: count,
      policy: PublishedPolicy.nullable(),
      ready: Ready,
      days: z.array(ReportedDay).readonly(),
      organizations: z.array(Organization).readonly(),
      sources: z.array(ReportSource).readonly(),
      moreSources: count,
    }),
    tls: z.object({
      reports: count,
      successful: count,
      failed: count,
      failures: z.array(z.object({ type: z.string(), sessions: count })).readonly(),
    }),
  })
  .meta({ id: 'DomainReports' });

export const domainReportExtensions = extensions('Extensions', [
  endpoint('GET /v1/domains/{id}/reports', {
    operationId: 'getDomainReports',
    summary: 'Get what receivers report of a domain',
    description:
      'DMARC: who sends with the domain, how much of it passes, next to what was sent from here, and whether the policy can be stricter. TLS: sessions that hosts opened to the domain.',
    request: { params: IdParams, query: DomainReportsQuery },
    response: DomainReports,
    handle: ({ ctx, params, query }) => readDomainReports(ctx, params.id, query),
  }),
]);
