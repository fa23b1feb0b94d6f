import { normalizeAddress } from '../../platform/addresses';
import { mailboxesField, textField } from '../mime';
import type { HeaderField } from '../mime';
import { decodeField, readMailboxes } from '../reader';

/** A field of a message that came composed. */
export interface GivenField extends HeaderField {
  /** The field as it was written, with its folds, without the line break at its end. */
  readonly line: string;
}

interface GivenHead {
  readonly fields: readonly GivenField[];
  /** Offset of the content after the head. */
  readonly bodyAt: number;
}

const END = '\r\n\r\n';
const BREAK = /\r\n(?![ \t])/;
const FIELD = /^([!-9;-~]+)[ \t]*:([^]*)$/;

/** Reads the head of a message or a part that begins at `from`; null where a line of it is no field. All lines end in CRLF. */
export function headAt(bytes: Buffer, from = 0): GivenHead | null {
  // A part without fields begins with the empty line.
  if (bytes.toString('latin1', from, from + 2) === '\r\n') return { fields: [], bodyAt: from + 2 };
  const found = bytes.indexOf(END, from);
  const end = found === -1 ? bytes.length : found;
  const lines = bytes.toString('latin1', from, end).replace(/\r\n$/, '').split(BREAK);
  const fields: GivenField[] = [];
  for (const line of lines) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name === undefined) return null;
    fields.push({ name, value: value.replace(/^ /, ''), line });
  }
  return { fields, bodyAt: found === -1 ? bytes.length : found + END.length };
}

/** Returns a field that is written so. */
export const fieldOf = ({ name, value }: HeaderField): GivenField => ({ name, value, line: `${name}: ${value}` });

/** Renders a head with the empty line after it. */
export const renderHead = (fields: readonly GivenField[]): string => `${fields.map(({ line }) => `${line}\r\n`).join('')}\r\n`;

const OF_MAILBOXES: ReadonlySet<string> = new Set(['from', 'sender', 'reply-to', 'to', 'cc', 'resent-from', 'resent-to', 'resent-cc']);
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Returns a field in ASCII: words in UTF-8 become encoded words, and domains their ASCII form, as not every server on the way takes anything else. Null for an
 * address whose local part has no such form.
 */
function asciiField(field: GivenField): GivenField | null {
  const { name, value } = field;
  if (!NOT_ASCII.test(field.line)) return field;
  const lower = name.toLowerCase();
  if (lower.startsWith('content-')) return fieldOf({ name, value: value.replace(/[^\0-\x7f]+/g, '_') });
  if (!OF_MAILBOXES.has(lower)) return fieldOf(textField(name, decodeField(value)));
  const mailboxes = readMailboxes(decodedWords(value)).map(({ address, name: called }) => ({
    address: asciiAddress(address),
    name: called,
  }));
  if (mailboxes.some(({ address }) => address === null)) return null;
  return fieldOf(mailboxesField(name, mailboxes as readonly { readonly address: string; readonly name: string }[]));
}

const decodedWords = (value: string): string => decodeUtf8(value.replaceAll('\r\n', ''));

const decodeUtf8 = (value: string): string => Buffer.from(value, 'latin1').toString();

const asciiAddress = (address: string): string | null => (NOT_ASCII.test(address) ? normalizeAddress(address) : address);

/** Why a message cannot be taken as it came. */
export type GivenFault = 'bare_line_break' | 'long_line' | 'bad_head' | 'bad_address' | 'nul';

const [NUL, LF, CR] = [0x00, 0x0a, 0x0d];
/** RFC 5322 2.1.1. */
const LONGEST_LINE = 998;

/** Returns what of the lines of a message no server may hand on: a line break that is not CRLF ends a message for some servers and not for others. */
function faultOfLines(bytes: Buffer): GivenFault | null {
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === NUL) return 'nul';
    if (byte !== CR && byte !== LF) continue;
    if (byte === LF || bytes[at + 1] !== LF) return 'bare_line_break';
    if (at - from > LONGEST_LINE) return 'long_line';
    from = at + 2;
    at++;
  }
  return bytes.length - from > LONGEST_LINE ? 'long_line' : null;
}

interface Preparation {
  /** Names of fields that go, in lower case; one that ends in `-` stands for all that begin so. */
  readonly without: readonly string[];
  /** Fields that are added, each where the message has none of the name. */
  readonly missing: readonly HeaderField[];
}

interface Prepared {
  readonly bytes: Buffer;
  readonly isEightBit: boolean;
}

/** Returns a message as it is stored: its bytes, but for the fields that go or are missing, and with a head in ASCII. */
export function prepareGiven(bytes: Buffer, { without, missing }: Preparation): Prepared | GivenFault {
  const fault = faultOfLines(bytes);
  if (fault) return fault;
  const head = headAt(bytes);
  if (!head) return 'bad_head';
  const goes = (name: string): boolean => without.some((each) => (each.endsWith('-') ? name.startsWith(each) : name === each));
  const names = new Set(head.fields.map(({ name }) => name.toLowerCase()));
  const added = missing.filter(({ name }) => !names.has(name.toLowerCase())).map(fieldOf);
  const kept = head.fields.filter(({ name }) => !goes(name.toLowerCase())).map(asciiField);
  if (kept.includes(null)) return 'bad_address';
  const body = bytes.subarray(head.bodyAt);
  const written = Buffer.from(renderHead([...added, ...(kept as readonly GivenField[])]), 'latin1');
  return { bytes: Buffer.concat([written, body]), isEightBit: body.some((byte) => byte > 0x7f) };
}
