import type { ClientSession } from 'mongoose';
import { shardOf } from '../../contracts/delivery';
import { sameRows } from '../../platform/mongo';
import { contentsBeingSent, idsBeingSent } from './claims';
import type { VariantResult } from '../../rules/ab-test';
import type { RolloutCounts } from '../../rules/rollout';
import { EmailModel } from './model';
import { CAMPAIGN_INDEX, DUE_INDEX, OPEN_INDEX } from './indexes';
import type { Email } from './model';
import type { Attempt } from './parts';
import { OUTCOMES, times } from './outcome-counts';
import { findMail, projectionOf } from './row';

const emails = () => EmailModel.collection;
/** Messages that one command changes. */
const REQUEUED = 1_000;
const SNAPSHOT = { readConcern: { level: 'snapshot' } } as const;

const SAID = ['openedAt', 'clickedAt', 'bouncedAt', 'complainedAt', 'unsubscribedAt', 'sentAt', 'dueAt', 'bounceType', 'testMode'] as const;

/** Members that recipient lists, decisions and certificates use. Members that are not set are absent. */
export type CampaignMessage = Pick<Email, '_id' | 'status' | 'attempts' | 'contentId'> &
  Partial<Pick<Email, (typeof SAID)[number]>> & { readonly attempt?: Pick<Attempt, 'at'> };

const FACTS = projectionOf(['status', 'attempts', 'contentId', ...SAID, 'attempt.at', 'attempt.lost']);

/** Messages that have not been tried may still be stopped. */
const UNTRIED = ['queued', 'sending', 'cancelled'] as const;

/** Returns whether the first attempt was made: then the recipient counts as sent. */
export const wasTried = ({ status, attempts }: Pick<Email, 'status' | 'attempts'>): boolean =>
  attempts > 0 || !(UNTRIED as readonly string[]).includes(status);

/** Finds a campaign's messages that are there or are being sent, by id. Claims are read first: one that ends meanwhile has left its rows. */
export async function campaignMessages(
  projectId: string,
  campaignId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CampaignMessage>> {
  if (ids.length === 0) return new Map();
  const claimed = await contentsBeingSent(campaignId);
  const found = await messageFacts(projectId, ids);
  return new Map([
    ...[...claimed].map(([_id, contentId]): [string, CampaignMessage] => [_id, { _id, status: 'sending', attempts: 1, contentId }]),
    ...found,
  ]);
}

/** Finds the outcomes of messages that have rows, by id. */
export async function messageFacts(projectId: string, ids: readonly string[]): Promise<ReadonlyMap<string, CampaignMessage>> {
  if (ids.length === 0) return new Map();
  const rows = await emails()
    .find<CampaignMessage>({ _id: { $in: [...ids] }, projectId }, { projection: FACTS })
    .toArray();
  return new Map(rows.map((message) => [message._id, message]));
}

const COUNTED = ['delivered', 'opened', 'clicked', 'bounced', 'complained', 'unsubscribed', 'proxied', 'scanned'] as const;

type Counts = Readonly<Record<(typeof COUNTED)[number] | 'tried' | 'proxiedOpened', number>>;

export interface CampaignCounts extends Counts {
  /** Results of each content, by which variants are counted; test mail does not count. */
  readonly byContent: ReadonlyMap<string, VariantResult>;
}

const TRIED = { $or: [{ $gt: ['$attempts', 0] }, { $not: [{ $in: ['$status', [...UNTRIED]] }] }] };

// Test mail was tried, and counts in nothing else. A bounced message is not counted as delivered any more.
const counted = (condition: object) => times({ $and: [{ $ne: ['$testMode', true] }, condition] });

/** Counts a campaign's messages again, in a session that reads as of one instant. */
export async function countCampaignMessages(session: ClientSession, projectId: string, campaignId: string): Promise<CampaignCounts> {
  const rows = await emails()
    .aggregate<Counts & { readonly _id: string | null; readonly sent: number }>(
      [
        { $match: { projectId, campaignId } },
        {
          $group: {
            _id: '$contentId',
            tried: times(TRIED),
            sent: counted(TRIED),
            proxiedOpened: counted({ $and: [OUTCOMES.proxied, OUTCOMES.opened] }),
            ...Object.fromEntries(COUNTED.map((name) => [name, counted(OUTCOMES[name])])),
          },
        },
      ],
      { session, ...SNAPSHOT, hint: CAMPAIGN_INDEX },
    )
    .toArray();
  const names = [...COUNTED, 'tried', 'proxiedOpened'] as const;
  const counts = Object.fromEntries(names.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)])) as unknown as Counts;
  const byContent = new Map(rows.map(({ _id, sent, opened, clicked }) => [String(_id), { sent, opened, clicked }]));
  return { ...counts, tried: counts.tried + (await countBeingSent(projectId, campaignId, session)), byContent };
}

