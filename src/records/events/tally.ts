import type { ClientSession } from 'mongoose';
import { derivedId, positionAt } from '../../platform/core';
import { inTransaction, model, rowSchema } from '../../platform/mongo';
import { EventModel, RECEIPT_INDEX } from './model';
import type { Event } from './model';
import { countMailIn } from '../stats';
import type { MailHappening } from '../stats';
import { historyRecorded, isMoreHistory } from '../emails';
import type { MailCount, Recorded } from '../emails';
import { happeningsIn } from './mail-between';
import type { PageRequest, Positioned } from '../../platform/core';
import { visibleUpTo } from './visible';

/** Count of a name, over the events that are counted in. */
interface NameTally {
  /** `derivedId('evn', projectId, name)` */
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  readonly count: number;
  readonly lastSeenAt: Date;
  /** Grows with each change, so that two changes of one row never pass each other unseen. */
  readonly changes: number;
}

const nameTallySchema = rowSchema<NameTally>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  name: { type: String, required: true },
  count: { type: Number, required: true },
  lastSeenAt: { type: Date, required: true },
  changes: { type: Number, required: true },
});
nameTallySchema.index({ projectId: 1, name: 1 }); // the names of a project

export const NameTallyModel = model<NameTally>('NameTally', nameTallySchema, 'event_names');

/** Up to which receipt all projects' events are counted in. */
interface TallyMark {
  readonly _id: 'all';
  readonly upTo: Date;
}

const tallyMarkSchema = rowSchema<TallyMark>({ _id: { type: String, required: true }, upTo: { type: Date, required: true } });
export const TallyMarkModel = model<TallyMark>('TallyMark', tallyMarkSchema, 'event_tally');

const PAGE = 10_000;
const LIMIT_MS = 20_000;
const BEGINNING = new Date(0);

/** Reads what rows hold of mail that is not in the project's hours yet. */
export const untalliedMail = async (session: ClientSession, projectId: string): Promise<readonly MailHappening[]> =>
  happeningsIn(await historyRecorded(session, { $gt: await talliedUpTo(session) }, { projectId, sentOnly: true }));

const tallyId = (projectId: string, name: string): string => derivedId('evn', projectId, name);

/** Reads up to which receipt events are counted in, as the transaction sees it where there is one. */
export async function talliedUpTo(session?: ClientSession): Promise<Date> {
  const mark = await TallyMarkModel.collection.findOne<TallyMark>({ _id: 'all' }, session ? { session } : {});
  return mark?.upTo ?? BEGINNING;
}

/**
 * Adds the events that every transaction can see by now to counters by name, so that no question has to count a million rows. A counter written with each event would make
 * all events of a project wait for each other. Rows and mark are one transaction: killed at any point, an event is counted in once. Resolves to how many.
 */
export async function tallyEvents(): Promise<number> {
  const upToVisible = await visibleUpTo();
  const deadline = performance.now() + LIMIT_MS;
  let counted = 0;
  for (let mostMs = Number.POSITIVE_INFINITY; ;) {
    const page = await inTransaction((session) => tallyPage(session, upToVisible, mostMs));
    counted += page.counted;
    mostMs = 2 * page.tookMs;
    if (!page.more || performance.now() > deadline) return counted;
  }
}

interface NameCount {
  readonly _id: { readonly projectId: string; readonly name: string };
  readonly count: number;
  readonly lastSeenAt: Date;
}

interface Tallied {
  readonly counted: number;
  readonly more: boolean;
  /** The length of the span that it counted, in milliseconds: the next span is about as full. */
  readonly tookMs: number;
}

async function tallyPage(session: ClientSession, upToVisible: Date, mostMs: number): Promise<Tallied> {
  const from = await talliedUpTo(session);
  if (from >= upToVisible) return { counted: 0, more: false, tookMs: 0 };
  const upTo = await endOfPage(session, { $gt: from, $lte: new Date(Math.min(upToVisible.getTime(), from.getTime() + mostMs)) });
  const received = { $gt: from, $lte: upTo };
  const mail = await historyRecorded(session, received);
  const groups = [...(await countAlone(session, received)), ...mail.map(nameCount)];
  await countMailIn(session, happeningsIn(mail));
  if (groups.length > 0) await NameTallyModel.collection.bulkWrite(groups.map(addition), { session, ordered: false });
  await TallyMarkModel.collection.updateOne({ _id: 'all' }, { $set: { upTo } }, { session, upsert: true });
  return { counted: groups.reduce((sum, { count }) => sum + count, 0), more: upTo < upToVisible, tookMs: upTo.getTime() - from.getTime() };
}

/** A page is no shorter. */
const SHORTEST_MS = 100;

/** Resolves to the instant up to which a page has been received, of events with rows of their own and of those that rows hold. */
async function endOfPage(session: ClientSession, receivedAt: Required<Recorded>): Promise<Date> {
  const options = { session, projection: { _id: 0, receivedAt: 1 }, sort: { receivedAt: 1 }, skip: PAGE, limit: 1 } as const;
  const [event] = await EventModel.collection
    .find<Pick<Event, 'receivedAt'>>({ receivedAt }, { ...options, hint: RECEIPT_INDEX })
    .toArray();
  const from = receivedAt.$gt.getTime();
  let upTo = event?.receivedAt.getTime() ?? receivedAt.$lte.getTime();
  while (upTo - from > SHORTEST_MS && (await isMoreHistory(session, { ...receivedAt, $lte: new Date(upTo) }, PAGE)))
    upTo = Math.ceil((from + upTo) / 2);
  return new Date(upTo);
}

