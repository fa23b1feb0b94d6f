import type { ClientSession } from 'mongoose';
import { emailEventId } from '../../rules/email-events';
import type { EmailEventName } from '../../rules/email-events';
import { EventGroupModel } from './group-model';
import type { EventGroup } from './group-model';
import { EventModel } from './model';
import type { Event } from './model';
import { sliceOfDelivered } from './slices';

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
  if (alone) return alone.createdAt;
  const slice = await sliceOfDelivered(projectId, emailId);
  if (slice === null) return null;
  const group = (await EventGroupModel.collection.findOneAndUpdate(
    { _id: slice, projectId },
    { $addToSet: { undone: emailId } },
    { session, hint: { _id: 1 } },
  )) as unknown as EventGroup | null;
  return group && group.createdAt;
}
