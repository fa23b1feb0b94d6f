import type { PublishedPolicy } from '../../message/domain-reports';
import { invalid } from '../../platform/core';
import type { Context } from '../../platform/core';
import { READINESS_DAYS, readiness, reportRecords } from '../../rules/domains/readiness';
import type { Readiness, ReportRecord } from '../../rules/domains/readiness';
import { bounceDomainOf, bounceStatus } from '../../rules/domains/records';
import { bucketCount, bucketStart, bucketsOn } from '../../rules/time-buckets';
import { getDomain } from '../domains';
import type { Domain } from '../domains';
import { DAY_INDEX, DomainReportModel } from './model';
import type { StoredReport } from './model';
import { sentOnDays } from './store';
import type { Document } from 'mongodb';

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

/** The reports on one domain from a day up to another. */
interface Meant {
  readonly projectId: string;
  readonly domain: string;
  readonly from: Date;
  readonly to: Date;
}

interface DmarcTotals {
  readonly reports: number;
  readonly messages: number;
  /** Passed DMARC. */
  readonly aligned: number;
  /** Signed by the domain's own key. */
  readonly ours: number;
}

interface ReportedDay extends DmarcTotals {
  readonly day: Date;
}

interface Organization {
  readonly organization: string;
  /** Domain that its mail was proved to come from. */
  readonly reporter: string;
  readonly reports: number;
  readonly messages: number;
}

/** `ours`: signed by the domain's own key; `aligned`: passes DMARC otherwise; `failing`: does not pass. */
type SourceKind = 'ours' | 'aligned' | 'failing';

interface ReadSource {
  readonly ip: string;
  readonly kind: SourceKind;
  readonly sender: string | null;
  readonly messages: number;
  readonly dkim: number;
  readonly spf: number;
  readonly quarantined: number;
  readonly rejected: number;
  readonly lastDay: Date;
}

interface TlsTotals {
  readonly reports: number;
  readonly successful: number;
  readonly failed: number;
}

interface TlsFailure {
  readonly type: string;
  readonly sessions: number;
}

type TlsFigures = TlsTotals & { readonly failures: readonly TlsFailure[] };

const MOST_ORGANIZATIONS = 50;
const MOST_FAILURES = 50;

const matching = ({ projectId, domain, from, to }: Meant, kind: StoredReport['kind']): Document => ({
  $match: { projectId, domain, kind, day: { $gte: from, $lt: to } },
});

const aggregate = <Row extends Document>(stages: readonly Document[]): Promise<Row[]> =>
  DomainReportModel.collection.aggregate<Row>([...stages], { hint: DAY_INDEX }).toArray();

const sumIf = (condition: Document | string, member = '$sources.messages'): Document => ({ $sum: { $cond: [condition, member, 0] } });

/** Resolves to the days with reports, in order. */
const reportedDays = (meant: Meant): Promise<readonly ReportedDay[]> =>
  aggregate<ReportedDay>([
    matching(meant, 'dmarc'),
    {
      $group: {
        _id: '$day',
        reports: { $sum: 1 },
        messages: { $sum: '$messages' },
        aligned: { $sum: '$aligned' },
        ours: { $sum: '$ours' },
      },
    },
    { $sort: { _id: 1 } },
    { $set: { day: '$_id' } },
    { $project: { _id: 0 } },
  ]);

function totalsOf(days: readonly ReportedDay[]): DmarcTotals {
  const sum = (member: keyof DmarcTotals): number => days.reduce((total, day) => total + day[member], 0);
  return { reports: sum('reports'), messages: sum('messages'), aligned: sum('aligned'), ours: sum('ours') };
}

const organizationsOf = (meant: Meant): Promise<readonly Organization[]> =>
  aggregate<Organization>([
    matching(meant, 'dmarc'),
    { $group: { _id: '$reporter', organization: { $last: '$organization' }, reports: { $sum: 1 }, messages: { $sum: '$messages' } } },
    { $sort: { messages: -1, _id: 1 } },
    { $limit: MOST_ORGANIZATIONS },
    { $project: { _id: 0, organization: 1, reporter: '$_id', reports: 1, messages: 1 } },
  ]);

const KIND: Document = {
  $cond: ['$sources.ours', 'ours', { $cond: [{ $or: ['$sources.dkim', '$sources.spf'] }, 'aligned', 'failing'] }],
};

/** Resolves to the sources with the most messages first, and how many there are beyond the limit. */
async function sourcesOf(meant: Meant, limit: number): Promise<{ readonly sources: readonly ReadSource[]; readonly moreSources: number }> {
  const [found] = await aggregate<{ readonly sources: readonly ReadSource[]; readonly count: readonly { readonly n: number }[] }>([
    matching(meant, 'dmarc'),
    { $unwind: '$sources' },
    {
      $group: {
        _id: { ip: '$sources.ip', kind: KIND },
        sender: { $max: '$sources.sender' },
        messages: { $sum: '$sources.messages' },
        dkim: sumIf('$sources.dkim'),
        spf: sumIf('$sources.spf'),
        quarantined: sumIf({ $eq: ['$sources.disposition', 'quarantine'] }),
        rejected: sumIf({ $eq: ['$sources.disposition', 'reject'] }),
        lastDay: { $max: '$day' },
      },
    },
    {
      $facet: {
        sources: [
          { $sort: { messages: -1, _id: 1 } },
          { $limit: limit },
          { $set: { ip: '$_id.ip', kind: '$_id.kind' } },
          { $project: { _id: 0 } },
        ],
        count: [{ $count: 'n' }],
      },
    },
  ]);
  const sources = found?.sources ?? [];
  return { sources, moreSources: (found?.count[0]?.n ?? 0) - sources.length };
}

/** Sums of all sessions, and the most frequent failures. */
async function tlsFigures(meant: Meant): Promise<TlsFigures> {
  const [found] = await aggregate<{ readonly totals: readonly TlsTotals[]; readonly failures: readonly TlsFailure[] }>([
    matching(meant, 'tls'),
    {
      $facet: {
        totals: [
          {
            $group: {
              _id: null,
              reports: { $sum: 1 },
              successful: { $sum: { $sum: '$tls.successful' } },
              failed: { $sum: { $sum: '$tls.failed' } },
            },
          },
          { $project: { _id: 0 } },
        ],
        failures: [
          { $unwind: '$tls' },
          { $unwind: '$tls.failures' },
          { $group: { _id: '$tls.failures.type', sessions: { $sum: '$tls.failures.sessions' } } },
          { $sort: { sessions: -1, _id: 1 } },
          { $limit: MOST_FAILURES },
          { $project: { _id: 0, type: '$_id', sessions: 1 } },
        ],
      },
    },
  ]);
  const totals = found?.totals[0] ?? { reports: 0, successful: 0, failed: 0 };
  return { ...totals, failures: found?.failures ?? [] };
}
