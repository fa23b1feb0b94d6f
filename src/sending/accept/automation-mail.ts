import type { ClientSession } from 'mongoose';
import type { Contact } from '../../audience/contacts';
import type { Context } from '../../platform/core';
import { PRIORITY_OF } from '../../records/emails';
import type { Rendered, Values } from '../../message/template';
import type { Email } from '../../records/emails';
import { merged, timedId } from '../../platform/core';
import { emailRow } from './admit';
import { draftMessage, groundsOf } from './draft';
import { acceptOne, prepareOne } from './one-mail';
import type { Accepted, OneMail } from './one-mail';
import { RehearsedLimits } from './person-limits';
import { SPECIMEN, renderFor } from './recipients';
import type { Addressee } from './recipients';
import { messageTo } from './types';
import type { SendMessage, Skipped } from './types';

/** The node and execution that a message belongs to; the same pair always makes the same message. */
export interface AutomationOrigin {
  readonly automationId: string;
  readonly executionId: string;
  readonly nodeId: string;
  readonly enrolledAt: Date;
  /** Number of automations that led to it, one after another. */
  readonly depth: number;
}

/** Returns the id of the message that a node of an execution sends, whether it was sent yet or not. */
export const automationMailId = ({
  executionId,
  nodeId,
  enrolledAt,
}: Pick<AutomationOrigin, 'executionId' | 'nodeId' | 'enrolledAt'>): string =>
  timedId('em', enrolledAt.getTime(), `${executionId}/${nodeId}`);

export type AutomationMail = Pick<
  SendMessage,
  | 'subject'
  | 'html'
  | 'previewText'
  | 'templateId'
  | 'topicId'
  | 'variables'
  | 'from'
  | 'fromName'
  | 'replyTo'
  | 'type'
  | 'windows'
  | 'sendOnce'
  | 'variants'
>;

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
  const prepared = await prepareOne(ctx, messageOf(contact.email, mail));
  const rowOf = (own: Context, one: OneMail, now: Date): Email => automationRow(own, one, origin, now);
  return (session) => acceptOne(session, ctx, prepared, { source: 'workflow', rowOf, depth: origin.depth });
}

const messageOf = (email: string, mail: AutomationMail): SendMessage => messageTo(email, { ...mail, text: null });

interface ImaginedMail {
  readonly addressed: Addressee;
  readonly email: string;
  readonly mail: AutomationMail;
  readonly now: Date;
}

/** A message as its recipient would read it, and when, or why not. */
type RehearsedMail = Pick<Rendered, 'subject' | 'html' | 'text'> &
  Partial<Skipped> & { readonly at: Date; readonly waitsFor?: 'window' | 'frequency_cap' };

/** Returns how the messages of one rehearsal are rendered, one after another: earlier ones count in the limits of later ones. */
export function automationMailRehearsal(ctx: Context): (message: ImaginedMail) => Promise<RehearsedMail> {
  const limits = new RehearsedLimits();
  return (message) => rehearseMail(ctx, limits, message);
}

/** Renders the message as the contact would read it, with the reason why it would be skipped; stores nothing. Throws `send_failed`. */
async function rehearseMail(ctx: Context, limits: RehearsedLimits, { addressed, email, mail, now }: ImaginedMail): Promise<RehearsedMail> {
  // The sender is checked when the automation is activated.
  const message = messageOf(email, mail);
  const draft = draftMessage({ ...ctx, testMode: true }, message, await groundsOf(ctx, [message]));
  const { own, values, refused, sendAt, opensFrom } = renderFor(draft, { email, name: null }, addressed, false, now);
  const decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: draft.type === 'marketing' };
  const { subject, html, text } = (own ?? draft).content.render(JSON.parse(values) as Values, SPECIMEN, decoration);
  const read = { subject, html, text };
  if (refused !== null) return { ...read, at: now, skipped: refused.reason, ...(refused.detail && { detail: refused.detail }) };
  const opens = sendAt ?? now;
  const sendTime = await limits.sendTime(ctx, draft, { email, opensFrom }, opens);
  if ('reached' in sendTime) return { ...read, at: now, skipped: 'limit_reached', detail: sendTime.detail };
  if (sendTime.at > opens) return { ...read, at: sendTime.at, waitsFor: 'frequency_cap' };
  return { ...read, at: opens, ...(opens > now && { waitsFor: 'window' as const }) };
}

function automationRow(ctx: Context, { draft, recipient }: OneMail, origin: AutomationOrigin, now: Date): Email {
  const { automationId: workflowId, nodeId, depth } = origin;
  const row = emailRow(ctx, draft, recipient, now, automationMailId(origin));
  return merged(row, {
    source: 'workflow',
    priority: row.scheduledFor ? row.priority : PRIORITY_OF.bulk,
    workflowId,
    nodeId,
    depth,
  });
}
