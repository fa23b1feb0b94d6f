import { isGroupedName } from '../email-events';
import type { Query } from './compile-values';
import type { FactsNeeded } from './inventory';
import { before, occurrenceKey } from './types';
import type { ActivityTest, EmailFact, Occurrence } from './types';

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
  /** The member that names the contact, or the contacts. */
  readonly whose: string;
  readonly at: string;
  readonly match: Readonly<Record<string, unknown>>;
}

/** Live events by people: what a machine did and what happened in test mode count for nobody. Served by events (projectId, contactId, createdAt, _id). */
const eventSource = (projectId: string, name: string): Source => ({
  from: 'events',
  whose: 'contactId',
  at: 'createdAt',
  match: { projectId, name, testMode: false, 'data.machine': { $ne: true } },
});

/** What was told of many contacts at once. Served by event_groups (projectId, contacts, createdAt, _id). */
const groupSource = (projectId: string, name: string): Source => ({
  from: 'event_groups',
  whose: 'contacts',
  at: 'createdAt',
  match: { projectId, names: name },
});

/** Served by emails (projectId, contactId, createdAt, _id). */
const emailSource = (projectId: string, status: EmailFact, campaignId: string | null): Source => ({
  from: 'emails',
  whose: 'contactId',
  at: AT[status],
  match: { projectId, testMode: false, ...(campaignId !== null && { campaignId }), [AT[status]]: { $type: 'date' } },
});

/** A document holds fewer; $slice knows no greater number. */
const FURTHEST = 2 ** 31 - 1;

/** Puts the instant of one occurrence, or an empty list, at `as`; at most one row is handed over, however much the contact did. */
function occurrenceStages({ activity, nth }: Occurrence, projectId: string, as: string): readonly Stage[] {
  if (activity.of === 'email') return [latest(emailSource(projectId, activity.status, activity.campaignId), nth - 1, 1, as)];
  const alone = eventSource(projectId, activity.name);
  if (!isGroupedName(activity.name)) return [latest(alone, nth - 1, 1, as)];
  const grouped = `${as}Grouped`;
  const both = { $sortArray: { input: { $concatArrays: [`$${as}`, `$${grouped}`] }, sortBy: { at: -1 } } };
  return [
    latest(alone, 0, nth, as),
    latest(groupSource(projectId, activity.name), 0, nth, grouped),
    { $set: { [as]: { $slice: [both, Math.min(nth - 1, FURTHEST), 1] } } },
  ];
}

function latest({ from, whose, at, match }: Source, skip: number, limit: number, as: string): Stage {
  const skipped = skip > 0 ? [{ $skip: skip }] : [];
  const pipeline = [{ $match: match }, { $sort: { [at]: -1 } }, ...skipped, { $limit: limit }, { $project: { _id: 0, at: `$${at}` } }];
  return { $lookup: { from, localField: '_id', foreignField: whose, pipeline, as } };
}

/** Puts the memberships among `segments` at `as`, all of them in one look-up by `_id`. */
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

/** Gathers the look-ups of a pipeline: each fact is looked up once, before the first condition that asks for it. */
export class ActivityLookups {
  private readonly occurrences = new Map<string, string>();
  private readonly memberships = new Map<string, string>();
  private made = 0;

  constructor(private readonly projectId: string) {}

  /** The stages for those facts that no stage before has looked up. */
  stagesFor({ events, emails, segments }: FactsNeeded): readonly Stage[] {
    const stages: Stage[] = [];
    for (const occurrence of [...events, ...emails]) {
      const key = occurrenceKey(occurrence);
      if (this.occurrences.has(key)) continue;
      const place = this.newPlace();
      this.occurrences.set(key, place);
      stages.push(...occurrenceStages(occurrence, this.projectId, place));
    }
    const missing = segments.filter((segmentId) => !this.memberships.has(segmentId));
    if (missing.length === 0) return stages;
    const place = this.newPlace();
    for (const segmentId of missing) this.memberships.set(segmentId, place);
    return [...stages, ...membershipStages(missing, this.projectId, place)];
  }

  occurrenceQuery(occurrence: Occurrence, test: ActivityTest, now: Date): Query {
    const place = placeOf(this.occurrences, occurrenceKey(occurrence));
    if (test.ms === null) return { [`${place}.0`]: { $exists: test.is === 'happened' } };
    const since = before(now, test.ms);
    if (test.is === 'over') return { [`${place}.at`]: { $lt: since } };
    return { [`${place}.at`]: test.is === 'happened' ? { $gte: since } : { $not: { $gte: since } } };
  }

  memberQuery(segmentId: string, negated: boolean): Query {
    return { [`${placeOf(this.memberships, segmentId)}.segmentId`]: negated ? { $ne: segmentId } : segmentId };
  }

  /** What was found for a document that has passed the stages. */
  foundIn(document: Readonly<Record<string, unknown>>): { readonly occurrences: Map<string, Date>; readonly memberOf: Set<string> } {
    const found = (document[ACTIVITY] ?? {}) as Readonly<Record<string, readonly { at?: Date; segmentId?: string }[]>>;
    const rowsAt = (place: string) => found[place.slice(ACTIVITY.length + 1)] ?? [];
    const occurrences = [...this.occurrences].flatMap(([key, place]) =>
      rowsAt(place).flatMap(({ at }) => (at ? [[key, at] as const] : [])),
    );
    const memberOf = [...new Set(this.memberships.values())].flatMap((place) => rowsAt(place).flatMap(({ segmentId }) => segmentId ?? []));
    return { occurrences: new Map(occurrences), memberOf: new Set(memberOf) };
  }

  private newPlace(): string {
    return `${ACTIVITY}.f${this.made++}`;
  }
}

function placeOf(places: ReadonlyMap<string, string>, key: string): string {
  const place = places.get(key);
  if (place === undefined) throw new Error(`Nothing was looked up for ${key}`);
  return place;
}
