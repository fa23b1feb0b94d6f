import { z } from 'zod';
import { DMARC_POLICIES, RESULTS } from '../../src/rules/authentication';
import {
  caseKeepingAddress,
  count,
  emailAddress,
  extended,
  id,
  optionalText,
  personName,
  optionalSubject,
  receivedText,
  timestamp,
} from '../http/pieces';

export const ReceiveMessage = z.strictObject({
  from: emailAddress,
  to: caseKeepingAddress.meta({ description: 'The local part keeps its case' }),
  fromName: personName.optional(),
  subject: optionalSubject.optional(),
  html: receivedText.optional(),
  text: receivedText.optional(),
});

export const Received = z.object({ emailId: z.string() }).meta({ id: 'ReceivedMessage' });

export const InboundQuery = z.object({ to: caseKeepingAddress.optional(), fromEmail: emailAddress.optional() });

const result = z.enum(RESULTS);

const Authentication = z.object({
  spf: result.meta({ description: 'Whether the sending host is allowed to send for the envelope sender (RFC 7208)' }),
  spfDomain: optionalText.meta({ description: 'The domain that was checked' }),
  dkim: result.meta({ description: '`pass` if one signature of the whole message is valid (RFC 6376)' }),
  dkimDomains: z.array(z.string()).readonly().meta({ description: 'The domains with valid signatures' }),
  dmarc: result.meta({ description: '`pass` if SPF or DKIM passes for the domain of `fromEmail` (RFC 7489)' }),
  dmarcPolicy: z.enum(DMARC_POLICIES).nullable().meta({ description: 'The policy of that domain for mail that fails' }),
});

const ReceivedAttachment = z
  .object({
    attachmentId: z.string().meta({ description: 'For getInboundAttachment' }),
    filename: z.string().meta({ description: 'Without any path' }),
    contentType: z.string().meta({ description: 'As given by the sender' }),
    size: count.meta({ description: 'Bytes after decoding' }),
    kept: z.boolean().meta({ description: 'Whether its bytes are stored' }),
  })
  .meta({ id: 'ReceivedAttachment', description: 'A file attached to a received message' });

/** Members that only received mail has. */
export const receivedFacts = {
  inReplyTo: extended(optionalText, 'The Message-ID that it replies to'),
  references: extended(z.array(z.string()).readonly(), 'Message-IDs of the previous conversation, oldest first, the last 50'),
  authentication: extended(Authentication.nullable(), 'The authentication results of the sender; null for messages accepted by the API'),
};

export const AttachmentParams = z.object({ id, attachmentId: id });

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
    messageId: extended(z.string(), 'The Message-ID of the message, or a generated one'),
    replyTo: extended(optionalText, 'The Reply-To address, if the message has one'),
    ...receivedFacts,
    attachments: extended(z.array(ReceivedAttachment).readonly(), 'What was attached'),
  })
  .meta({ id: 'InboundMessage' });
