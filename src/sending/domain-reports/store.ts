import { getDomain } from 'tldts';
import type { DmarcReport, DmarcRow, DomainReport, TlsReport } from '../../message/domain-reports';
import { derivedId } from '../../platform/core';
import type { Core } from '../../platform/core';
import { isDuplicate, removePage } from '../../platform/mongo';
import type { Authentication } from '../../rules/authentication';
import { bucketStart, bucketsOn } from '../../rules/time-buckets';
import { ownersOf } from '../domains';
import type { Owner } from '../domains';
import { DAY_INDEX, DomainReportModel, SentDayModel } from './model';
import type { Source, StoredReport, SentDay } from './model';
import { sentBySenderDomain } from '../../records/emails';

/** The outcome of a report. */
export type Fate = 'stored' | 'repeated' | 'foreign' | 'untimely' | 'over_limit';

/** Reports cover a day; some cover a week. */
const LONGEST_DAYS = 8;
/** Reports come within days. */
const OLDEST_DAYS = 60;
/** Limits for the reports of a kind on one day of one domain: all, and those of one reporter. */
const MOST_OF_DAY = 500;
const MOST_OF_REPORTER = 50;

/**
 * Returns the organizational domain that a report's mail comes from, which signature or envelope prove (RFC 7489 7.2.1.1); null where neither does. What a report
 * says of its organization is anybody's word.
 */
export function reporterOf(authorDomain: string, { dkimDomains, spf, spfDomain }: Authentication): string | null {
  const author = getDomain(authorDomain);
  const proved = spf === 'pass' && spfDomain !== null ? [...dkimDomains, spfDomain] : dkimDomains;
  return author !== null && proved.some((domain) => getDomain(domain) === author) ? author : null;
}

/**
 * Stores what a report says of the verified domains of projects, one row for each domain; what it says of other domains is dropped. The same report again is stored
 * once. Resolves to the best outcome of its parts.
 *
 * | killed                 | found                          | happens                                             |
 * |------------------------|--------------------------------|-----------------------------------------------------|
 * | between two domains    | the first                      | the report comes again, and the other one is stored |
 * | before the day's count | the report, `sent` unknown     | the next report on the day counts                   |
 */
export async function storeDomainReport(core: Core, reporter: string, report: DomainReport, at: Date): Promise<Fate> {
  if (!isTimely(report, at)) return 'untimely';
  const fates: Fate[] = [];
  for (const { owner, ...facts } of await (report.kind === 'dmarc' ? dmarcFacts(report) : tlsFacts(report))) {
    const row = rowOf(report, { reporter, owner, at, facts });
    fates.push(await store(row));
    await noteSentDay(core, row.projectId, row.day, at);
  }
  return (['stored', 'repeated', 'over_limit'] as const).find((fate) => fates.includes(fate)) ?? 'foreign';
}

function isTimely({ from, to }: DomainReport, at: Date): boolean {
  return (
    to > from && to <= bucketsOn(from, 'day', LONGEST_DAYS) && to <= bucketsOn(at, 'day', 1) && from >= bucketsOn(at, 'day', -OLDEST_DAYS)
  );
}

type Facts = Pick<StoredReport, 'policy' | 'sources' | 'messages' | 'aligned' | 'ours' | 'tls'>;
type Owned = Facts & { readonly owner: Owner };

/**
 * Resolves to the facts of a report by the domain that owns them. Mail from a subdomain that is nobody's own belongs to the domain that
 * has the policy.
 */
async function dmarcFacts({ domain, policy, rows }: DmarcReport): Promise<readonly Owned[]> {
  const owners = await ownersOf([...new Set([domain, ...rows.map(({ headerFrom }) => headerFrom)])]);
  const parent = owners.get(domain);
  const byOwner = new Map<Owner, DmarcRow[]>();
  for (const row of rows) {
    const owner = owners.get(row.headerFrom) ?? (row.headerFrom.endsWith(`.${domain}`) ? parent : undefined);
    if (!owner) continue;
    const own = byOwner.get(owner);
    if (own) own.push(row);
    else byOwner.set(owner, [row]);
  }
  return [...byOwner].map(([owner, own]) => {
    const sources = own.map((row) => sourceOf(row, owner));
    const sum = (isMeant: (source: Source) => boolean): number =>
      sources.filter(isMeant).reduce((total, { messages }) => total + messages, 0);
    return {
      owner,
      policy,
      sources,
      messages: sum(() => true),
      aligned: sum(({ dkim, spf }) => dkim || spf),
      ours: sum(({ ours }) => ours),
    };
  });
}

