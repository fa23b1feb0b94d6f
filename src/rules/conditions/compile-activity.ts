import { CONTACT_PART } from '../campaign-mail-ids';
import type { CampaignStarts } from '../campaign-mail-ids';
import { HOLDS, isRowEventName } from '../email-events';
import type { RowEventName } from '../email-events';
import type { Query } from './compile-values';
import type { FactsNeeded } from './inventory';
import { before, isOutcome, occurrenceKey } from './types';
import type { ActivityTest, EmailFact, Occurrence, Outcome } from './types';

export type Stage = Readonly<Record<string, unknown>>;

/** The member of the documents in a pipeline that holds what was looked up of the contact's activity. */
export const ACTIVITY = '_activity';

const AT: Readonly<Record<EmailFact, string>> = {
  sent: 'sentAt',
  delivered: 'deliveredAt',
  opened: 'openedAt',
  clicked: 'clickedAt',
  bounced: 'bouncedAt',
  complained: 'complainedAt',
};

interface Source {
  readonly from: string;
  /** The member that names the contact; `_id` where the ids of what is looked for are at `by`. */
  readonly whose: string;
  readonly by?: string;
  readonly at: string;
  readonly match: Readonly<Record<string, unknown>>;
}

/**
 * Returns the source of live events by people: events by machines and in test mode do not count. Served by events (projectId, contactId,
 * createdAt, _id, name, testMode).
 */
const eventSource = (projectId: string, name: string): Source => ({
  from: 'events',
  whose: 'contactId',
  at: 'createdAt',
  match: { projectId, name, testMode: false, 'data.machine': { $ne: true } },
});

/** Matches mail whose rows hold the event, but for that of campaigns whose `_id` names the recipient. Served by emails (projectId, contactId, createdAt, _id). */
const rowSource = (projectId: string, name: RowEventName): Source => ({
  from: 'emails',
  whose: 'contactId',
  at: name === 'email.queued' ? 'createdAt' : 'sentAt',
  match: { projectId, ...(name === 'email.queued' ? { holdsQueued: { $gt: '' } } : { holds: { $in: HOLDS[name] } }) },
});

/** Returns the source of messages. Served by emails (projectId, contactId, createdAt, _id). */
const emailSource = (projectId: string, status: EmailFact, campaignId: string | null): Source => ({
  from: 'emails',
  whose: 'contactId',
  at: AT[status],
  match: { projectId, testMode: false, ...(campaignId !== null && { campaignId }), [AT[status]]: { $type: 'date' } },
});

/**
 * Reads campaign messages, which are named by their campaign and their contact: the index of `_id` serves. A contact that was deleted and
 * created again has none of them.
 */
const campaignMailSource = (projectId: string, status: EmailFact, ids: string): Source => ({
  from: 'emails',
  whose: '_id',
  by: ids,
  at: AT[status],
  match: { projectId, testMode: false, 'recipient.contactId': { $type: 'string' }, [AT[status]]: { $type: 'date' } },
});

/** Reads the campaign messages to the contact that have an outcome. Served by emails (projectId, recipient.contactId, openedAt, …). */
const outcomeSource = (projectId: string, status: Outcome): Source => ({
  from: 'emails',
  whose: 'recipient.contactId',
  at: AT[status],
  match: { projectId, testMode: false, [AT[status]]: { $type: 'date' } },
});

/** Reads the events of campaign messages from their rows, in the same way. */
function campaignRowSource(projectId: string, name: RowEventName, ids: string): Source {
  const source = rowSource(projectId, name);
  return { ...source, whose: '_id', by: ids, match: { ...source.match, 'recipient.contactId': { $type: 'string' } } };
}

/** Reads the message that a node sent, in test mode too: an execution is answered about its own. */
const nodeMailSource = (projectId: string, status: EmailFact, ids: string): Source => ({
  from: 'emails',
  whose: '_id',
  by: ids,
  at: AT[status],
  match: { projectId, [AT[status]]: { $type: 'date' } },
});

/** Returns the id of the message that a node of the execution sends. */
export type SentBy = (nodeId: string) => string;

/** The greatest number that $slice accepts; a document holds fewer. */
const FURTHEST = 2 ** 31 - 1;

interface Sources {
  readonly projectId: string;
  /** The campaigns whose messages are found by their ids; absent where none are. */
  readonly starts?: CampaignStarts | undefined;
  /** Absent outside of an execution, where no node has sent anything. */
  readonly sentBy?: SentBy | undefined;
}

/** Puts the instant of one occurrence, or an empty list, at `as`; at most one row is handed over, however much the contact did. */
function occurrenceStages({ activity, nth }: Occurrence, { projectId, starts = new Map(), sentBy }: Sources, as: string): readonly Stage[] {
  if (activity.of === 'event') {
    const alone = eventSource(projectId, activity.name);
    if (!isRowEventName(activity.name)) return [latest(alone, nth - 1, 1, as)];
    const { name } = activity;
    const stored = [alone, rowSource(projectId, name)];
    return withMail([...starts.values()], stored, (ids) => campaignRowSource(projectId, name, ids), nth, as);
  }
  const { status, campaignId, nodeId } = activity;
  if (nodeId !== undefined) {
    const ids = `${as}Ids`;
    return [{ $set: { [ids]: sentBy ? [sentBy(nodeId)] : [] } }, latest(nodeMailSource(projectId, status, ids), nth - 1, 1, as)];
  }
  if (campaignId === null && isOutcome(status)) {
    return nthOfAll([emailSource(projectId, status, campaignId), outcomeSource(projectId, status)], nth, as);
  }
  const asked = [...starts].flatMap(([id, start]) => (campaignId === null || id === campaignId ? [start] : []));
  const indexed = emailSource(projectId, status, campaignId);
  return withMail(asked, [indexed], (ids) => campaignMailSource(projectId, status, ids), nth, as);
}

