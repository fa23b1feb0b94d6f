import type { ClientSession } from 'mongoose';
import { addUsages, monthOf } from '../../records/billing';
import type { Contact } from '../../audience/contacts';
import type { Context } from '../../platform/core';
import { PRIORITY_OF, insertEmails, storeContent } from '../../records/emails';
import type { Rendered, Values } from '../../message/template';
import type { Email } from '../../records/emails';
import { emit } from '../../records/events';
import { merged, timedId } from '../../platform/core';
import { metrics } from '../../platform/metrics';
import { afterCommit, leaveToEnd } from '../../platform/mongo';
import { wakeDelivery } from '../../platform/wake-ups';
import { acceptanceEvents, creditsOf, emailRow } from './admit';
import { draftMessage, groundsOf } from './draft';
import { skipReason, usageOf } from './limits';
import { SPECIMEN, addressee, renderFor } from './recipients';
import type { Addressee } from './recipients';
import type { Draft, PreparedRecipient, SendMessage, SkipReason } from './types';

/** The node and execution that a message belongs to; the same pair always makes the same message. */
export interface AutomationOrigin {
  readonly automationId: string;
  readonly executionId: string;
  readonly nodeId: string;
  readonly enrolledAt: Date;
  /** Number of automations that led to it, one after another. */
  readonly depth: number;
}

export type AutomationMail = Pick<
  SendMessage,
  'subject' | 'html' | 'previewText' | 'templateId' | 'variables' | 'from' | 'fromName' | 'replyTo' | 'type'
>;

export type Accepted = { readonly emailId: string } | { readonly skipped: SkipReason };

/**
 * Prepares an automation's message to a contact. Returns a function that stores the message in the ledger, in the transaction of the step that sends it, or
 * reports why it is skipped (docs/sending.md, What fails, and what is skipped). Throws `send_failed`.
 */
export async function prepareAutomationMail(
  ctx: Context,
  contact: Contact,
  mail: AutomationMail,
  origin: AutomationOrigin,
): Promise<(session: ClientSession) => Promise<Accepted>> {
  const message = messageOf(contact.email, mail);
  const draft = draftMessage(ctx, message, await groundsOf(ctx, [message]));
  const addressed = await addressee(ctx, contact.email);
  if (!addressed) throw new Error('An addressee was not looked up');
  const recipient = renderFor(draft, { email: contact.email, name: null }, addressed);
  await storeContent(draft.contentHash, ctx.projectId, draft.source, new Date());
  const rendered: Draft = merged(draft, { recipients: [recipient], contentId: draft.contentHash });
  return (session) => accept(session, ctx, rendered, recipient, origin);
}

const messageOf = (email: string, mail: AutomationMail): SendMessage => ({
  ...mail,
  to: [{ email, name: null }],
  toMany: false,
  text: null,
  headers: null,
  attachments: [],
  sendAt: null,
  createContact: false,
});

async function accept(
  session: ClientSession,
  ctx: Context,
  draft: Draft,
  recipient: PreparedRecipient,
  origin: AutomationOrigin,
): Promise<Accepted> {
  const now = new Date();
  const month = monthOf(now);
  const usage = await usageOf(session, ctx, month, 'workflow');
  const skipped = skipReason(ctx, recipient, usage, creditsOf(draft.message), 'workflow');
  if (skipped) return { skipped };
  const email = automationRow(ctx, draft, recipient, origin, now);
  leaveToEnd(session, insertEmails, [email]);
  leaveToEnd(
    session,
    emit,
    acceptanceEvents(email).map((event) => ({ ...event, depth: origin.depth })),
  );
  const { projectId } = ctx;
  if (email.charge)
    leaveToEnd(session, addUsages, [{ projectId, month, source: 'workflow' as const, messages: 1, credits: email.charge.credits }]);
  afterCommit(session, () => {
    metrics.accepted.inc({ kind: 'workflow' });
    if (email.dueAt) wakeDelivery(ctx.core, email.shard);
  });
  return { emailId: email._id };
}

/** Renders the message as the contact would read it, with the reason why it would be skipped; stores nothing. Throws `send_failed`. */
export async function rehearseAutomationMail(
  ctx: Context,
  addressed: Addressee,
  email: string,
  mail: AutomationMail,
): Promise<Pick<Rendered, 'subject' | 'html' | 'text'> & { readonly skipped?: 'suppressed' | 'unsubscribed' }> {
  // The sender is checked when the automation is activated.
  const message = messageOf(email, mail);
  const draft = draftMessage({ ...ctx, testMode: true }, message, await groundsOf(ctx, [message]));
  const { values, refused } = renderFor(draft, { email, name: null }, addressed);
  const decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: draft.type === 'marketing' };
  const { subject, html, text } = draft.content.render(JSON.parse(values) as Values, SPECIMEN, decoration);
  return { subject, html, text, ...(refused !== null && { skipped: refused }) };
}

function automationRow(ctx: Context, draft: Draft, recipient: PreparedRecipient, origin: AutomationOrigin, now: Date): Email {
  const { automationId: workflowId, executionId, nodeId, enrolledAt, depth } = origin;
  const row = emailRow(ctx, draft, recipient, now, timedId('em', enrolledAt.getTime(), `${executionId}/${nodeId}`));
  return merged(row, {
    source: 'workflow',
    priority: PRIORITY_OF.bulk,
    workflowId,
    nodeId,
    depth,
  });
}
