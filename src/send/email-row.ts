import type { Context } from '../context';
import { shardOf } from '../contracts/delivery';
import { monthOf } from '../billing/usage';
import type { Email } from '../emails/model';
import type { NewEvent } from '../events/emit';
import { newId } from '../ids';
import type { PreparedMessage, PreparedRecipient } from './types';

/** Credits of one message (specification: Limits). */
export const creditsOf = (message: { readonly attachments: readonly unknown[] }): number => (message.attachments.length > 0 ? 2 : 1);

/** Simulated recipients end as their local part says, whatever the key (contract: Simulator). */
export const isSimulated = (email: string, platformDomain: string): boolean => email.endsWith(`@simulator.${platformDomain}`);

/** The ledger's row of an accepted message. A test message that need not wait is sent already: it never meets a transport. */
export function emailRow(ctx: Context, prepared: PreparedMessage, recipient: PreparedRecipient, now: Date): Email {
  const { message } = prepared;
  const _id = newId('em', now.getTime());
  const simulated = isSimulated(recipient.email, ctx.core.config.PLATFORM_DOMAIN);
  const logged = ctx.testMode && !simulated && message.sendAt === null;
  return {
    _id,
    projectId: ctx.projectId,
    shard: shardOf(ctx.projectId),
    priority: 0,
    status: logged ? 'sent' : 'queued',
    source: 'transactional',
    type: prepared.type,
    testMode: ctx.testMode,
    to: recipient.email,
    toName: recipient.name,
    fromEmail: prepared.fromEmail,
    fromName: prepared.fromName,
    replyTo: message.replyTo,
    headers: message.headers,
    subject: recipient.subject,
    contactId: recipient.contactExists || recipient.createsContact ? recipient.contactId : null,
    templateId: message.templateId,
    campaignId: null,
    workflowId: null,
    contentId: prepared.contentId,
    inline: prepared.contentId ? null : prepared.source,
    values: recipient.values,
    attachments: prepared.attachmentRefs,
    charge: ctx.testMode ? null : { month: monthOf(now), credits: creditsOf(message) },
    messageId: `<${_id}@${prepared.fromEmail.slice(prepared.fromEmail.lastIndexOf('@') + 1)}>`,
    createdAt: now,
    scheduledFor: message.sendAt,
    ...(!logged && { dueAt: message.sendAt ?? now }),
    attempts: 0,
    sentAt: logged ? now : null,
    deliveredAt: null,
    openedAt: null,
    clickedAt: null,
    opens: 0,
    clicks: 0,
    bounceType: null,
    error: null,
    providerMessageId: null,
  };
}

/** What is told of a message at its acceptance. */
export function acceptanceEvents(email: Email): readonly NewEvent[] {
  const event = {
    projectId: email.projectId,
    contactId: email.contactId,
    emailId: email._id,
    testMode: email.testMode,
    at: email.createdAt,
  };
  const data = { source: email.source };
  const queued: NewEvent = { ...event, name: 'email.queued', data };
  return email.status === 'sent' ? [queued, { ...event, name: 'email.sent', data }] : [queued];
}
