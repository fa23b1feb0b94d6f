import type { ClientSession } from 'mongoose';
import { AppError } from '../../platform/core';
import { hook } from '../../platform/hooks';

/** Names what of a room sends from a domain, or is about to, or null; the answer is named by the kind of thing that it is (“campaign”). */
export const domainUsers =
  hook<(session: ClientSession, projectId: string, domain: string) => Promise<string | null>>('what sends from a domain');

/** Throws 409 `in_use` while something is about to send from the domain, or is sending. */
export async function refuseWhileUsed(session: ClientSession, projectId: string, domain: string): Promise<void> {
  for (const [kind, ask] of domainUsers.named) {
    const name = await ask(session, projectId, domain);
    if (name !== null) throw new AppError('in_use', `The ${kind} “${name}” sends from this domain`);
  }
}
