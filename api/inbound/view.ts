import type { z } from 'zod';
import type { Email } from '../../src/records/emails';
import type { InboundMessage } from './schemas';

export const toInboundMessage = ({
  _id,
  contactId,
  to,
  subject,
  fromEmail,
  fromName,
  createdAt,
  messageId,
  replyTo,
  received,
  attachments,
}: Email): z.input<typeof InboundMessage> => ({
  emailId: _id,
  contactId,
  to,
  subject,
  fromEmail,
  fromName,
  status: 'received',
  createdAt: createdAt.toISOString(),
  ...{ messageId, replyTo, inReplyTo: received?.inReplyTo ?? null, references: received?.references ?? [] },
  authentication: received?.authentication ?? null,
  attachments: attachments.map(({ filename, contentType, size, blobId }, place) => ({
    attachmentId: String(place),
    ...{ filename, contentType, size },
    kept: blobId !== null,
  })),
});
