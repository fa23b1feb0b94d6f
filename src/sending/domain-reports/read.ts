import type { PublishedPolicy } from '../../message/domain-reports';
import { invalid } from '../../platform/core';
import type { Context } from '../../platform/core';
import { READINESS_DAYS, readiness } from '../../rules/domains/readiness';
import type { Readiness } from '../../rules/domains/readiness';
import { bounceDomainOf, bounceStatus } from '../../rules/domains/records';
import { reportRecords } from '../../rules/domains/report-records';
import type { ReportRecord } from '../../rules/domains/report-records';
import { bucketCount, bucketStart, bucketsOn } from '../../rules/time-buckets';
import { getDomain } from '../domains';
import type { Domain } from '../domains';
import { organizationsOf, reportedDays, sourcesOf, tlsFigures, totalsOf } from './figures';
import type { DmarcTotals, Meant, Organization, ReadSource, ReportedDay, TlsFigures } from './figures';
import { DAY_INDEX, DomainReportModel } from './model';
import type { StoredReport } from './model';
import { sentOnDays } from './store';

const MAX_DAYS = 400;
const DAYS = 30;
/** The part before the `@` of the address that takes reports. */
const MAILBOX = 'dmarc';

interface ReportsQuery {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Number of sources. */
  readonly limit: number;
}

/** A day with reports: what was sent against what receivers saw. */
type JoinedDay = Omit<ReportedDay, 'reports'> & {
  /** Messages of the ledger; null until the day is counted. */
  readonly sent: number | null;
};

export interface DomainReports {
  readonly domain: string;
  readonly from: Date;
  readonly to: Date;
  /** Address to which receivers are to send reports. */
  readonly address: string;
  readonly records: readonly ReportRecord[];
  readonly dmarc: DmarcTotals & {
    /** The one in the newest report. */
    readonly policy: PublishedPolicy | null;
    readonly ready: Readiness;
    readonly days: readonly JoinedDay[];
    readonly organizations: readonly Organization[];
    readonly sources: readonly ReadSource[];
    /** Number of sources beyond the limit. */
    readonly moreSources: number;
  };
  readonly tls: TlsFigures;
}

/** Resolves to what reports say of a domain from a day up to another. Throws `not_found`, and 422 for a span that is empty or has more than 400 days. */
export async function readDomainReports(ctx: Context, id: string, query: ReportsQuery): Promise<DomainReports> {
  const row = await getDomain(ctx, id);
  const now = new Date();
  const { from, to } = rangeOf(query, now);
  const meant = { projectId: ctx.projectId, domain: row.domain, from, to };
  const recent = { ...meant, from: bucketsOn(bucketStart(now, 'day'), 'day', -READINESS_DAYS), to: bucketsOn(now, 'day', 1) };
  const [days, recentDays, sources, organizations, policy, tls, sent] = await Promise.all([
    reportedDays(meant),
    reportedDays(recent),
    sourcesOf(meant, query.limit),
    organizationsOf(meant),
    newestPolicy(meant),
    tlsFigures(meant),
    sentOnDays(ctx.projectId, row.domain, from, to),
  ]);
  const address = addressFor(ctx, row);
  return {
    domain: row.domain,
    from,
    to,
    address,
    records: reportRecords(row.domain, address, row.answers?.dmarc.records[0]),
    dmarc: {
      ...totalsOf(days),
      policy,
      ready: readiness(recentDays, policy?.p ?? null, now),
      days: days.map(({ reports: _, ...day }) => ({ ...day, sent: sent.get(day.day.getTime()) ?? null })),
      organizations,
      ...sources,
    },
    tls,
  };
}

/** Returns the whole UTC days that the span touches; unless the caller says otherwise, the last 30. */
function rangeOf({ from, to }: ReportsQuery, now: Date): { readonly from: Date; readonly to: Date } {
  const given = to ?? bucketsOn(bucketStart(now, 'day'), 'day', 1);
  const begin = bucketStart(from ?? bucketsOn(given, 'day', -DAYS), 'day');
  if ((from ?? begin) >= given) throw invalid('from', 'invalid_combination', 'Must be before `to`');
  const days = bucketCount(begin, given, 'day');
  if (days > MAX_DAYS) throw invalid('from', 'too_big', `At most ${MAX_DAYS} days`);
  return { from: begin, to: bucketsOn(begin, 'day', days) };
}

/** Reports to an address at a subdomain need no record that allows them (RFC 7489 7.1). */
const addressFor = ({ core }: Context, { domain, records }: Domain): string =>
  `${MAILBOX}@${bounceStatus(records) === 'verified' ? bounceDomainOf(domain) : core.config.BOUNCE_DOMAIN}`;

async function newestPolicy({ projectId, domain }: Meant): Promise<PublishedPolicy | null> {
  const row = await DomainReportModel.findOne({ projectId, domain, kind: 'dmarc' }, { policy: 1 })
    .sort({ day: -1 })
    .hint(DAY_INDEX)
    .lean<Pick<StoredReport, 'policy'>>();
  return row?.policy ?? null;
}
