import type { ClientSession } from 'mongoose';
import { undoRowEvents } from '../emails';
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
 * or null if the event does not exist.
 */
export async function undoDelivered(session: ClientSession, { projectId, emailId }: MailKey): Promise<Date | null> {
  const alone = (await EventModel.collection.findOneAndUpdate(
    { _id: emailEventId(emailId, 'email.delivered'), projectId },
    { $set: { undone: true } },
    { session, hint: { _id: 1 } },
  )) as unknown as Event | null;
  return alone ? alone.createdAt : undoRowEvents(session, { _id: emailId, projectId });
}

/** An event of a visit that says something else from now on. */
export interface Rejudged {
  readonly id: string;
  readonly projectId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Changes what events of visits say of who came, and whether it was the first. The event of a machine is handed on no more, as far as it was not yet; who got it keeps it as
 * it was.
 */
export async function rejudge(session: ClientSession, events: readonly Rejudged[]): Promise<void> {
  if (events.length === 0) return;
  const writes = events.map(({ id, projectId, data }) => ({
    updateOne: {
      filter: { _id: id, projectId },
      update: {
        $set: Object.fromEntries(Object.entries(data).map(([name, value]) => [`data.${name}`, value])),
        ...(data['machine'] === true && { $unset: { fanOut: '', fanOutAt: '', fanOutVersion: '', fanOutTries: '' } }),
      },
      hint: '_id_',
    },
  }));
  await EventModel.collection.bulkWrite(writes, { session, ordered: false });
}
