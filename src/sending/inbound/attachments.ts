import type { Context } from '../../platform/core';
import { getEmail, loadAttachments } from '../../records/emails';
import type { AttachmentRef } from '../../records/emails';
import { notFound } from '../../platform/core';

/**
 * Resolves to an attachment of a message that came in, by its index in the message, with its bytes. Throws `not_found`, also if it was
 * not kept.
 */
export async function getReceivedAttachment(
  ctx: Context,
  emailId: string,
  attachmentId: string,
): Promise<Pick<AttachmentRef, 'filename' | 'contentType'> & { readonly content: Buffer }> {
  const { email } = await getEmail(ctx, emailId);
  const attachment = email.source === 'inbound' && /^\d{1,3}$/.test(attachmentId) ? email.attachments[Number(attachmentId)] : undefined;
  if (!attachment || attachment.blobId === null) throw notFound('Attachment');
  const [found] = await loadAttachments({ attachments: [attachment] }).catch(() => []);
  if (!found) throw notFound('Attachment');
  return found;
}
