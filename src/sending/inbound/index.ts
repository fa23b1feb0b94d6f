import type { ClientSession } from 'mongoose';
import { addUsage, monthOf, quotaFacts, usageToDecideBy } from '../../records/billing';
import { contactIdFor, createMissing } from '../../audience/contacts';
import { AppError, derivedId, newId, notFound } from '../../platform/core';
import type { Context } from '../../platform/core';
import {
  findFacts,
  insertEmails,
  storeAttachment,
  getEmail,
  loadAttachments,
  PRIORITY_OF,
  maskTokens,
  messageIdOf,
  toEmail,
} from '../../records/emails';
import type { AttachmentRef, Email } from '../../records/emails';
import { emit } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { inSequence, inTransaction } from '../../platform/mongo';
import { personName } from '../../rules/person-name';
import { judgeQuota } from '../../rules/quota';
import { countMailIn, happeningsOf } from '../../records/stats';
import { shardOf } from '../../contracts/delivery';
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
function receivedRow(
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

export { listReceived } from '../../records/emails';

/** The receiver of mail: a request's context, or the SMTP server's for a recipient's project. */
type Receiver = Pick<Context, 'core' | 'project' | 'testMode'>;

/**
 * Stores a received message, in one transaction: the e-mail, its sender as a contact (who has never been asked, so is not subscribed; an
 * existing contact stays unchanged), `contact.created` and `email.received`, the month's usage and the statistics. A message with the same
 * `sameAs` as an earlier one is that message: nothing is stored or counted again. Live mail counts in `categories.inbound`, exactly up to
 * its limit, and a disabled project receives (docs/inbound.md). Resolves to the e-mail's id. Throws `limit_reached`.
 */
export async function receiveMessage(receiver: Receiver, message: ReceivedMessage): Promise<string> {
  const attachments = await keepAttachments(receiver, message);
  const work = (): Promise<string> => inTransaction((session) => take(session, receiver, message, attachments));
  return receiver.testMode ? work() : inSequence(`usage/${receiver.project._id}`, work);
}

/** Stores attachments before the message that names them: after a crash in between, the same message reuses them when it arrives again. */
function keepAttachments({ project }: Receiver, { from, attachments = [] }: ReceivedMessage): Promise<readonly AttachmentRef[]> {
  const attaching = { contactIds: [contactIdFor(project, from)], neededAt: new Date(), isKept: true };
  return Promise.all(
    attachments.map(async ({ content, ...attachment }) =>
      content ? storeAttachment(project._id, { ...attachment, content }, attaching) : { ...attachment, blobId: null },
    ),
  );
}

async function take(
  session: ClientSession,
  receiver: Receiver,
  message: ReceivedMessage,
  attachments: readonly AttachmentRef[],
): Promise<string> {
  const { project, testMode } = receiver;
  const now = new Date();
  const emailId = message.sameAs === undefined ? newId('em', now.getTime()) : derivedId('em', project._id, 'inbound', message.sameAs);
  if (message.sameAs !== undefined && (await findFacts([emailId], session)).size > 0) return emailId;
  if (!testMode) await charge(session, receiver, monthOf(now));
  const contactId = contactIdFor(project, message.from);
  const email = receivedRow(project._id, emailId, contactId, message, attachments, testMode, now);
  const sender = {
    _id: contactId,
    projectId: project._id,
    email: message.from,
    ...personName(message.fromName ?? null),
    subscribed: false,
  };
  const created = await createMissing(session, [{ contact: sender, testMode }], now, 'inbound');
  const received = receivedEvent(email, message.automatic === true);
  await insertEmails(session, [email]);
  await emit(session, [...created, received]);
  await countMailIn(session, happeningsOf(received));
  return emailId;
}

async function charge(session: ClientSession, { core, project }: Receiver, month: string): Promise<void> {
  if (project.caps.inbound !== null) {
    const facts = quotaFacts(core.config, project);
    const usage = await usageToDecideBy(session, facts, project._id, month, 'inbound');
    const refusal = judgeQuota(facts, usage, 'inbound', 0);
    if (refusal) throw new AppError('limit_reached', 'The project has reached its limit of inbound mail for this month');
  }
  await addUsage(session, project._id, month, 'inbound', { messages: 1, credits: 0 });
}

function receivedEvent(email: Email, automatic: boolean): NewEvent {
  const { _id, projectId, contactId, testMode, createdAt, source, to, fromEmail, fromName, subject, attachments } = email;
  const { inReplyTo = null, authentication = null } = email.received ?? {};
  const data = {
    source,
    to,
    fromEmail,
    fromName,
    subject,
    attachments: attachments.length,
    ...(email.replyTo !== null && { replyTo: email.replyTo }),
    ...(inReplyTo !== null && { inReplyTo }),
    ...(authentication && { authentication }),
    ...(automatic && { automatic }),
  };
  return {
    projectId,
    name: 'email.received',
    contactId,
    emailId: _id,
    data,
    testMode,
    at: createdAt,
    ...(automatic && { enrols: false as const }),
  };
}

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
