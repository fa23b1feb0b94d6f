import { shardOf } from '../../contracts/delivery';
import { PRIORITY_OF, maskTokens, messageIdOf, toEmail } from '../../records/emails';
import type { AttachmentRef, Email } from '../../records/emails';
import type { Authentication } from '../../rules/authentication';

export interface ReceivedAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** Bytes after decoding. */
  readonly size: number;
  /** Null of one that is listed and not kept. */
  readonly content?: Buffer | null;
}

/** A message as it came. Texts are within the limits that the API has for them: a subject is one line, bodies hold 1 MiB at most. */
export interface ReceivedMessage {
  /** Normalized: lower case, domain in ASCII. */
  readonly from: string;
  readonly fromName?: string | undefined;
  /** The local part as it was received, since its case may mean something; the domain in lower case and ASCII. */
  readonly to: string;
  readonly subject?: string | undefined;
  readonly html?: string | undefined;
  readonly text?: string | undefined;
  readonly attachments?: readonly ReceivedAttachment[] | undefined;
  /** The message's own Message-ID, with angle brackets. */
  readonly messageId?: string | undefined;
  /** Address for replies, if the message names one; normalized. */
  readonly replyTo?: string | null | undefined;
  /** Message-IDs, with angle brackets: of what this answers, and of what came before it in the conversation, oldest first. */
  readonly inReplyTo?: string | null | undefined;
  readonly references?: readonly string[] | undefined;
  /** Evidence about its origin; absent for a message that the API took in. */
  readonly authentication?: Authentication | null | undefined;
  /** Identifies a message that is delivered a second time because the answer was lost. */
  readonly sameAs?: string | undefined;
  /** Sent by a machine (RFC 3834): its event starts no automation, so that two machines do not answer each other forever. */
  readonly automatic?: boolean | undefined;
}

const conversationOf = ({ inReplyTo = null, references = [], authentication = null }: ReceivedMessage): Email['received'] => ({
  inReplyTo,
  references,
  authentication,
});

/**
 * Returns the row of a message that came in. Nothing is ever due of it, so delivery never meets it; its content is no template, and is
 * kept as it came but for the tokens of our own mail that it quotes.
 */
export function receivedRow(
  projectId: string,
  _id: string,
  contactId: string,
  message: ReceivedMessage,
  attachments: readonly AttachmentRef[],
  testMode: boolean,
  createdAt: Date,
): Email {
  const { from: fromEmail, fromName = null, to, replyTo = null } = message;
  const [subject, html, text] = [message.subject, message.html, message.text].map((words = '') => maskTokens(words)) as [
    string,
    string,
    string,
  ];
  return toEmail({
    _id,
    projectId,
    shard: shardOf(projectId),
    priority: PRIORITY_OF.transactional,
    status: 'received',
    source: 'inbound',
    type: 'transactional',
    testMode,
    to,
    fromEmail,
    fromName: fromName || null,
    subject,
    contactId,
    inline: { subject, html, text, previewText: null },
    values: '{}',
    attachments,
    replyTo,
    received: conversationOf(message),
    // One that came without gets one from us, as mail systems do for their own (RFC 6409 8.3).
    messageId: message.messageId ?? messageIdOf(_id, to),
    createdAt,
  });
}
