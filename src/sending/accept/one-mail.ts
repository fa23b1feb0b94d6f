import type { ClientSession } from 'mongoose';
import { addUsages, monthOf } from '../../records/billing';
import type { Context } from '../../platform/core';
import { insertEmails, minutesOf, storeContent } from '../../records/emails';
import type { Email } from '../../records/emails';
import { emit } from '../../records/events';
import { merged } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import { afterCommit, leaveToEnd } from '../../platform/mongo';
import { startNow, want } from '../../platform/outbox';
import { wakeDelivery } from '../../platform/wake-ups';
import { acceptanceEvents, creditsOf, emailRow, schedulingEvents, skippedEvent } from './admit';
import { draftMessage, goesOutBy, groundsOf } from './draft';
import { skipReason, usageOf } from './limits';
import { addressee, renderFor } from './recipients';
import { PersonLimits } from './person-limits';
import type { Draft, PreparedRecipient, SendMessage, Skipped } from './types';

/** A message of the platform's own to one recipient, rendered, and with its content stored. */
export interface OneMail {
  readonly draft: Draft;
  readonly recipient: PreparedRecipient;
}

export type Accepted = { readonly emailId: string } | Skipped;

/** Prepares a message to the only recipient of `message`. Throws `send_failed`. */
export async function prepareOne(ctx: Context, message: SendMessage): Promise<OneMail> {
  const { email = '' } = message.to[0] ?? {};
  const draft = draftMessage(ctx, message, await groundsOf(ctx, [message]));
  const addressed = await addressee(ctx, email);
  if (!addressed) throw new Error('An addressee was not looked up');
  const recipient = renderFor(draft, { email, name: null }, addressed);
  const { contentHash, source } = recipient.own ?? draft;
  await storeContent(contentHash, ctx.projectId, source, goesOutBy(ctx, { type: draft.type, recipients: [recipient] }));
  return { draft: merged(draft, { recipients: [recipient], contentId: draft.contentHash }), recipient };
}

interface Acceptance {
  readonly source: 'transactional' | 'workflow';
  /** Returns the row of a message, by what sends it. */
  readonly rowOf: (ctx: Context, mail: OneMail, now: Date) => Email;
  /** The number of automations that led to it, one after another. */
  readonly depth?: number;
}

/** Stores a prepared message in the ledger, in the transaction of what sends it, or reports why it is skipped (docs/sending.md, What fails, and what is skipped). */
export async function acceptOne(
  session: ClientSession,
  ctx: Context,
  mail: OneMail,
  { source, rowOf, depth }: Acceptance,
): Promise<Accepted> {
  const { draft, recipient } = mail;
  const now = new Date();
  const month = monthOf(now);
  const usage = await usageOf(session, ctx, month, source);
  const skipped = skipReason(ctx, recipient, usage, creditsOf(draft.message), source);
  const skip = (why: Skipped): Skipped => {
    leaveToEnd(session, emit, [{ ...skippedEvent(ctx, recipient, why, source, now), ...(depth !== undefined && { depth }) }]);
    return why;
  };
  if (skipped) return skip(skipped);
  const limits = await PersonLimits.read(session, ctx, [draft], source, now);
  const rowFor = (due: PreparedRecipient): Email => rowOf(ctx, { draft, recipient: due }, now);
  const email = limits ? limits.admit(draft, recipient, rowFor) : rowFor(recipient);
  if ('skipped' in email) return skip(email);
  await limits?.write();
  const intents = minutesOf([email]);
  leaveToEnd(session, want, intents);
  leaveToEnd(session, insertEmails, [email]);
  leaveToEnd(
    session,
    emit,
    [...acceptanceEvents(email), ...schedulingEvents(email)].map((event) => ({ ...event, ...(depth !== undefined && { depth }) })),
  );
  const { projectId } = ctx;
  if (email.charge) leaveToEnd(session, addUsages, [{ projectId, month, source, messages: 1, credits: email.charge.credits }]);
  afterCommit(session, () => {
    metrics.accepted.inc({ kind: source });
    if (email.scheduledFor) startNow(ctx.core, intents);
    else if (email.dueAt) wakeDelivery(ctx.core, email.shard);
  });
  return { emailId: email._id };
}

/**
 * Prepares a transactional message of the platform's own. Returns a function that stores it under `emailId`, in the transaction of what sends it: the same id
 * is never stored twice. Throws `send_failed`.
 */
export async function prepareOwnMail(
  ctx: Context,
  message: SendMessage,
  emailId: string,
): Promise<(session: ClientSession) => Promise<Accepted>> {
  const mail = await prepareOne(ctx, message);
  const rowOf = (own: Context, { draft, recipient }: OneMail, now: Date): Email => emailRow(own, draft, recipient, now, emailId);
  return (session) => acceptOne(session, ctx, mail, { source: 'transactional', rowOf });
}
