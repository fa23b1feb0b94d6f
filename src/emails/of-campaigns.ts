import type { ClientSession } from 'mongoose';
import { shardOf } from '../contracts/delivery';
import { idsBeingSent } from './claims';
import { DUE_INDEX, EmailModel } from './model';
import type { Email } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';

const emails = () => EmailModel.collection;
const SNAPSHOT = { readConcern: { level: 'snapshot' } } as const;

/** What a campaign's recipient lists and decisions go by. Members that are not set are absent. */
export type CampaignMessage = Pick<Email, '_id' | 'status' | 'attempts'> &
  Partial<Pick<Email, 'openedAt' | 'clickedAt' | 'bouncedAt' | 'complainedAt' | 'unsubscribedAt'>>;

const FACTS = { status: 1, attempts: 1, openedAt: 1, clickedAt: 1, bouncedAt: 1, complainedAt: 1, unsubscribedAt: 1 } as const;

/** Messages that have not been tried may still be stopped. */
const UNTRIED = ['queued', 'sending', 'cancelled'] as const;

/** A recipient is sent once the first attempt was made. */
export const wasTried = ({ status, attempts }: Pick<Email, 'status' | 'attempts'>): boolean =>
  attempts > 0 || !(UNTRIED as readonly string[]).includes(status);

/** Those of a campaign's messages that are there or are being sent, by id. Claims are read first: one that ends meanwhile has left its rows. */
export async function campaignMessages(
  projectId: string,
  campaignId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CampaignMessage>> {
  if (ids.length === 0) return new Map();
  const claimed = await idsBeingSent(campaignId);
  const found = await emails()
    .find<CampaignMessage>({ _id: { $in: [...ids] as never[] }, projectId }, { projection: FACTS })
    .toArray();
  return new Map([
    ...claimed.map((_id): [string, CampaignMessage] => [_id, { _id, status: 'sending', attempts: 1 }]),
    ...found.map((message): [string, CampaignMessage] => [message._id, message]),
  ]);
}

export type CampaignCounts = Readonly<
  Record<'tried' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed', number>
>;

const happened = (member: string) => ({ $gt: [`$${member}`, null] });

/** Test mail was tried, and counts in nothing else. A bounced message is not counted as delivered any more. */
const counted = (condition: object) => ({ $sum: { $cond: [{ $and: [{ $ne: ['$testMode', true] }, condition] }, 1, 0] } });

/** Counts a campaign's messages anew, in a session that reads as of one instant. */
export async function countCampaignMessages(session: ClientSession, projectId: string, campaignId: string): Promise<CampaignCounts> {
  const [row] = await emails()
    .aggregate<CampaignCounts>(
      [
        { $match: { projectId, campaignId } },
        {
          $group: {
            _id: null,
            tried: { $sum: { $cond: [{ $or: [{ $gt: ['$attempts', 0] }, { $not: [{ $in: ['$status', [...UNTRIED]] }] }] }, 1, 0] } },
            delivered: counted({ $and: [happened('deliveredAt'), { $not: [happened('bouncedAt')] }] }),
            opened: counted(happened('openedAt')),
            clicked: counted(happened('clickedAt')),
            bounced: counted(happened('bouncedAt')),
            complained: counted(happened('complainedAt')),
            unsubscribed: counted(happened('unsubscribedAt')),
          },
        },
        { $project: { _id: 0 } },
      ],
      { session, ...SNAPSHOT },
    )
    .toArray();
  const counts = row ?? { tried: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0 };
  return { ...counts, tried: counts.tried + (await countBeingSent(session, campaignId)) };
}

/** Messages that are being sent and have no row yet. */
async function countBeingSent(session: ClientSession, campaignId: string): Promise<number> {
  const ids = await idsBeingSent(campaignId, session);
  if (ids.length === 0) return 0;
  return ids.length - (await emails().countDocuments({ _id: { $in: [...ids] as never[] } }, { session, ...SNAPSHOT }));
}

/** Messages of a campaign that wait for another attempt, some of them. */
export const waitingOfCampaign = async (session: ClientSession, projectId: string, campaignId: string, limit: number): Promise<Email[]> => {
  const rows = await emails()
    .find<EmailRow>({ shard: shardOf(projectId), projectId, dueAt: { $exists: true }, campaignId, status: 'queued' } as never, {
      session,
      hint: DUE_INDEX,
      limit,
    })
    .toArray();
  return rows.map(toEmail);
};

/** Stops messages that the transaction has read as waiting. */
export async function withdrawAll(session: ClientSession, ids: readonly string[], error: string): Promise<void> {
  await emails().updateMany(
    { _id: { $in: [...ids] as never[] }, status: 'queued' },
    { $set: { status: 'cancelled', error }, $unset: { dueAt: '' } },
    { session },
  );
}
