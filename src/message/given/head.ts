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
export function asciiField(field: GivenField): GivenField | null {
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