function sourceOf({ ip, messages, disposition, dkim, spf, signatures, envelope }: DmarcRow, { domain, selector }: Owner): Source {
  const ours = signatures.some((signature) => signature.domain === domain && signature.selector === selector);
  return { ip, messages, disposition, dkim, spf, ours, sender: signatures[0]?.domain ?? envelope };
}

async function tlsFacts({ policies }: TlsReport): Promise<readonly Owned[]> {
  const owners = await ownersOf([...new Set(policies.map(({ domain }) => domain))]);
  return [...owners.values()].map((owner) => ({
    owner,
    tls: policies.flatMap(({ domain, ...policy }) => (domain === owner.domain ? [policy] : [])),
  }));
}

interface Origin {
  readonly reporter: string;
  readonly owner: Owner;
  readonly at: Date;
  readonly facts: Facts;
}

function rowOf({ kind, organization, reportId, from, to }: DomainReport, { reporter, owner, at, facts }: Origin): StoredReport {
  const { projectId, domain } = owner;
  return {
    _id: derivedId('rep', projectId, domain, kind, reporter, reportId),
    projectId,
    domain,
    kind,
    reporter,
    organization,
    reportId,
    from,
    to,
    day: bucketStart(new Date((from.getTime() + to.getTime()) / 2), 'day'),
    ...facts,
    createdAt: at,
  };
}

async function store(row: StoredReport): Promise<Fate> {
  const { _id, projectId, domain, kind, day, reporter } = row;
  if (await DomainReportModel.exists({ _id, projectId })) return 'repeated';
  const count = (more: object, most: number): Promise<number> =>
    DomainReportModel.countDocuments({ projectId, domain, kind, day, ...more }, { limit: most, hint: DAY_INDEX });
  if ((await count({ reporter }, MOST_OF_REPORTER)) === MOST_OF_REPORTER || (await count({}, MOST_OF_DAY)) === MOST_OF_DAY) {
    return 'over_limit';
  }
  try {
    await DomainReportModel.collection.insertOne(row);
    return 'stored';
  } catch (error) {
    if (isDuplicate(error)) return 'repeated';
    throw error;
  }
}

/** Counts once what a project sent on a day that is over. A count that fails is logged: the next report on the day brings it. */
async function noteSentDay({ log }: Pick<Core, 'log'>, projectId: string, day: Date, at: Date): Promise<void> {
  const end = bucketsOn(day, 'day', 1);
  const _id = `${projectId}/${day.toISOString()}`;
  try {
    if (end > at || (await SentDayModel.exists({ _id, projectId }))) return;
    await SentDayModel.collection.insertOne({ _id, projectId, day, domains: await sentBySenderDomain(projectId, day, end) });
  } catch (error) {
    if (!isDuplicate(error)) log.warn({ err: error }, 'A day of sent mail could not be counted for DMARC reports');
  }
}

/** Resolves to how many messages a domain sent on each day of a span, by the day's instant; days that were not counted are missing. */
export async function sentOnDays(projectId: string, domain: string, from: Date, to: Date): Promise<ReadonlyMap<number, number>> {
  const rows = await SentDayModel.find({ projectId, day: { $gte: from, $lt: to } }).lean<SentDay[]>();
  return new Map(rows.map(({ day, domains }) => [day.getTime(), domains.find((sent) => sent.domain === domain)?.sent ?? 0]));
}

/** Removes a page of a project's reports on days before an instant, and the counts of those days. */
export const removeOldDomainReports = async (projectId: string, before: Date, limit: number): Promise<number> =>
  (await removePage(DomainReportModel, { projectId, day: { $lt: before } }, limit, { projectId: 1, day: 1 })) +
  (await removePage(SentDayModel, { projectId, day: { $lt: before } }, limit, { projectId: 1, day: 1 }));