/** Equality members of the counted events, in addition to the receipt. */
interface Counted {
  readonly projectId?: string;
  readonly name?: string;
}

/** Counts events with rows of their own. */
const countAlone = (session: ClientSession, receivedAt: Recorded, counted: Counted = {}): Promise<NameCount[]> =>
  EventModel.collection
    .aggregate<NameCount>(
      [
        { $match: { receivedAt, ...counted } },
        { $group: { _id: { projectId: '$projectId', name: '$name' }, count: { $sum: 1 }, lastSeenAt: { $max: '$createdAt' } } },
      ],
      { session, hint: RECEIPT_INDEX },
    )
    .toArray();

const nameCount = ({ projectId, name, count, lastSeenAt }: MailCount): NameCount => ({ _id: { projectId, name }, count, lastSeenAt });

/** Resolves to what of a project is not counted in yet; a name may be there several times. */
async function untallied(session: ClientSession, projectId: string, name?: string): Promise<readonly NameCount[]> {
  const received = { $gt: await talliedUpTo(session) };
  const alone = await countAlone(session, received, { projectId, ...(name !== undefined && { name }) });
  const mail = await historyRecorded(session, received, { projectId });
  return [...alone, ...mail.filter((counted) => name === undefined || counted.name === name).map(nameCount)];
}

const addition = ({ _id: { projectId, name }, count, lastSeenAt }: NameCount) => ({
  updateOne: {
    filter: { _id: tallyId(projectId, name), projectId },
    update: { $setOnInsert: { name }, $inc: { count, changes: 1 }, $max: { lastSeenAt } },
    upsert: true,
  },
});

const NAMES_AT_ONCE = 1_000;

export type NameSeen = Pick<NameTally, 'name' | 'count' | 'lastSeenAt'>;

/**
 * Resolves to the names of a project's events with their exact counts, by name, at most one more than `limit`; those that come after a name. What is not counted in yet
 * is counted now.
 */
const namesBeyond = (projectId: string, { limit, after }: PageRequest): Promise<readonly NameSeen[]> =>
  inTransaction(async (session) => {
    const beyond = after?.id ?? '';
    const rows = await NameTallyModel.collection
      .find<NameTally>({ projectId, name: { $gt: beyond }, count: { $gt: 0 } }, { session, sort: { name: 1 }, limit: limit + 1 })
      .toArray();
    // Beyond this many names, their counts are not known here.
    const end = rows.length > limit ? (rows.at(-1) as NameTally).name : null;
    const recent = (await untallied(session, projectId)).filter(({ _id: { name } }) => name > beyond && (end === null || name <= end));
    const names = new Map(rows.map(({ name, count, lastSeenAt }) => [name, { name, count, lastSeenAt }]));
    for (const { _id, count, lastSeenAt } of recent) {
      const known = names.get(_id.name);
      const last = known && known.lastSeenAt > lastSeenAt ? known.lastSeenAt : lastSeenAt;
      names.set(_id.name, { name: _id.name, count: count + (known?.count ?? 0), lastSeenAt: last });
    }
    return [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit + 1);
  });

/** Yields the names of a project's events, by name, with their exact counts; no more at a time than a thousand. */
export async function* seenNames(projectId: string, { limit, after }: PageRequest): AsyncGenerator<Positioned<NameSeen>> {
  const atOnce = Math.min(limit, NAMES_AT_ONCE);
  for (let from = after; ;) {
    const names = await namesBeyond(projectId, { limit: atOnce, after: from });
    const goesOn = names.length > atOnce && limit > atOnce;
    const positioned = (goesOn ? names.slice(0, atOnce) : names).map((row) => ({ row, position: positionAt(row.name) }));
    yield* positioned;
    if (!goesOn) return;
    from = positioned.at(-1)?.position ?? null;
  }
}

/** Resolves to how often a name came, exactly. */
export const countOfName = (projectId: string, name: string): Promise<number> =>
  inTransaction(async (session) => {
    const row = await NameTallyModel.collection.findOne<NameTally>({ _id: tallyId(projectId, name), projectId }, { session });
    const recent = await untallied(session, projectId, name);
    return recent.reduce((sum, { count }) => sum + count, row?.count ?? 0);
  });

/**
 * Takes events of one name out of the counts, in the transaction that deletes them. The row is written also when none of them was counted in yet: else
 * a count under way would not notice that they are gone.
 */
export async function uncount(
  session: ClientSession,
  projectId: string,
  name: string,
  events: readonly Pick<Event, 'receivedAt'>[],
): Promise<void> {
  const upTo = await talliedUpTo(session);
  const counted = events.filter(({ receivedAt }) => receivedAt <= upTo).length;
  await NameTallyModel.collection.updateOne(
    { _id: tallyId(projectId, name), projectId },
    { $setOnInsert: { name, lastSeenAt: BEGINNING }, $inc: { count: 0 - counted, changes: 1 } },
    { session, upsert: true },
  );
}