/** Reads the rows that are stored by contact, and the messages of campaigns if there are any. */
function withMail(
  starts: readonly string[],
  stored: readonly Source[],
  mail: (ids: string) => Source,
  nth: number,
  as: string,
): readonly Stage[] {
  const ids = `${as}Ids`;
  if (starts.length > 0) return [{ $set: { [ids]: mailIds(starts) } }, ...nthOfAll([...stored, mail(ids)], nth, as)];
  const [only] = stored;
  return stored.length === 1 && only ? [latest(only, nth - 1, 1, as)] : nthOfAll(stored, nth, as);
}

/** Returns the ids that messages of campaigns to the contact have. */
const mailIds = (starts: readonly string[]) => ({
  $map: {
    input: { $literal: starts },
    as: 'start',
    in: { $concat: ['$$start', { $substrBytes: ['$_id', CONTACT_PART.at, CONTACT_PART.length] }] },
  },
});

function nthOfAll(sources: readonly Source[], nth: number, as: string): readonly Stage[] {
  const aliases = sources.map((_source, index) => (index === 0 ? as : `${as}More${index}`));
  const all = { $sortArray: { input: { $concatArrays: aliases.map((alias) => `$${alias}`) }, sortBy: { at: -1 } } };
  return [
    ...sources.map((source, index) => latest(source, 0, nth, aliases[index] ?? as)),
    { $set: { [as]: { $slice: [all, Math.min(nth - 1, FURTHEST), 1] } } },
  ];
}

function latest({ from, whose, by = '_id', at, match }: Source, skip: number, limit: number, as: string): Stage {
  const skipped = skip > 0 ? [{ $skip: skip }] : [];
  const pipeline = [{ $match: match }, { $sort: { [at]: -1 } }, ...skipped, { $limit: limit }, { $project: { _id: 0, at: `$${at}` } }];
  return { $lookup: { from, localField: by, foreignField: whose, pipeline, as } };
}

/** Puts the memberships among `segments` at `as`, all of them in one lookup by `_id`. */
function membershipStages(segments: readonly string[], projectId: string, as: string): readonly Stage[] {
  const ids = `${as}Ids`;
  return [
    { $set: { [ids]: segments.map((segmentId) => ({ $concat: [`${segmentId}:`, '$_id'] })) } },
    {
      $lookup: {
        from: 'segment_members',
        localField: ids,
        foreignField: '_id',
        pipeline: [{ $match: { projectId } }, { $project: { _id: 0, segmentId: 1 } }],
        as,
      },
    },
  ];
}

/** Gathers the lookups of a pipeline: each fact is looked up once, before the first condition that asks for it. */
export class ActivityLookups {
  private readonly occurrences = new Map<string, string>();
  private readonly memberships = new Map<string, string>();
  private made = 0;

  constructor(private readonly sources: Sources) {}

  /** Returns the stages for those facts that no stage before has looked up. */
  stagesFor({ events, emails, segments }: FactsNeeded): readonly Stage[] {
    const stages: Stage[] = [];
    for (const occurrence of [...events, ...emails]) {
      const key = occurrenceKey(occurrence);
      if (this.occurrences.has(key)) continue;
      const alias = this.newAlias();
      this.occurrences.set(key, alias);
      stages.push(...occurrenceStages(occurrence, this.sources, alias));
    }
    const missing = segments.filter((segmentId) => !this.memberships.has(segmentId));
    if (missing.length === 0) return stages;
    const alias = this.newAlias();
    for (const segmentId of missing) this.memberships.set(segmentId, alias);
    return [...stages, ...membershipStages(missing, this.sources.projectId, alias)];
  }

  occurrenceQuery(occurrence: Occurrence, test: ActivityTest, now: Date): Query {
    const alias = aliasOf(this.occurrences, occurrenceKey(occurrence));
    if (test.ms === null) return { [`${alias}.0`]: { $exists: test.is === 'happened' } };
    const since = before(now, test.ms);
    if (test.is === 'over') return { [`${alias}.at`]: { $lt: since } };
    return { [`${alias}.at`]: test.is === 'happened' ? { $gte: since } : { $not: { $gte: since } } };
  }

  memberQuery(segmentId: string, negated: boolean): Query {
    return { [`${aliasOf(this.memberships, segmentId)}.segmentId`]: negated ? { $ne: segmentId } : segmentId };
  }

  /** Returns what was found for a document that has passed the stages. */
  foundIn(document: Readonly<Record<string, unknown>>): { readonly occurrences: Map<string, Date>; readonly memberOf: Set<string> } {
    const found = (document[ACTIVITY] ?? {}) as Readonly<Record<string, readonly { at?: Date; segmentId?: string }[]>>;
    const rowsAt = (alias: string) => found[alias.slice(ACTIVITY.length + 1)] ?? [];
    const occurrences = [...this.occurrences].flatMap(([key, alias]) =>
      rowsAt(alias).flatMap(({ at }) => (at ? [[key, at] as const] : [])),
    );
    const memberOf = [...new Set(this.memberships.values())].flatMap((alias) => rowsAt(alias).flatMap(({ segmentId }) => segmentId ?? []));
    return { occurrences: new Map(occurrences), memberOf: new Set(memberOf) };
  }

  private newAlias(): string {
    return `${ACTIVITY}.f${this.made++}`;
  }
}

function aliasOf(aliases: ReadonlyMap<string, string>, key: string): string {
  const alias = aliases.get(key);
  if (alias === undefined) throw new Error(`Nothing was looked up for ${key}`);
  return alias;
}
