import type { Context } from '../../platform/core';
import { shardOfMessage } from '../../contracts/delivery';
import { monthOf } from '../../records/billing';
import { PRIORITY_OF, contentGoing, messageIdOf, spreadShard, toEmail } from '../../records/emails';
import type { Email } from '../../records/emails';
import type { EmailEvent } from '../../records/events';
import { newId } from '../../platform/core';
import { emailEventId } from '../../rules/email-events';
import { isSimulated } from '../../rules/simulator';
import { tracing } from '../../platform/tracing';
import type { PreparedMessage, PreparedRecipient, SendMessage } from './types';

/** Returns the credits that one message costs (docs/sending.md, Credits and limits). */
export const creditsOf = (message: { readonly attachments: readonly unknown[] }): number => (message.attachments.length > 0 ? 2 : 1);

/** Makes the ledger's row of an accepted message. A test message that is not scheduled counts as sent: it never reaches a transport. */
export function emailRow(ctx: Context, prepared: PreparedMessage, recipient: PreparedRecipient, now: Date): Email {
  const { contentId, attachmentRefs: attachments, draft } = prepared;
  const { message, fromEmail } = draft;
  const { projectId, testMode } = ctx;
  const _id = newId('em', now.getTime());
  const { status, dueAt, sentAt } = fate(ctx, recipient.email, message.sendAt, now);
  const row = toEmail({
    _id,
    projectId,
    shard: message.sendAt ? shardOfMessage(_id) : spreadShard(projectId, _id, now),
    priority: PRIORITY_OF.transactional,
    status,
    source: 'transactional',
    type: draft.type,
    testMode,
    to: recipient.email,
    toName: recipient.name,
    fromEmail,
    fromName: draft.fromName,
    trackingHost: draft.hosts.trackingHost,
    bounceDomain: draft.hosts.bounceDomain,
    trace: tracing()?.current(),
    replyTo: message.replyTo,
    headers: message.headers,
    subject: recipient.subject,
    contactId: recipient.contactExists || recipient.createsContact ? recipient.contactId : null,
    templateId: message.templateId,
    untracked: draft.untracked,
    copied: recipient.copied,
    contentId,
    inline: contentId ? null : draft.source,
    values: recipient.values,
    attachments,
    charge: testMode ? null : { month: monthOf(now), credits: creditsOf(message) },
    messageId: recipient.messageId ?? messageIdOf(_id, fromEmail),
    createdAt: now,
    scheduledFor: message.sendAt,
    dueAt,
    sentAt,
    ...extensionsOf(message),
  });
  return status === 'sent' ? { ...row, ...contentGoing(row) } : row;
}

/** Picks the fields that only some messages have. */
const extensionsOf = ({ replyToName, tags, retainContent }: SendMessage): Pick<Email, 'replyToName' | 'tags' | 'content'> => ({
  replyToName: replyToName ?? undefined,
  tags: tags ?? undefined,
  content: retainContent === false ? 'passing' : undefined,
});

function fate(ctx: Context, to: string, sendAt: Date | null, now: Date): Pick<Email, 'status' | 'dueAt' | 'sentAt'> {
  const isLogged = ctx.testMode && sendAt === null && !isSimulated(to, ctx.core.config.PLATFORM_DOMAIN);
  return isLogged ? { status: 'sent', dueAt: undefined, sentAt: now } : { status: 'queued', dueAt: sendAt ?? now, sentAt: null };
}

/** Lists the events to emit when a message is accepted. */
export function acceptanceEvents(email: Email): readonly EmailEvent[] {
  const event = (name: 'email.queued' | 'email.sent'): EmailEvent => ({
    id: emailEventId(email._id, name),
    name,
    projectId: email.projectId,
    contactId: email.contactId,
    emailId: email._id,
    data: { source: email.source },
    testMode: email.testMode,
    at: email.createdAt,
  });
  return email.status === 'sent' ? [event('email.queued'), event('email.sent')] : [event('email.queued')];
}
