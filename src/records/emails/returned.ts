import type { ClientSession } from 'mongoose';
import { claimsWith } from './claims';
import { EmailModel } from './model';
import type { BounceType, Email, EmailStatus } from './model';
import { toEmail } from './row';
import type { EmailRow } from './row';

type EmailKey = Pick<Email, '_id' | 'projectId'>;

/** The next server has taken them. */
const SENT: readonly EmailStatus[] = ['sent', 'delivered', 'opened', 'clicked'];

const emails = () => EmailModel.collection;

async function change(session: ClientSession, filter: object, update: object): Promise<Email | null> {
  const options = { session, returnDocument: 'before' as const, hint: { _id: 1 } };
  const before = (await emails().findOneAndUpdate({ testMode: false, ...filter }, update, options)) as unknown as EmailRow | null;
  return before && toEmail(before);
}

/** A refusal that came by mail, after the message had been accepted. */
export interface LateBounce {
  readonly bounceType: BounceType;
  readonly error: string;
  readonly at: Date;
}

/** Marks a live message that was sent at `since` or later as bounced, and delivered no more. Resolves to it as it was, or null when that changes nothing. */
export const markBounced = (
  session: ClientSession,
  { _id, projectId }: EmailKey,
  since: Date,
  { bounceType, error, at }: LateBounce,
): Promise<Email | null> =>
  change(
    session,
    { _id, projectId, status: { $in: SENT }, sentAt: { $gte: since } },
    { $set: { status: 'bounced', bouncedAt: at, bounceType, error }, $unset: { deliveredAt: '' } },
  );

/** Marks a live message that was sent at `since` or later as delivered to the recipient's mail system. Resolves to it as it was, or null when that was known. */
export const markDelivered = (session: ClientSession, { _id, projectId }: EmailKey, since: Date, at: Date): Promise<Email | null> =>
  change(session, { _id, projectId, status: { $in: SENT }, sentAt: { $gte: since }, deliveredAt: null }, [
    { $set: { deliveredAt: at, status: { $cond: [{ $eq: ['$status', 'sent'] }, 'delivered', '$status'] } } },
  ]);

/** Marks a live message as reported by its recipient. Resolves to it as it was, or null when that was known. */
export const markComplained = (session: ClientSession, { _id, projectId }: EmailKey, at: Date): Promise<Email | null> =>
  change(
    session,
    { _id, projectId, status: { $in: [...SENT, 'bounced'] }, complainedAt: null },
    { $set: { status: 'complained', complainedAt: at } },
  );

/** Resolves to whether the outcome of a message is still to be recorded. */
export const isUnsettled = async ({ _id, projectId }: EmailKey): Promise<boolean> =>
  (await claimsWith([_id])).length > 0 ||
  (await emails().countDocuments(
    { _id, projectId, status: { $in: ['queued', 'sending'] }, attempts: { $gt: 0 } },
    { limit: 1, hint: '_id_' },
  )) > 0;
