import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import { hook } from '../../platform/hooks';
import { countWaitingFrom } from '../../records/emails';
import type { Email } from '../../records/emails';

/** Names what of a room sends from a domain, or is about to, or null; the answer is named by the kind of thing that it is (“campaign”). */
export const domainUsers =
  hook<(session: ClientSession, projectId: string, domain: string) => Promise<string | null>>('what sends from a domain');

/** Cancels up to `most` messages that wait to be sent from a domain. Resolves to them. */
export const cancelWaiting = hook<(session: ClientSession, projectId: string, domain: string, most: number) => Promise<readonly Email[]>>(
  'how mail from a domain is cancelled',
);

/** Throws 409 `in_use` while something is about to send from the domain, or is sending. */
export async function refuseWhileUsed(session: ClientSession, projectId: string, domain: string): Promise<void> {
  for (const [kind, ask] of domainUsers.named) {
    const name = await ask(session, projectId, domain);
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” sends from this domain`);
  }
}

/** Throws 409 `in_use` while messages wait to be sent from the domain. */
export async function refuseWhileWaiting(session: ClientSession, projectId: string, domain: string): Promise<void> {
  const waiting = await countWaitingFrom(session, projectId, domain);
  if (waiting === 0) return;
  const messages = waiting === 1 ? '1 message waits' : `${waiting} messages wait`;
  throw new AppError('in_use', `${messages} to be sent from this domain; to cancel what waits, add ?cancelWaiting=true`);
}