/** Counts what went wrong with the live messages of a campaign so far. */
export async function countTrouble(projectId: string, campaignId: string): Promise<RolloutCounts> {
  const isRefused = { $eq: ['$bounceType', 'block'] };
  const [counts] = await emails()
    .aggregate<RolloutCounts>(
      [
        { $match: { projectId, campaignId } },
        {
          $group: {
            _id: null,
            sent: counted(TRIED),
            bounced: counted({ $and: [OUTCOMES.bounced, { $not: [isRefused] }] }),
            refused: counted({ $and: [OUTCOMES.bounced, isRefused] }),
            complained: counted(OUTCOMES.complained),
            failed: counted(OUTCOMES.failed),
          },
        },
        { $project: { _id: 0 } },
      ],
      { hint: CAMPAIGN_INDEX },
    )
    .toArray();
  return counts ?? { sent: 0, bounced: 0, refused: 0, complained: 0, failed: 0 };
}

/** Counts messages that are being sent and have no row yet. */
async function countBeingSent(projectId: string, campaignId: string, session?: ClientSession): Promise<number> {
  const ids = await idsBeingSent(campaignId, session);
  if (ids.length === 0) return 0;
  return (
    ids.length -
    (await emails().countDocuments({ _id: { $in: [...ids] }, projectId }, { hint: '_id_', ...(session && { session, ...SNAPSHOT }) }))
  );
}

/** Resolves to how many of a campaign's messages were tried so far: its rows are written after their first attempt. Claims are read first, as above. */
export async function countTried(projectId: string, campaignId: string): Promise<number> {
  const beingSent = await countBeingSent(projectId, campaignId);
  return beingSent + (await emails().countDocuments({ projectId, campaignId }, { hint: CAMPAIGN_INDEX }));
}

/** Counts messages of a campaign that failed for good, or that wait for another attempt. */
export const countOpen = (campaignId: string, status: 'failed' | 'queued'): Promise<number> =>
  emails().countDocuments({ campaignId, status }, { hint: OPEN_INDEX });

/**
 * Puts failed messages of a campaign back into the queue for `at`, each with as many retries as are left after a first attempt. Resolves to how many; a
 * repeated call does the rest.
 */
export async function requeueFailed(projectId: string, campaignId: string, at: Date): Promise<number> {
  let requeued = 0;
  for (;;) {
    const failed = emails().find(
      { campaignId, projectId, status: 'failed' },
      { projection: { _id: 1 }, hint: OPEN_INDEX, limit: REQUEUED },
    );
    const ids = (await failed.toArray()).map(({ _id }) => _id);
    const $set = { status: 'queued' as const, dueAt: at, attempts: 1 };
    const { modifiedCount } = await emails().updateMany({ _id: { $in: ids }, projectId, status: 'failed' }, { $set }, { hint: '_id_' });
    requeued += modifiedCount;
    if (ids.length < REQUEUED) return requeued;
  }
}

/** Finds some messages of a campaign that wait for another attempt. */
export function waitingOfCampaign(session: ClientSession, projectId: string, campaignId: string, limit: number): Promise<Email[]> {
  const waiting = { shard: shardOf(projectId), projectId, dueAt: { $exists: true }, campaignId, status: 'queued' };
  return findMail(waiting, { session, hint: DUE_INDEX, limit });
}

/** Stops messages that the transaction has read as waiting. */
export async function withdrawAll(session: ClientSession, waiting: readonly Email[], error: string): Promise<void> {
  await emails().updateMany(
    { ...sameRows(waiting), status: 'queued' },
    { $set: { status: 'cancelled', error }, $unset: { dueAt: '' } },
    { session, hint: '_id_' },
  );
}

/** A campaign of a project. */
interface OfCampaign {
  readonly projectId: string;
  readonly campaignId: string;
}

/** The reason that `GET /v1/emails/{id}` shows for a message whose campaign is paused with its retries. */
const HELD = 'Waits until the campaign is resumed';

/** Defers the retries of a campaign that are due before an instant. A message that is found due, and not claimed, is not claimed any more. */
export async function holdRetries(of: OfCampaign, dueBefore: Date, until: Date): Promise<void> {
  const waiting = { ...of, status: 'queued', dueAt: { $lte: dueBefore } };
  await emails().updateMany(waiting, { $set: { dueAt: until, error: HELD } }, { hint: OPEN_INDEX });
}

/** Ends the wait of the retries that were held: they are due. Resolves to whether there are any. */
export async function releaseRetries(of: OfCampaign, at: Date): Promise<boolean> {
  const held = { ...of, status: 'queued', error: HELD };
  const { modifiedCount } = await emails().updateMany(held, { $set: { dueAt: at, error: null } }, { hint: OPEN_INDEX });
  return modifiedCount > 0;
}
