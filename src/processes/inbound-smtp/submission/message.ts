import { normalizeAddress } from '../../../platform/addresses';
import type { Core } from '../../../platform/core';
import { newId } from '../../../platform/core';
import { prepareGiven } from '../../../message/given';
import { messageIdOf, TAG_TEXT } from '../../../records/emails';
import type { SendMessage } from '../../../sending/accept';
import { examinerOf } from '../examiner';
import { authorNameOf, filesOf, idsIn, subjectOf, isLooping } from '../mail';
import type { ParsedMail } from '../mail';
import { LOOPING, TOO_LARGE } from '../refusal';
import { BAD_AUTHOR, TEXT_TOO_LARGE, badControl, refusalOfGiven } from './refusals';
import { decodeField } from '../../../message/reader';
import type { EmailType } from '../../../records/emails';

/** The wishes in the headers `X-Lettermill-*` of a message. */
interface Controls {
  readonly type: EmailType | null;
  readonly topicId: string | null;
  readonly tags: readonly string[] | null;
  readonly sendAt: Date | null;
  readonly templateId: string | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | null;
}

/** The beginning of the names, in lower case. */
const PREFIX = 'x-lettermill-';

const NAMES = ['Type', 'Topic', 'Tag', 'Send-At', 'Template', 'Variables', 'Idempotency-Key'] as const;
type Name = (typeof NAMES)[number];

const ID = /^[a-z]{2,8}_[0-9a-z]{1,64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;
const KEY = /^[\x20-\x7e]{1,255}$/;
const MOST_TAGS = 10;
const YEAR_MS = 365 * 86_400_000;

/** Reads the control headers of a message. Throws a refusal for one that is unknown, wrong, or there twice. */
function controlsOf(mail: Pick<ParsedMail, 'fields'>): Controls {
  const given = valuesOf(mail);
  const one = <T>(name: Exclude<Name, 'Tag'>, read: (value: string) => T | null, why: string): T | null => {
    const [value, another] = given.get(name) ?? [];
    if (value === undefined) return null;
    const found = another === undefined ? read(value) : null;
    if (found === null) throw badControl(`X-Lettermill-${name}`, another === undefined ? why : 'Give it once');
    return found;
  };
  const id = (value: string): string | null => (ID.test(value) ? value : null);
  const controls: Controls = {
    type: one('Type', typeOf, 'Must be transactional or marketing'),
    topicId: one('Topic', id, 'Must be the id of a topic'),
    tags: tagsOf(given.get('Tag')),
    sendAt: one('Send-At', instantOf, 'Must be an ISO 8601 time with its offset, at most 365 days ahead'),
    templateId: one('Template', id, 'Must be the id of a template'),
    variables: one('Variables', variablesOf, 'Must be a JSON object') ?? {},
    idempotencyKey: one('Idempotency-Key', (value) => (KEY.test(value) ? value : null), 'Must be 1 to 255 printable ASCII characters'),
  };
  if (controls.templateId === null && given.has('Variables')) throw badControl('X-Lettermill-Variables', 'Needs X-Lettermill-Template');
  return controls;
}

function valuesOf({ fields }: Pick<ParsedMail, 'fields'>): ReadonlyMap<Name, readonly string[]> {
  const given = new Map<Name, string[]>();
  for (const [field, value] of fields) {
    if (!field.startsWith(PREFIX)) continue;
    const name = NAMES.find((each) => PREFIX + each.toLowerCase() === field);
    if (!name) throw badControl(field.slice(0, 80), 'Unknown header');
    const known = given.get(name) ?? [];
    given.set(name, [...known, decodeField(value).trim()]);
  }
  return given;
}

const typeOf = (value: string): EmailType | null => (value === 'transactional' || value === 'marketing' ? value : null);

/** Returns a time; one that has passed means at once, as a program may come again with a message that it could not hand in. */
function instantOf(value: string): Date | null {
  const at = INSTANT.test(value) ? new Date(value) : null;
  if (at === null || Number.isNaN(at.getTime()) || at.getTime() > Date.now() + YEAR_MS) return null;
  return at;
}

function variablesOf(value: string): Readonly<Record<string, unknown>> | null {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Reads `name:value`, with commas between several. */
function tagsOf(values: readonly string[] | undefined): readonly string[] | null {
  if (!values) return null;
  const tags = values.flatMap((value) => value.split(',')).map((tag) => tag.trim());
  const names = new Set(tags.map((tag) => tag.slice(0, tag.indexOf(':'))));
  if (tags.length > MOST_TAGS || names.size < tags.length || !tags.every((tag) => TAG_TEXT.test(tag))) {
    throw badControl('X-Lettermill-Tag', `Must be name:value, at most ${MOST_TAGS}, each name once`);
  }
  return tags;
}

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
  type,
  topicId,
  tags,
  templateId,
  variables,
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
