import { shardOf } from '../../contracts/delivery';
import type { PageRequest } from '../../platform/core';
import { NEWEST_FIRST, containing, mergedNewest, newestBeyond, newestWithin } from '../../platform/mongo';
import type { Page, Sought } from '../../platform/mongo';
import { HeldMailModel } from './held';
import { EmailModel } from './model';
import {
  AGE_INDEX,
  CAMPAIGN_INDEX,
  DUE_INDEX,
  INBOUND_INDEXES,
  TAG_INDEX,
  TO_INDEX,
  TROUBLES,
  TROUBLE_INDEX,
  WIRE_INDEX,
  WORKFLOW_INDEX,
} from './indexes';
import type { Email, EmailSource, EmailStatus } from './model';

/** Mail of some kind, to anybody. */
export interface KindFilter {
  /** `scheduled`: queued, with its time still ahead; soonest first. */
  readonly status?: EmailStatus | 'scheduled' | undefined;
  readonly source?: EmailSource | undefined;
  readonly campaignId?: string | undefined;
  readonly workflowId?: string | undefined;
  /** Part of the subject as it is stored, in any case. */
  readonly subject?: string | undefined;
  /** Tag in the form `name:value`. */
  readonly tag?: string | undefined;
  /** Accepted at this instant or later. */
  readonly from?: Date | undefined;
  /** Accepted before this instant. */
  readonly until?: Date | undefined;
}

type Filter = Readonly<Record<string, unknown>>;
type Projection = Readonly<Record<string, 0 | 1>>;
type Hint = NonNullable<Sought<Email>['hint']>;

/** Limit for rows that are sorted after reading, where an index has them in another order. */
const FEW = 1_000;

/** Number of index ranges that the database merges in their order; with more, it would sort all rows. */
const MERGED = 200;

/** Resolves to a page of the project's mail of a kind, newest first; one that is not full may have a next one (`newestWithin`). */
export async function newestOfKind(
  projectId: string,
  filter: KindFilter,
  request: PageRequest,
  projection: Projection,
): Promise<Page<Email>> {
  const all = { projectId, ...spanOf(filter) };
  const asked = askedOf(filter);
  const direct = directly(filter);
  if (direct) return newestWithin(EmailModel, soughtOf(all, direct.by, asked, direct.hint), request, projection);
  const few = await someOfFew(projectId, filter);
  if (few) return pageOfFew({ $and: [all, asked, few] }, request, projection);
  const parts = await partsOf(projectId, asked);
  const pages = parts.map(({ by, hint }) => newestWithin(EmailModel, soughtOf(all, by, asked, hint), request, projection));
  return mergedNewest(await Promise.all(pages), request.limit, positionOf);
}

interface Indexed {
  readonly by: Filter;
  readonly hint: Hint;
}

/** Returns what is sought by an index of `by`, which has all that it names, and of what `all` names. */
export const soughtOf = (all: Filter, by: Filter, asked: Filter, hint?: Hint): Sought<Email> => {
  const besides = Object.fromEntries(Object.entries(asked).filter(([name, value]) => by[name] !== value));
  return { indexed: { $and: [all, by] }, besides: Object.keys(besides).length > 0 ? besides : null, hint };
};

/** Returns the condition for the span of time that is asked for. */
export const spanOf = ({ from, until }: KindFilter): Filter =>
  from || until ? { createdAt: { ...(from && { $gte: from }), ...(until && { $lt: until }) } } : {};

/** Returns the conditions for the kind that is asked for. */
export const askedOf = ({ status, source, campaignId, workflowId, tag, subject }: KindFilter): Filter => ({
  ...Object.fromEntries(Object.entries({ status, source, campaignId, workflowId, tags: tag }).filter(([, value]) => value !== undefined)),
  ...(subject && { subject: containing(subject) }),
});

/** Returns which index has what is asked in its order, if one has. */
function directly({ status, source, campaignId, workflowId, tag }: KindFilter): Indexed | null {
  if (tag !== undefined) return { by: { tags: tag }, hint: TAG_INDEX };
  if (campaignId !== undefined) return { by: { campaignId }, hint: CAMPAIGN_INDEX };
  if (workflowId !== undefined) return { by: { workflowId }, hint: WORKFLOW_INDEX };
  if ((TROUBLES as readonly unknown[]).includes(status)) return { by: { status }, hint: TROUBLE_INDEX };
  if (source === 'inbound' || status === 'received') return { by: { source: 'inbound' }, hint: INBOUND_INDEXES.all };
  return null;
}

/** Resolves to a filter of what little of the project's mail an index of another order has, with all that is asked among it; else to null. */
async function someOfFew(projectId: string, { status, source }: KindFilter): Promise<Filter | null> {
  if (status === 'queued' && (await HeldMailModel.estimatedDocumentCount()) === 0)
    return among({ shard: shardOf(projectId), projectId, dueAt: { $gt: new Date(0) } }, DUE_INDEX);
  if (status === 'sending') return among({ projectId, status, 'attempt.worker': { $gt: '' } }, WIRE_INDEX);
  // Mail of campaigns is not in this index.
  return source === 'transactional' ? among({ projectId, to: { $gt: '' } }, TO_INDEX) : null;
}

/** The senders of mail of each source, each with an index of its own. */
const SENDERS = {
  campaign: { member: 'campaignId', hint: CAMPAIGN_INDEX },
  workflow: { member: 'workflowId', hint: WORKFLOW_INDEX },
} as const;

/** Resolves to parts of the project's mail that together have all that is asked: that of the senders of its source, or all by age. */
async function partsOf(projectId: string, { source, ...others }: Filter): Promise<readonly Indexed[]> {
  const byAge = [{ by: {}, hint: AGE_INDEX }];
  if (source !== 'campaign' && source !== 'workflow') return byAge;
  const { member, hint } = SENDERS[source];
  const ids: unknown[] = await EmailModel.collection.distinct(member, { projectId, [member]: { $gt: '' } });
  if (ids.length > MERGED && Object.keys(others).length > 0) return byAge;
  const groups = Array.from({ length: Math.ceil(ids.length / MERGED) }, (_, at) => ids.slice(at * MERGED, (at + 1) * MERGED));
  return groups.map((group) => ({ by: { source, [member]: { $in: group } }, hint }));
}

async function among(filter: Filter, hint: Hint): Promise<Filter | null> {
  const rows = await EmailModel.collection.find(filter, { projection: { _id: 1 }, hint, limit: FEW + 1 }).toArray();
  return rows.length > FEW ? null : { _id: { $in: rows.map(({ _id }) => _id) } };
}

/** Reads and sorts at most `FEW` rows. */
async function pageOfFew(filter: Filter, { limit, after }: PageRequest, projection: Projection): Promise<Page<Email>> {
  const rows = await EmailModel.find({ $and: [filter, ...(after ? [newestBeyond(after)] : [])] }, projection, { hint: { _id: 1 } })
    .sort(NEWEST_FIRST)
    .limit(limit + 1)
    .lean<Email[]>();
  return mergedNewest([{ rows, next: null }], limit, positionOf);
}

const positionOf = ({ _id, createdAt }: Email) => ({ at: createdAt, id: _id });
