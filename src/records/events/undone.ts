import type { ClientSession } from 'mongoose';
import { undoHeld } from '../emails';
import { emailEventId } from '../../rules/email-events';
import type { EmailEventName } from '../../rules/email-events';
import { EventModel } from './model';
import type { Event } from './model';

interface MailKey {
  readonly projectId: string;
  readonly emailId: string;
}

/** Resolves to whether a message has an event of this name, including one from a worker whose record was lost. */
export const isEmitted = async (session: ClientSession, { projectId, emailId }: MailKey, name: EmailEventName): Promise<boolean> =>
  (await EventModel.collection.countDocuments({ _id: emailEventId(emailId, name), projectId }, { session, limit: 1, hint: '_id_' })) > 0;

/**
 * Marks an `email.delivered` event as undone: the event stays, and counts no more. Resolves to the instant for which it was counted,
 * or null when there was no such event.
 */
export async function undoDelivered(session: ClientSession, { projectId, emailId }: MailKey): Promise<Date | null> {
  const alone = (await EventModel.collection.findOneAndUpdate(
    { _id: emailEventId(emailId, 'email.delivered'), projectId },
    { $set: { undone: true } },
    { session, hint: { _id: 1 } },
  )) as unknown as Event | null;
  return alone ? alone.createdAt : undoHeld(session, { _id: emailId, projectId });
}
