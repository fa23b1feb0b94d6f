import type { z } from 'zod';
import type { Bodies, Email } from '../../src/emails/service';
import type { EmailSummary, Email as WireEmail } from './schemas';

const isoOrNull = (date: Date | null): string | null => date && date.toISOString();

/** From when the message could go out until the recipient's system took it. */
const latencyOf = ({ deliveredAt, scheduledFor, createdAt }: Email): number | null =>
  deliveredAt && deliveredAt.getTime() - (scheduledFor ?? createdAt).getTime();

export function toEmailSummary(email: Email): z.input<typeof EmailSummary> {
  const { _id, projectId, contactId, to, subject, fromEmail, fromName, replyTo, source, type, status, templateId, campaignId, workflowId } =
    email;
  const { testMode, opens, clicks, attempts, bounceType, error, messageId, providerMessageId } = email;
  return {
    emailId: _id,
    ...{ projectId, contactId, to, subject, fromEmail, fromName, replyTo, source, type, status, templateId, campaignId, workflowId },
    ...{ testMode, opens, clicks, attempts, bounceType, error, messageId, providerMessageId },
    headers: email.headers && Object.fromEntries(email.headers),
    attachments: email.attachments.map(({ filename, contentType, size }) => ({ filename, contentType, size })),
    latencyMs: latencyOf(email),
    createdAt: email.createdAt.toISOString(),
    scheduledFor: isoOrNull(email.scheduledFor),
    sentAt: isoOrNull(email.sentAt),
    deliveredAt: isoOrNull(email.deliveredAt),
    openedAt: isoOrNull(email.openedAt),
    clickedAt: isoOrNull(email.clickedAt),
  };
}

export const toEmail = (email: Email, { html, text }: Bodies): z.input<typeof WireEmail> => ({
  ...toEmailSummary(email),
  body: html,
  text,
});
