import { normalizeAddress } from '../../platform/addresses';
import { monthOf, quotaFacts, readUsage } from '../../records/billing';
import type { Core } from '../../platform/core';
import { AppError } from '../../platform/core';
import { receiveMessage } from '../../sending/inbound';
import type { ReceivedAttachment, ReceivedMessage } from '../../sending/inbound';
import { getProject } from '../../records/projects';
import type { Authentication } from '../../rules/authentication';
import { judgeQuota } from '../../rules/quota';
import { isAutomatic } from './automatic';
import { fieldOf } from './mail';
import type { ParsedMail, ParsedPart } from './mail';
import { NO_SENDER, OVER_LIMIT } from './refusal';

const BODY_BYTES = 1_048_576;
const SUBJECT_LENGTH = 998;
const NAME_LENGTH = 200;
const FILENAME_LENGTH = 255;
const MOST_ATTACHMENTS = 100;
/** The newest of a conversation: older ones are in those. */
const MOST_REFERENCES = 50;

/** Resolves to whether a project's limit of inbound mail leaves room for a message. */
export async function takesMail(core: Core, projectId: string): Promise<boolean> {
  const project = await getProject(projectId);
  if (project.caps.inbound === null) return true;
  const usage = await readUsage(projectId, monthOf(new Date()));
  return judgeQuota(quotaFacts(core.config, project), usage, 'inbound', 0) === null;
}

/** A message that came in, parsed, with what is known of its origin. */
export interface Arrival {
  readonly mail: ParsedMail;
  readonly fingerprint: string;
  readonly envelopeFrom: string;
  readonly authentication: Authentication | null;
}

/**
 * Stores a message for one recipient; one that is delivered again, because our answer was lost, is stored already. Throws a refusal for mail without a
 * sender, and past the project's limit.
 */
export async function takeInbound(core: Core, projectId: string, to: string, arrival: Arrival): Promise<void> {
  const project = await getProject(projectId);
  try {
    await receiveMessage({ core, project, testMode: false }, messageFor(to, arrival));
  } catch (error) {
    if (error instanceof AppError && error.code === 'limit_reached') throw OVER_LIMIT;
    throw error;
  }
}

function messageFor(to: string, { mail, fingerprint, envelopeFrom, authentication }: Arrival): ReceivedMessage {
  const sender = senderOf(mail, envelopeFrom);
  const messageId = messageIdIn(mail);
  return {
    ...sender,
    to,
    messageId,
    authentication,
    replyTo: normalizeAddress(mail.replyTo ?? ''),
    inReplyTo: idsIn(mail, 'in-reply-to')[0] ?? null,
    references: idsIn(mail, 'references').slice(-MOST_REFERENCES),
    subject: oneLine(mail.subject, SUBJECT_LENGTH),
    html: cut(mail.html),
    text: cut(mail.text),
    attachments: mail.parts.slice(0, MOST_ATTACHMENTS).map(attachmentOf),
    sameAs: [messageId ?? '', sender.from, to, fingerprint].join('\n'),
    automatic: isAutomatic(mail, envelopeFrom),
  };
}

function senderOf(mail: ParsedMail, envelopeFrom: string): { readonly from: string; readonly fromName?: string } {
  const { address, name } = mail.author;
  const author = normalizeAddress(address);
  if (author !== null) return { from: author, fromName: oneLine(name, NAME_LENGTH) };
  const from = normalizeAddress(envelopeFrom);
  if (from === null) throw NO_SENDER;
  return { from };
}

/** The ids of messages that a field of a mail names. */
export const idsIn = (mail: ParsedMail, field: string): readonly string[] => fieldOf(mail, field)?.match(/<[^<>\s]{1,250}>/g) ?? [];

const messageIdIn = (mail: ParsedMail): string | undefined => idsIn(mail, 'message-id')[0];

/** Returns a text of a mail as one line. */
export const oneLine = (text: string, length: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length);

/** The line break at the end belongs to the transport. Of a text that is too long half a character at its end is left out. */
function cut(given: string | null): string {
  const text = (given ?? '').replace(/\n$/, '');
  const bytes = Buffer.from(text);
  return bytes.length <= BODY_BYTES ? text : new TextDecoder().decode(bytes.subarray(0, BODY_BYTES), { stream: true });
}

/** Returns a file of a mail as it is stored. */
export const attachmentOf = ({ contentType, filename, size, bytes }: ParsedPart, index: number): ReceivedAttachment => ({
  filename: oneLine((filename ?? '').replace(/^.*[/\\]/s, ''), FILENAME_LENGTH) || `attachment-${index + 1}`,
  contentType: /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(contentType) ? contentType : 'application/octet-stream',
  size,
  // What comes from the thread is no Buffer any more.
  content: bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});
