import type { Context } from '../context';
import { shardOf } from '../contracts/delivery';
import { monthOf } from '../billing/usage';
import { messageIdOf } from '../emails/message-id';
import type { Email } from '../emails/model';
import { PRIORITY_OF, UNTOUCHED } from '../emails/new-email';
import type { NewEvent } from '../events/emit';
import { newId } from '../ids';
import { merged } from '../merged';
import { isSimulated } from '../rules/simulator';
import type { PreparedMessage, PreparedRecipient } from './types';

/** Credits of one message (docs/sending.md, Credits and limits). */
export const creditsOf = (message: { readonly attachments: readonly unknown[] }): number => (message.attachments.length > 0 ? 2 : 1);

/** The ledger's row of an accepted message. A test message that need not wait is sent already: it never meets a transport. */
export function emailRow(ctx: Context, prepared: PreparedMessage, recipient: PreparedRecipient, now: Date): Email {
  const { message, fromEmail, contentId } = prepared;
  const { projectId, testMode } = ctx;
  const _id = newId('em', now.getTime());
  const row = {
    _id,
    projectId,
    shard: shardOf(projectId),
    priority: PRIORITY_OF.transactional,
    source: 'transactional',
    type: prepared.type,
    testMode,
    to: recipient.email,
    toName: recipient.name,
    fromEmail,
    fromName: prepared.fromName,
    replyTo: message.replyTo,
    headers: message.headers,
    subject: recipient.subject,
    contactId: recipient.contactExists || recipient.createsContact ? recipient.contactId : null,
    templateId: message.templateId,
    contentId,
    inline: contentId ? null : prepared.source,
    values: recipient.values,
    attachments: prepared.attachmentRefs,
    charge: testMode ? null : { month: monthOf(now), credits: creditsOf(message) },
    messageId: messageIdOf(_id, fromEmail),
    createdAt: now,
    scheduledFor: message.sendAt,
  } as const;
  return merged(merged(UNTOUCHED, row), fate(ctx, recipient.email, message.sendAt, now));
}

function fate(ctx: Context, to: string, sendAt: Date | null, now: Date): Pick<Email, 'status' | 'dueAt' | 'sentAt'> {
  const logged = ctx.testMode && sendAt === null && !isSimulated(to, ctx.core.config.PLATFORM_DOMAIN);
  return logged ? { status: 'sent', sentAt: now } : { status: 'queued', dueAt: sendAt ?? now, sentAt: null };
}

/** What is told of a message at its acceptance. */
export function acceptanceEvents(email: Email): readonly NewEvent[] {
  const queued: NewEvent = {
    name: 'email.queued',
    projectId: email.projectId,
    contactId: email.contactId,
    emailId: email._id,
    data: { source: email.source },
    testMode: email.testMode,
    at: email.createdAt,
  };
  return email.status === 'sent' ? [queued, merged(queued, { name: 'email.sent' })] : [queued];
}
