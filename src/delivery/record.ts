import type { ClientSession } from 'mongoose';
import { countDeliveries } from '../billing/delivery-counts';
import { refreshReputation } from '../billing/service';
import type { Core } from '../context';
import { settle } from '../emails/ledger';
import type { Email } from '../emails/model';
import { emit } from '../events/emit';
import { inTransaction } from '../mongo/transaction';
import { getProject } from '../projects/service';
import { suppress } from '../suppressions/service';
import type { Outcome } from './outcome';

export interface Finished {
  readonly email: Email;
  readonly attemptId: string;
  readonly outcome: Outcome;
}

/**
 * Writes what became of messages, with its events, suppressions and counts, in one transaction. When one of them is not ours any more (taken over
 * and begun by another), the rest is recorded one by one and that one is left to its new owner.
 */
export async function record(core: Pick<Core, 'log'>, finished: readonly Finished[]): Promise<void> {
  if (await recordTogether(finished)) return afterwards(finished);
  for (const one of finished) {
    if (await recordTogether([one])) await afterwards([one]);
    else core.log.warn({ emailId: one.email._id, attemptId: one.attemptId }, 'The result came after another worker had begun the message');
  }
}

class NotOurs extends Error {}

async function recordTogether(finished: readonly Finished[]): Promise<boolean> {
  try {
    await inTransaction(async (session) => {
      const settled = await settle(
        session,
        finished.map(({ email, attemptId, outcome }) => ({ email, attemptId, set: outcome.set })),
      );
      if (!settled) throw new NotOurs();
      await emit(
        session,
        finished.flatMap(({ outcome }) => outcome.events),
      );
      await suppressHardBounces(session, finished);
      await countDeliveries(session, finished.flatMap(countOf));
    });
    return true;
  } catch (error) {
    if (error instanceof NotOurs) return false;
    throw error;
  }
}

async function suppressHardBounces(session: ClientSession, finished: readonly Finished[]): Promise<void> {
  for (const { email, outcome } of finished) {
    if (!outcome.hardBounce) continue;
    const project = await getProject(email.projectId);
    await suppress(session, project, { email: email.to, reason: 'hard_bounce', source: 'smtp', at: new Date() });
  }
}

/** Live mail that met a transport counts in the project's reputation. */
function countOf({ email, outcome }: Finished): { projectId: string; sent: number; bounced: number }[] {
  if (!outcome.accepted && !outcome.hardBounce) return [];
  return [{ projectId: email.projectId, sent: 1, bounced: outcome.hardBounce ? 1 : 0 }];
}

/** A bounce may change the project's reputation. */
async function afterwards(finished: readonly Finished[]): Promise<void> {
  const projects = new Set(finished.filter(({ outcome }) => outcome.hardBounce).map(({ email }) => email.projectId));
  for (const projectId of projects) await refreshReputation(projectId, new Date());
}
