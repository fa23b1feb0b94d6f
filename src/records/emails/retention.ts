import type { AnyBulkWriteOperation, Document } from 'mongodb';
import { DELIVERY_SHARDS } from '../../contracts/delivery';
import { removePage, sameRows } from '../../platform/mongo';
import { BlobModel, ContentModel } from './content-model';
import type { Content } from './content-model';
import { HeldMailModel } from './held';
import { EmailModel, PRIORITY_OF } from './model';
import { recordedAfter } from './history';
import { AGE_INDEX, DUE_INDEX } from './indexes';
import type { Email } from './model';

const OPEN = ['queued', 'sending'] as const;
const DAY_MS = 86_400_000;

const emails = () => EmailModel.collection;

/** Until when things are kept, as of one instant. */
export interface Ages {
  readonly now: Date;
  /** Older rows are removed. */
  readonly rows: Date;
  /** Older rows lose their content. */
  readonly contents: Date;
  /** Number of days that contents are kept. */
  readonly contentDays: number;
}

// A message that was scheduled is as old as the time at which it was to go out.
const isOver = (before: Date) => ({ status: { $nin: [...OPEN] }, scheduledFor: { $not: { $gte: before } } });

/** Old mail that is still to be counted. */
export interface Uncounted {
  /** Events that were recorded after this, by name and hour. */
  readonly after: Date;
  /** Messages of these campaigns. */
  readonly campaigns: readonly string[];
}

/** Deletes a page of a project's messages that are over, except what is still to be counted. */
export const removeOldEmails = (projectId: string, before: Date, { after, campaigns }: Uncounted, limit: number): Promise<number> =>
  removePage(
    EmailModel,
    {
      projectId,
      createdAt: { $lt: before },
      ...isOver(before),
      $nor: recordedAfter(after),
      ...(campaigns.length > 0 && { campaignId: { $nin: [...campaigns] } }),
    },
    limit,
    AGE_INDEX,
  );

type Aged = Pick<Email, '_id' | 'projectId' | 'status' | 'createdAt'> &
  Partial<Pick<Email, 'contentId' | 'scheduledFor' | 'erased' | 'content'>>;

const AGED = { projectId: 1, status: 1, createdAt: 1, contentId: 1, scheduledFor: 1, erased: 1, content: 1 } as const;

/** Progress of the removal of a project's contents. */
export interface Reached {
  readonly at: Date;
  readonly id: string;
}

/**
 * Removes the contents of a page of a project's messages, from a position on. Those that are not over, or were to go out later, are marked to be checked again.
 * Resolves to the position after the page, or null at the end.
 */
export async function forgetOldContents(projectId: string, ages: Ages, from: Reached, limit: number): Promise<Reached | null> {
  const rows = await emails()
    .find<Aged>(
      {
        projectId,
        createdAt: { $gte: from.at, $lt: ages.contents },
        $or: [{ createdAt: { $gt: from.at } }, { _id: { $gt: from.id } }],
      },
      { projection: AGED, sort: { createdAt: 1, _id: 1 }, limit, hint: AGE_INDEX },
    )
    .toArray();
  await removeOrMark(rows, ages);
  const last = rows.at(-1);
  return last ? { at: last.createdAt, id: last._id } : null;
}

/** Removes contents of a page of a project's marked messages. Resolves to how many. */
export async function forgetLateContents(projectId: string, ages: Ages, limit: number): Promise<number> {
  const rows = await emails()
    .find<Aged>({ projectId, contentCheckAt: { $lte: ages.now } }, { projection: AGED, limit })
    .toArray();
  await removeOrMark(rows, ages);
  return rows.length;
}

async function removeOrMark(rows: readonly Aged[], ages: Ages): Promise<void> {
  const [said, waiting] = [rows.filter((row) => isOverBy(row, ages.contents)), rows.filter((row) => !isOverBy(row, ages.contents))];
  const subjects = await subjectsOf(said);
  const writes = [
    ...[...subjects].map(([contentId, subject]) =>
      forgetting(
        said.filter((row) => (row.contentId ?? '') === contentId),
        subject,
      ),
    ),
    ...waiting.map((row) => marking(row, ages)),
  ];
  if (writes.length > 0) await emails().bulkWrite(writes, { ordered: false });
}

const hasNothing = ({ erased, content }: Aged): boolean => erased === true || content === 'gone';

const isOverBy = (row: Aged, before: Date): boolean =>
  !hasNothing(row) && !(OPEN as readonly string[]).includes(row.status) && (row.scheduledFor ?? row.createdAt) < before;

