import type { Document } from 'mongodb';
import { DAY_INDEX, DomainReportModel } from './model';
import type { StoredReport } from './model';

/** The reports on one domain from a day up to another. */
export interface Meant {
  readonly projectId: string;
  readonly domain: string;
  readonly from: Date;
  readonly to: Date;
}

export interface DmarcTotals {
  readonly reports: number;
  readonly messages: number;
  /** Passed DMARC. */
  readonly aligned: number;
  /** Signed by the domain's own key. */
  readonly ours: number;
}

export interface ReportedDay extends DmarcTotals {
  readonly day: Date;
}

export interface Organization {
  readonly organization: string;
  /** Domain that its mail was proved to come from. */
  readonly reporter: string;
  readonly reports: number;
  readonly messages: number;
}

/** `ours`: signed by the domain's own key; `aligned`: passes DMARC otherwise; `failing`: does not pass. */
type SourceKind = 'ours' | 'aligned' | 'failing';

export interface ReadSource {
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

export type TlsFigures = TlsTotals & { readonly failures: readonly TlsFailure[] };

const MOST_ORGANIZATIONS = 50;
const MOST_FAILURES = 50;

const matching = ({ projectId, domain, from, to }: Meant, kind: StoredReport['kind']): Document => ({
  $match: { projectId, domain, kind, day: { $gte: from, $lt: to } },
});

const aggregate = <Row extends Document>(stages: readonly Document[]): Promise<Row[]> =>
  DomainReportModel.collection.aggregate<Row>([...stages], { hint: DAY_INDEX }).toArray();

const sumIf = (condition: Document | string, member = '$sources.messages'): Document => ({ $sum: { $cond: [condition, member, 0] } });

/** Resolves to the days with reports, in order. */
export const reportedDays = (meant: Meant): Promise<readonly ReportedDay[]> =>
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

export function totalsOf(days: readonly ReportedDay[]): DmarcTotals {
  const sum = (member: keyof DmarcTotals): number => days.reduce((total, day) => total + day[member], 0);
  return { reports: sum('reports'), messages: sum('messages'), aligned: sum('aligned'), ours: sum('ours') };
}

export const organizationsOf = (meant: Meant): Promise<readonly Organization[]> =>
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
export async function sourcesOf(
  meant: Meant,
  limit: number,
): Promise<{ readonly sources: readonly ReadSource[]; readonly moreSources: number }> {
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
export async function tlsFigures(meant: Meant): Promise<TlsFigures> {
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
