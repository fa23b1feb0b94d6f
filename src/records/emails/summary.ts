import { versionOfContent } from '../../rules/content-version';
import { maskTokens } from './view-data';
import type { Email } from './model';
import { tagOf } from './tags';

const isoOrNull = (date: Date | null): string | null => date && date.toISOString();

/** Returns the time from when the message could go out until the recipient's system took it. */
const latencyOf = ({ deliveredAt, scheduledFor, createdAt }: Email): number | null =>
  deliveredAt && deliveredAt.getTime() - (scheduledFor ?? createdAt).getTime();

/** Returns the files of a message, without the message itself where it came composed. */
const filesOf = ({ attachments }: Email): Email['attachments'] => attachments.filter(({ given }) => given === undefined);

const timesOf = ({ createdAt, scheduledFor, sentAt, deliveredAt, openedAt, clickedAt }: Email) => ({
  createdAt: createdAt.toISOString(),
  scheduledFor: isoOrNull(scheduledFor),
  sentAt: isoOrNull(sentAt),
  deliveredAt: isoOrNull(deliveredAt),
  openedAt: isoOrNull(openedAt),
  clickedAt: isoOrNull(clickedAt),
});

/** Returns a message as lists and webhooks show it: all but its bodies. */
export function emailSummary(email: Email) {
  const { _id, projectId, contactId, to, fromEmail, fromName, replyTo, source, type, status, templateId, campaignId, workflowId } = email;
  const { testMode, opens, clicks, attempts, bounceType, error, messageId, providerMessageId } = email;
  return {
    emailId: _id,
    projectId,
    contactId,
    to,
    subject: maskTokens(email.subject),
    fromEmail,
    fromName,
    replyTo,
    source,
    type,
    status,
    templateId,
    campaignId,
    workflowId,
    testMode,
    opens,
    clicks,
    attempts,
    bounceType,
    error,
    messageId,
    providerMessageId,
    headers: email.headers && Object.fromEntries(email.headers),
    attachments: filesOf(email).map(({ filename, contentType, size, cid }) => ({
      filename,
      contentType,
      size,
      ...(cid !== undefined && { contentId: cid }),
    })),
    latencyMs: latencyOf(email),
    ...timesOf(email),
    ...email.received,
    ...(email.untracked && { tracking: { opens: !email.untracked.includes('opens'), clicks: !email.untracked.includes('clicks') } }),
    ...(email.copied && { recipientType: email.copied.as }),
    ...(email.source === 'campaign' && email.contentId !== null && { contentVersion: versionOfContent(email.contentId) }),
    ...(email.transport && { transport: email.transport.name }),
    ...(email.topic && { topicId: email.topic.topicId }),
    ...(email.tags && { tags: email.tags.map(tagOf) }),
    ...(email.replyToName !== undefined && { replyToName: email.replyToName }),
  };
}

export type EmailSummary = ReturnType<typeof emailSummary>;
