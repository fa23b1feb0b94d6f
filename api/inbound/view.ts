import type { z } from 'zod';
import type { Email } from '../../src/emails/service';
import type { InboundMessage } from './schemas';

export const toInboundMessage = ({
  _id,
  contactId,
  to,
  subject,
  fromEmail,
  fromName,
  createdAt,
}: Email): z.input<typeof InboundMessage> => ({
  emailId: _id,
  contactId,
  to,
  subject,
  fromEmail,
  fromName,
  status: 'received',
  createdAt: createdAt.toISOString(),
});
