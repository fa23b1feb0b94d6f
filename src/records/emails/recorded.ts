import type { Event } from '../events';
import { databaseNow } from '../../platform/mongo';
import { EmailModel } from './model';

const WAITS_MS = [5, 10, 20, 40, 80, 160, 320, 640] as const;
/** After this long, the worker that emitted the event will not record it in the ledger any more. */
const GIVEN_UP_MS = 5 * 60_000;

const STATUS_EVENT = /^email\.(sent|delivered|opened|clicked|bounced|complained|failed)$/;

/** Returns what an event says that a message became; null for one that says nothing of the kind. */
export const statusOfEvent = (eventName: string): string | null => STATUS_EVENT.exec(eventName)?.[1] ?? null;

/**
 * Waits until the ledger holds what an event says of its message: events are emitted a moment before. Throws when it takes longer than a second; what is not
 * there after five minutes is not waited for.
 */
export async function untilRecorded({ projectId, name, emailId, receivedAt }: Event): Promise<void> {
  const status = statusOfEvent(name);
  if (status === null || emailId === null) return;
  for (const waitMs of WAITS_MS) {
    if (await isRecorded(projectId, emailId, status)) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  const age = (await databaseNow()).getTime() - receivedAt.getTime();
  if (age < GIVEN_UP_MS) throw new Error(`The ledger does not hold yet that ${emailId} was ${status}`);
}

/** Resolves to whether the ledger has the status, or the message is gone. */
async function isRecorded(projectId: string, emailId: string, status: string): Promise<boolean> {
  const at = `${status}At`;
  const email = await EmailModel.collection.findOne({ _id: emailId, projectId }, { projection: { status: 1, scannedAt: 1, [at]: 1 } });
  if (email === null) return true;
  // What turned out to be a machine's was there, and is taken back.
  if (isOfReaders(status) && email['scannedAt'] instanceof Date) return true;
  return status === 'failed' ? email['status'] === status : email[at] instanceof Date;
}

const isOfReaders = (status: string): boolean => status === 'opened' || status === 'clicked';
