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
import { toEmail } from './row';
import type { EmailRow } from './row';

const emails = () => EmailModel.collection;
/** Messages that one command changes. */
const REQUEUED = 1_000;
const SNAPSHOT = { readConcern: { level: 'snapshot' } } as const;

/** Members that recipient lists, decisions and certificates use. Members that are not set are absent. */
export type CampaignMessage = Pick<Email, '_id' | 'status' | 'attempts' | 'contentId'> &
  Partial<
    Pick<Email, 'openedAt' | 'clickedAt' | 'bouncedAt' | 'complainedAt' | 'unsubscribedAt' | 'sentAt' | 'dueAt' | 'bounceType' | 'testMode'>
  > & { readonly attempt?: Pick<Attempt, 'at'> };

const FACTS = {
  status: 1,
  attempts: 1,
  contentId: 1,
  openedAt: 1,
  clickedAt: 1,
  bouncedAt: 1,
  complainedAt: 1,
  unsubscribedAt: 1,
  sentAt: 1,
  dueAt: 1,
  bounceType: 1,
  testMode: 1,
  'attempt.at': 1,
  'attempt.lost': 1,
} as const;

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

const COUNTED = [
  'tried',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'unsubscribed',
  'proxied',
  'proxiedOpened',
  'scanned',
] as const;
type Counts = Readonly<Record<(typeof COUNTED)[number], number>>;

export interface CampaignCounts extends Counts {
  /** Results of each content, by which variants are counted; test mail does not count. */
  readonly byContent: ReadonlyMap<string, VariantResult>;
}

const happened = (member: string) => ({ $gt: [`$${member}`, null] });

const TRIED = { $or: [{ $gt: ['$attempts', 0] }, { $not: [{ $in: ['$status', [...UNTRIED]] }] }] };

// Test mail was tried, and counts in nothing else. A bounced message is not counted as delivered any more.
const counted = (condition: object) => ({ $sum: { $cond: [{ $and: [{ $ne: ['$testMode', true] }, condition] }, 1, 0] } });

/** Counts a campaign's messages again, in a session that reads as of one instant. */
export async function countCampaignMessages(session: ClientSession, projectId: string, campaignId: string): Promise<CampaignCounts> {
  const rows = await emails()
    .aggregate<Counts & { readonly _id: string | null; readonly sent: number }>(
      [
        { $match: { projectId, campaignId } },
        {
          $group: {
            _id: '$contentId',
            tried: { $sum: { $cond: [TRIED, 1, 0] } },
            sent: counted(TRIED),
            delivered: counted({ $and: [happened('deliveredAt'), { $not: [happened('bouncedAt')] }] }),
            opened: counted(happened('openedAt')),
            clicked: counted(happened('clickedAt')),
            bounced: counted(happened('bouncedAt')),
            complained: counted(happened('complainedAt')),
            unsubscribed: counted(happened('unsubscribedAt')),
            proxied: counted(happened('proxiedAt')),
            proxiedOpened: counted({ $and: [happened('proxiedAt'), happened('openedAt')] }),
            scanned: counted(happened('scannedAt')),
          },
        },
      ],
      { session, ...SNAPSHOT, hint: CAMPAIGN_INDEX },
    )
    .toArray();
  const total = (name: (typeof COUNTED)[number]): number => rows.reduce((sum, row) => sum + row[name], 0);
  const counts = Object.fromEntries(COUNTED.map((name) => [name, total(name)])) as unknown as Counts;
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
            bounced: counted({ $and: [happened('bouncedAt'), { $not: [isRefused] }] }),
            refused: counted({ $and: [happened('bouncedAt'), isRefused] }),
            complained: counted(happened('complainedAt')),
            failed: counted({ $eq: ['$status', 'failed'] }),
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
export const waitingOfCampaign = async (session: ClientSession, projectId: string, campaignId: string, limit: number): Promise<Email[]> => {
  const rows = await emails()
    .find<EmailRow>(
      { shard: shardOf(projectId), projectId, dueAt: { $exists: true }, campaignId, status: 'queued' },
      {
        session,
        hint: DUE_INDEX,
        limit,
      },
    )
    .toArray();
  return rows.map(toEmail);
};

/** Stops messages that the transaction has read as waiting. */
export async function withdrawAll(session: ClientSession, waiting: readonly Email[], error: string): Promise<void> {
  await emails().updateMany(
    { ...sameRows(waiting), status: 'queued' },
    { $set: { status: 'cancelled', error }, $unset: { dueAt: '' } },
    { session, hint: '_id_' },
  );
}
