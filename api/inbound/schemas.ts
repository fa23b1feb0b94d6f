import { z } from 'zod';
import { caseKeepingAddress, emailAddress, optionalText, personName, optionalSubject, receivedText, timestamp } from '../http/pieces';

export const ReceiveMessage = z.strictObject({
  from: emailAddress,
  to: caseKeepingAddress.meta({ description: 'Its local part keeps its case' }),
  fromName: personName.optional(),
  subject: optionalSubject.optional(),
  html: receivedText.optional(),
  text: receivedText.optional(),
});

export const Received = z.object({ emailId: z.string() }).meta({ id: 'ReceivedMessage' });

export const InboundQuery = z.object({ to: caseKeepingAddress.optional(), fromEmail: emailAddress.optional() });

export const InboundMessage = z
  .object({
    emailId: z.string().meta({ description: 'Read the body with GET /v1/emails/{id}' }),
    contactId: optionalText,
    to: z.string(),
    subject: z.string(),
    fromEmail: z.string(),
    fromName: optionalText,
    status: z.literal('received'),
    createdAt: timestamp,
  })
  .meta({ id: 'InboundMessage' });
