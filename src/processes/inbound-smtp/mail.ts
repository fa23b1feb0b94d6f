import { oneLine } from '../../message/reader';
import type { ReadMail, ReadPart } from '../../message/reader';
import type { ReceivedAttachment } from '../../sending/inbound';

const SUBJECT_LENGTH = 998;
const NAME_LENGTH = 200;
const FILENAME_LENGTH = 255;
const MOST_FILES = 100;

/** A message as far as it is read. */
export type ParsedMail = ReadMail;

/** Returns the first field of a name, as it was written. */
export const fieldOf = ({ fields }: Pick<ParsedMail, 'fields'>, name: string): string | null =>
  fields.find(([key]) => key === name)?.[1] ?? null;

/** Returns the ids of messages that a field of a mail names. */
export const idsIn = (mail: ParsedMail, field: string): readonly string[] => fieldOf(mail, field)?.match(/<[^<>\s]{1,250}>/g) ?? [];

/** Returns the subject of a mail as it is stored. */
export const subjectOf = ({ subject }: ParsedMail): string => oneLine(subject, SUBJECT_LENGTH);

/** Returns the name of its author as it is stored. */
export const authorNameOf = ({ author }: ParsedMail): string => oneLine(author.name, NAME_LENGTH);

/** Returns its files as they are stored. */
export const filesOf = ({ parts }: ParsedMail): readonly ReceivedAttachment[] => parts.slice(0, MOST_FILES).map(fileOf);

const fileOf = ({ contentType, filename, size, bytes }: ReadPart, index: number): ReceivedAttachment => ({
  filename: oneLine((filename ?? '').replace(/^.*[/\\]/s, ''), FILENAME_LENGTH) || `attachment-${index + 1}`,
  contentType: /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(contentType) ? contentType : 'application/octet-stream',
  size,
  // What comes from the thread is no Buffer any more.
  content: bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/** More hosts than mail passes through unless it goes in a circle (RFC 5321 6.3 leaves the number to us). */
const MOST_HOPS = 30;

/** Returns whether a mail went through enough servers that it must be looping (RFC 5321, section 6.3). */
export const isLooping = ({ fields }: Pick<ParsedMail, 'fields'>): boolean =>
  fields.filter(([name]) => name === 'received').length > MOST_HOPS;

const SIGNS: readonly (readonly [field: string, sign: RegExp])[] = [
  ['auto-submitted', /^\s*(?!no\b)[a-z]/i],
  ['precedence', /^\s*(?:auto_reply|bulk|junk)\s*$/i],
  ['x-autoreply', /\S/],
  ['x-autorespond', /\S/],
  // What belongs to a campaign or an automation.
  ['feedback-id', /^\s*(?:cmp|wfl)_[^:]*:.*:lettermill\s*$/i],
];

/**
 * Returns whether a machine sent a message, and an answer would be read by a machine at best (RFC 3834 2): no envelope sender, marked as automatic, an answering
 * machine's, or one of our own automations' and campaigns'.
 */
export const isAutomatic = (mail: Pick<ParsedMail, 'fields'>, envelopeFrom: string): boolean =>
  envelopeFrom === '' || SIGNS.some(([name, sign]) => sign.test(fieldOf(mail, name) ?? ''));