const forgetting = (rows: readonly Aged[], subject: string | null): AnyBulkWriteOperation => ({
  updateMany: { filter: { ...sameRows(rows), status: { $nin: [...OPEN] } } as Document, update: forget(subject), hint: '_id_' },
});

const marking = (row: Aged, ages: Ages): AnyBulkWriteOperation => ({
  updateOne: {
    filter: { _id: row._id as never, projectId: row.projectId },
    update: hasNothing(row) ? { $unset: { contentCheckAt: '' } } : { $set: { contentCheckAt: nextCheckAt(row, ages) } },
    hint: '_id_',
  },
});

const nextCheckAt = ({ scheduledFor }: Aged, { now, contentDays }: Ages): Date =>
  new Date(Math.max(now.getTime() + DAY_MS, (scheduledFor?.getTime() ?? 0) + contentDays * DAY_MS));

/** Resolves to the subjects that are in shared contents, by content; null where it is in the message itself, or the content is gone. */
async function subjectsOf(rows: readonly Aged[]): Promise<ReadonlyMap<string, string | null>> {
  const ids = [...new Set(rows.map(({ contentId }) => contentId ?? ''))];
  const contents = await ContentModel.find({ _id: { $in: ids } }, { subject: 1 }).lean<Pick<Content, '_id' | 'subject'>[]>();
  const found = new Map(contents.map(({ _id, subject }) => [_id, subject]));
  return new Map(ids.map((id) => [id, found.get(id) ?? null]));
}

/** Restores the subject template; the rendered values are removed. */
const forget = (written: string | null): Document[] => [
  {
    $set: {
      subject: written === null ? { $ifNull: ['$inline.subject', '$subject'] } : { $literal: written },
      values: '{}',
      content: 'gone',
      attachments: {
        $cond: [
          { $isArray: '$attachments' },
          {
            $map: {
              input: { $filter: { input: '$attachments', cond: { $not: ['$$this.given'] } } },
              as: 'each',
              in: { filename: '$$each.filename', contentType: '$$each.contentType', size: '$$each.size', blobId: null },
            },
          },
          '$$REMOVE',
        ],
      },
    },
  },
  { $unset: ['inline', 'contentId', 'headers', 'contentCheckAt'] },
];

/** Time limit for the search for old messages that wait: if it takes longer, some may exist. */
const CHECK_MS = 5_000;

/** Resolves to whether a project has messages that were accepted before an instant and are not over: they need what they are made of. `until` lies behind all retries. */
async function hasOpenMail(projectId: string, before: Date, until: Date): Promise<boolean> {
  const shards = Array.from({ length: DELIVERY_SHARDS }, (_, shard) => shard);
  const waiting = {
    shard: { $in: shards },
    projectId,
    priority: { $in: Object.values(PRIORITY_OF) },
    dueAt: { $lte: until },
    createdAt: { $lt: before },
  };
  const onTheWire = { 'attempt.worker': { $gt: '' }, status: 'sending', projectId, createdAt: { $lt: before } };
  const options = { projection: { _id: 1 }, maxTimeMS: CHECK_MS } as const;
  // What is held after a restore is due at no time.
  const isHeld = await HeldMailModel.collection.findOne({ projectId }, options);
  return (
    isHeld !== null ||
    (await emails().findOne(waiting, { ...options, hint: DUE_INDEX })) !== null ||
    (await emails().findOne(onTheWire, options)) !== null
  );
}

/** Additional time for contents beyond the messages that have them: their use is noted once in an hour. */
const SLACK_MS = DAY_MS;

/**
 * Deletes a page of the contents and attachments that no message of a project has used for this long, except `inUse` ones. Deletes none
 * while old messages wait. Resolves to the number deleted.
 */
export async function removeUnneeded(
  projectId: string,
  { now, contents }: Ages,
  retryMs: number,
  limit: number,
  inUse: (ids: readonly string[]) => Promise<readonly string[]>,
): Promise<number> {
  const before = new Date(contents.getTime() - SLACK_MS);
  let removed = 0;
  for (const { collection } of [ContentModel, BlobModel]) {
    const old = { projectId, neededAt: { $lt: before } };
    const ids = (await collection.find(old, { projection: { _id: 1 }, limit }).toArray()).map(({ _id }) => _id);
    if (ids.length === 0 || (await hasOpenMail(projectId, before, new Date(now.getTime() + retryMs + DAY_MS)))) continue;
    const used = await inUse(ids);
    await collection.updateMany({ _id: { $in: used } }, { $max: { neededAt: now } });
    removed += (await collection.deleteMany({ ...old, _id: { $in: ids } })).deletedCount;
  }
  return removed;
}
