import { z } from 'zod';
import { normalizeDomain } from '../../platform/addresses';
import { nameIn } from './report';
import type { TlsPolicy, TlsReport } from './report';

const MOST_POLICIES = 1_000;
const MOST_FAILURES = 1_000;
/** Limit for the kinds of failure of one policy; RFC 8460 has eleven. */
const MOST_TYPES = 30;

const sessions = z.int().min(0).max(1_000_000_000).default(0);
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const word = z.string().max(1_024).transform(nameIn);

const Policy = z.object({
  policy: z.object({ 'policy-type': word, 'policy-domain': z.string().max(1_024) }),
  summary: z.object({ 'total-successful-session-count': sessions, 'total-failure-session-count': sessions }),
  'failure-details': z
    .array(z.object({ 'result-type': word, 'failed-session-count': sessions }))
    .max(MOST_FAILURES)
    .default([]),
});

const Report = z.object({
  'organization-name': word.default(''),
  'date-range': z.object({ 'start-datetime': instant, 'end-datetime': instant }),
  'report-id': word.pipe(z.string().min(1)),
  policies: z.array(Policy).min(1).max(MOST_POLICIES),
});

/** Reads a report on TLS. Throws for one that is not to be understood. */
export function readTls(bytes: Uint8Array): TlsReport {
  const report = Report.parse(JSON.parse(new TextDecoder('utf-8').decode(bytes)));
  return {
    kind: 'tls',
    organization: report['organization-name'],
    reportId: report['report-id'],
    from: report['date-range']['start-datetime'],
    to: report['date-range']['end-datetime'],
    policies: report.policies.flatMap(policyIn),
  };
}

function policyIn({ policy, summary, 'failure-details': details }: z.output<typeof Policy>): readonly TlsPolicy[] {
  const domain = normalizeDomain(policy['policy-domain']);
  if (domain === null) return [];
  const failures = new Map<string, number>();
  for (const { 'result-type': type, 'failed-session-count': count } of details) {
    if (failures.has(type) || failures.size < MOST_TYPES) failures.set(type, (failures.get(type) ?? 0) + count);
  }
  return [
    {
      domain,
      type: policy['policy-type'],
      successful: summary['total-successful-session-count'],
      failed: summary['total-failure-session-count'],
      failures: [...failures].map(([type, count]) => ({ type, sessions: count })),
    },
  ];
}
