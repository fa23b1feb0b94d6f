import { normalizeAddress } from '../../../platform/addresses';
import type { Core } from '../../../platform/core';
import { newId } from '../../../platform/core';
import { prepareGiven } from '../../../message/given';
import { messageIdOf } from '../../../records/emails';
import type { SendMessage } from '../../../sending/accept';
import { isLooping } from '../automatic';
import { examinerOf } from '../examiner';
import { authorNameOf, filesOf, idsIn, subjectOf } from '../mail';
import type { ParsedMail } from '../mail';
import { LOOPING, TOO_LARGE } from '../refusal';
import { PREFIX, controlsOf } from './controls';
import type { Controls } from './controls';
import { BAD_AUTHOR, TEXT_TOO_LARGE, badControl, refusalOfGiven } from './refusals';

/** The limit of a request of the API, which holds the same content. */
export const MESSAGE_BYTES = 10 * 1_048_576;

const TEXT_BYTES = 1_048_576;
/** The limit of the API for a message that we compose. */
const MOST_ATTACHMENTS = 10;

/** Fields that nobody else may read, in lower case. */
const PRIVATE = ['bcc', 'resent-bcc', 'return-path', PREFIX];

const NAMES_TEMPLATE = /^x-lettermill-template[ \t]*:/im;
const LONGEST_HEAD = 102_400;

/** A submitted message, without its recipients. */
export interface Submitted {
  readonly message: Omit<SendMessage, 'to' | 'toMany'>;
  /** Identifies the message when the program hands it in again; null of one that cannot be recognized. */
  readonly key: string | null;
}

/** Reads a submitted message. Throws a refusal for one that cannot be sent. */
export async function readSubmitted(core: Core, bytes: Buffer, network: string): Promise<Submitted> {
  const usesTemplate = NAMES_TEMPLATE.test(bytes.toString('latin1', 0, LONGEST_HEAD));
  // The examiner may take the bytes to another thread.
  const wanted = { keepBytes: usesTemplate ? MESSAGE_BYTES : 0, claims: false };
  const { mail } = await examinerOf(core).examine(Buffer.from(bytes), wanted, network);
  if (isLooping(mail)) throw LOOPING;
  const controls = controlsOf(mail);
  const [messageId = null] = idsIn(mail, 'message-id');
  const common = { ...senderOf(mail), ...wishesOf(controls) };
  return {
    message: controls.templateId === null ? givenMessage(mail, bytes, common, messageId) : templateMessage(mail, common),
    key: keyOf(controls, messageId),
  };
}

const keyOf = ({ idempotencyKey }: Controls, messageId: string | null): string | null => {
  if (idempotencyKey !== null) return `key ${idempotencyKey}`;
  return messageId && `message ${messageId}`;
};

type Common = ReturnType<typeof senderOf> & ReturnType<typeof wishesOf>;

function senderOf(mail: ParsedMail) {
  const from = normalizeAddress(mail.author.address);
  if (!mail.hasOneAuthor || from === null) throw BAD_AUTHOR;
  return { from, fromName: authorNameOf(mail) || null, replyTo: normalizeAddress(mail.replyTo ?? '') };
}

// A time that has passed is now.
const wishesOf = ({ type, topicId, tags, sendAt, templateId, variables }: Controls) => ({
  ...{ type, topicId, tags, templateId, variables },
  sendAt: sendAt !== null && sendAt.getTime() > Date.now() ? sendAt : null,
  createContact: true,
  headers: null,
});

const withoutNul = (text: string): string => text.replaceAll('\0', '');

/** Returns a message whose own bytes go out. */
function givenMessage(mail: ParsedMail, bytes: Buffer, common: Common, known: string | null): Submitted['message'] {
  const messageId = known ?? messageIdOf(newId('msg'), common.from);
  const prepared = prepareGiven(bytes, {
    // One that cannot be read is replaced.
    without: known === null ? [...PRIVATE, 'message-id'] : PRIVATE,
    missing: [
      { name: 'Message-ID', value: messageId },
      { name: 'Date', value: new Date().toUTCString().replace('GMT', '+0000') },
    ],
  });
  if (typeof prepared === 'string') throw refusalOfGiven(prepared);
  const [html, text] = [mail.html, mail.text].map((each) => (each === null ? null : withoutNul(each)));
  for (const each of [html, text]) if (each && Buffer.byteLength(each) > TEXT_BYTES) throw TEXT_TOO_LARGE;
  const files = filesOf(mail).map(({ filename, contentType, size }) => ({ filename, contentType, size }));
  return {
    ...common,
    subject: subjectOf(mail),
    html: html ?? null,
    text: text ?? (html === null ? '' : null),
    attachments: [],
    given: { ...prepared, messageId, files },
  };
}

/** Returns a message that we compose of a template; of what was submitted the subject and the files are used. */
function templateMessage(mail: ParsedMail, common: Common): Submitted['message'] {
  const files = filesOf(mail);
  if (files.length > MOST_ATTACHMENTS) throw badControl('X-Lettermill-Template', `At most ${MOST_ATTACHMENTS} attachments`);
  const attachments = files.map(({ filename, contentType, content }) => {
    if (!content) throw TOO_LARGE;
    return { filename, contentType, content };
  });
  return { ...common, subject: subjectOf(mail) || null, html: null, text: null, attachments };
}
