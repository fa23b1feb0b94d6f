import { z } from 'zod';
import { count, instant, optionalTimestamp, timestamp, wholeNumber } from '../http/pieces';

const disposition = z.enum(['none', 'quarantine', 'reject']);
const alignment = z.enum(['r', 's']).meta({ description: 'r: relaxed; s: strict' });
const day = timestamp.meta({ description: 'Beginning of the UTC day' });

export const DomainReportsQuery = z.object({
  from: instant.optional().meta({ description: 'Inclusive; default 30 days before the end. Its whole UTC day counts' }),
  to: instant.optional().meta({ description: 'Exclusive; default the end of the current day. Its whole UTC day counts' }),
  limit: wholeNumber(1, 100).default(50).meta({ description: 'Number of sources' }),
});

const ReportRecord = z
  .object({ purpose: z.enum(['dmarc', 'tls']), type: z.literal('TXT'), host: z.string(), value: z.string() })
  .meta({ id: 'ReportRecord', description: 'A record to publish so that receivers send reports here' });

const PublishedPolicy = z
  .object({
    p: disposition,
    sp: disposition.nullable(),
    pct: z.number().nullable(),
    adkim: alignment,
    aspf: alignment,
  })
  .meta({ id: 'PublishedPolicy', description: 'The DMARC policy as the newest report saw it' });

const Ready = z
  .object({
    quarantine: z.boolean().meta({ description: 'Whether the domain can ask for p=quarantine' }),
    reject: z.boolean().meta({ description: 'Whether the domain can ask for p=reject' }),
    cleanDays: count.meta({ description: 'Clean days in a row, up to the last day with a report; at most of the last 90 days' }),
    lastDay: optionalTimestamp,
  })
  .meta({ id: 'DmarcReadiness' });

const ReportedDay = z
  .object({
    day,
    sent: z.number().int().nullable().meta({ description: 'Messages that left from the domain, by the ledger; null if not counted yet' }),
    messages: count.meta({ description: 'Messages in reports' }),
    aligned: count.meta({ description: 'Of those, messages that passed DMARC' }),
    ours: count.meta({ description: 'Of those, messages with a valid signature by the domain’s key here' }),
  })
  .meta({ id: 'DmarcDay' });

const ReportSource = z
  .object({
    ip: z.string(),
    kind: z.enum(['ours', 'aligned', 'failing']),
    sender: z.string().nullable().meta({ description: 'The domain that a signature or the envelope proves' }),
    messages: count,
    dkim: count.meta({ description: 'Messages whose signature aligns' }),
    spf: count.meta({ description: 'Messages whose envelope aligns' }),
    quarantined: count,
    rejected: count,
    lastDay: day,
  })
  .meta({ id: 'DmarcSource' });

const Organization = z
  .object({ organization: z.string(), reporter: z.string(), reports: count, messages: count })
  .meta({ id: 'DmarcOrganization', description: 'Who reports: `organization` as it calls itself, `reporter` as its mail proves' });

export const DomainReports = z
  .object({
    domain: z.string(),
    from: timestamp,
    to: timestamp,
    address: z.string().meta({ description: 'Where reports go' }),
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
      sources: z.array(ReportSource).readonly().meta({ description: 'Most messages first' }),
      moreSources: count.meta({ description: 'Sources beyond `limit`' }),
    }),
    tls: z.object({
      reports: count,
      successful: count.meta({ description: 'Sessions' }),
      failed: count.meta({ description: 'Sessions' }),
      failures: z.array(z.object({ type: z.string(), sessions: count })).readonly(),
    }),
  })
  .meta({ id: 'DomainReports' });
