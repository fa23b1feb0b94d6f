import type { ClientSession } from 'mongoose';
import { addUsage } from '../../records/billing';
import type { Context, Core } from '../../platform/core';
import { invalidState, notFound } from '../../platform/core';
import { emit } from '../../records/events';
import { perDatabase, together } from '../../platform/mongo';
import { startNow, want } from '../../platform/outbox';
import { findEmails, findWaitingFrom, forgetContents, isScheduled, markCancelled, minutesLeft } from '../../records/emails';
import type { Email } from '../../records/emails';

interface Cancellation {
  readonly projectId: string;
  readonly id: string;
}

type Outcome = { readonly cancelled: Email } | { readonly refused: Error };

/**
 * Cancels a scheduled message that no worker has claimed: from then on it is never sent, and its charge is given back to its month.
 * Throws `not_found`, and `invalid_state` for any other message.
 */
export async function cancelEmail(ctx: Context, id: string): Promise<void> {
  const { projectId } = ctx;
  const outcome = await cancelTogether()([`usage/${projectId}`], { projectId, id });
  if ('refused' in outcome) throw outcome.refused;
  startNow(ctx.core, minutesLeft([outcome.cancelled]));
}

/** Cancels the scheduled messages of a person who is being erased, as far as they still wait. Resolves to how many it cancelled. */
export async function cancelScheduled(core: Core, projectId: string, ids: readonly string[]): Promise<number> {
  const outcomes = await Promise.all(ids.map((id) => cancelTogether()([`usage/${projectId}`], { projectId, id })));
  const cancelled = outcomes.flatMap((outcome) => ('cancelled' in outcome ? [outcome.cancelled] : []));
  startNow(core, minutesLeft(cancelled));
  return cancelled.length;
}

/** Cancels up to `most` messages that wait to be sent from a domain that is being removed. Resolves to them. */
export async function cancelWaitingFrom(
  session: ClientSession,
  projectId: string,
  domain: string,
  most: number,
): Promise<readonly Email[]> {
  const emails = await findWaitingFrom(session, projectId, domain, most);
  await cancelAll(session, emails, 'domain_removed');
  return emails;
}

const cancelTogether = perDatabase(() =>
  together(async (session, cancellations: readonly Cancellation[]): Promise<readonly Outcome[]> => {
    const ids = cancellations.map(({ id }) => id);
    const projectIds = [...new Set(cancellations.map(({ projectId }) => projectId))];
    const found = new Map((await findEmails(session, projectIds, ids)).map((email) => [email._id, email]));
    const outcomes = cancellations.map(({ id }): Outcome => {
      const email = found.get(id);
      if (!email) return { refused: notFound('Email') };
      if (!isScheduled(email)) return { refused: notWaiting(email) };
      const cancelled: Email = { ...email, status: 'cancelled' };
      found.set(id, cancelled);
      return { cancelled };
    });
    await cancelAll(
      session,
      outcomes.flatMap((outcome) => ('cancelled' in outcome ? [outcome.cancelled] : [])),
    );
    return outcomes;
  }),
);

const notWaiting = ({ status }: Email): Error =>
  invalidState(`Only a scheduled message that waits for its time can be cancelled; this one is ${status}`);

/** Cancels messages that the transaction has read: a worker's claim since then aborts the transaction, which then reads again. */
async function cancelAll(session: ClientSession, emails: readonly Email[], reason?: string): Promise<void> {
  if (emails.length === 0) return;
  const at = new Date();
  await markCancelled(session, emails, reason);
  await forgetContents(session, emails);
  for (const { projectId, month, source, credits, messages } of chargesOf(emails)) {
    await addUsage(session, projectId, month, source, { messages: -messages, credits: -credits });
  }
  await emit(
    session,
    emails.map(({ _id, projectId, contactId, source, testMode }) => ({
      projectId,
      name: 'email.cancelled' as const,
      contactId,
      emailId: _id,
      data: { source, ...(reason !== undefined && { reason }) },
      testMode,
      at,
    })),
  );
  await want(session, minutesLeft(emails));
}

interface Charges extends Pick<Email, 'projectId' | 'source'> {
  readonly month: string;
  readonly messages: number;
  readonly credits: number;
}

function chargesOf(emails: readonly Email[]): readonly Charges[] {
  const sums = new Map<string, Charges>();
  for (const { projectId, source, charge } of emails) {
    if (!charge) continue;
    const { month, credits } = charge;
    const key = `${month} ${source}`;
    const sum = sums.get(key);
    sums.set(key, { projectId, source, month, messages: (sum?.messages ?? 0) + 1, credits: (sum?.credits ?? 0) + credits });
  }
  return [...sums.values()];
}
