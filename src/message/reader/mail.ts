import { escapeMarkup, htmlToText } from '../template';
import { decodeHtml, decodeText } from './charset';
import { readTree, textOf } from './tree';
import type { Entity } from './tree';
import { undoTransfer, uuDecode } from './transfer';
import addressparser from 'nodemailer/lib/addressparser';
import { fieldIn } from './head';
import type { Field } from './head';
import { decodeField } from './words';

/** Parts of reports, and the messages that they report. */
const OF_REPORTS =
  /^(?:message\/(?:global-)?delivery-status|message\/feedback-report|message\/rfc822|message\/global|text\/rfc822-headers|message\/(?:rfc822|global)-headers)$/;
const KEPT_OF_REPORT = 256 * 1024;
/**
 * Limit for all plain texts of a message, and for all its HTML, before their characters are decoded: larger than the stored limit, since
 * line breaks get shorter.
 */
const MOST_TEXT = 1.25 * 1_048_576;
/** Largest ratio of encoded to decoded bytes: four to one. */
const ENCODED = 4;

export interface ReadPart {
  readonly contentType: string;
  readonly filename: string | null;
  /** Bytes after decoding. */
  readonly size: number;
  /** The beginning of a part that belongs to a report; null of any other. */
  readonly content: string | null;
  /** All of it; null where it is not wanted, or the parts before it are as much as is kept. */
  readonly bytes: Uint8Array | null;
}

/** A message as far as it is read. */
export interface ReadMail {
  /** The fields of the head by their names in lower case, unfolded, as they were written; in their order. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The first mailbox in the From field. */
  readonly author: Mailbox;
  /** The From fields name one author, and no other. */
  readonly hasOneAuthor: boolean;
  /** The first of those to whom an answer is to go, where the message says so. */
  readonly replyTo: string | null;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly parts: readonly ReadPart[];
}

export interface Mailbox {
  readonly address: string;
  readonly name: string;
}

/** Longer than the addresses of any author; what reads them takes time by the square of the length. */
const MOST_LENGTH = 8_192;

type Parsed = ReturnType<typeof addressparser>[number];

const mailboxesIn = (parsed: readonly Parsed[]): readonly Mailbox[] =>
  parsed.flatMap((entry) => ('group' in entry && entry.group ? mailboxesIn(entry.group) : [mailboxOf(entry as Mailbox)]));

// Some software encodes the address together with the name.
function mailboxOf({ address, name }: Mailbox): Mailbox {
  const decoded = { address: decodeField(address), name: decodeField(name) };
  if (decoded.address !== '') return decoded;
  const [, before = '', inside = ''] = /^([^<>]*)<([^<>\s]+@[^<>\s]+)>\s*$/.exec(decoded.name) ?? [];
  return inside === '' ? decoded : { address: inside, name: before.trim().replace(/^"(.*)"$/, '$1') };
}

/** Returns the mailboxes of a field, those of groups too; none of one that is too long to be honest. */
export const readMailboxes = (value: string): readonly Mailbox[] => (value.length > MOST_LENGTH ? [] : mailboxesIn(addressparser(value)));

/** Returns the mailboxes of the first field of a name, those of groups too; null where it is too long to be honest. */
function mailboxesOf(fields: readonly Field[], name: string): readonly Mailbox[] | null {
  const value = fieldIn(fields, name) ?? '';
  return value.length > MOST_LENGTH ? null : mailboxesIn(addressparser(value));
}

const NO_AUTHOR: Mailbox = { address: '', name: '' };

/**
 * Reads a message, however malformed, in time and memory proportional to its length: its texts as a person would see them, its other parts
 * as files. Keeps up to `keepBytes` of the files, each whole or not at all. Throws for one that is nested too deep, has too many parts, or
 * too long a head.
 */
export function readMail(bytes: Buffer, keepBytes: number): ReadMail {
  const tree = readTree(bytes);
  const { fields } = tree;
  const body = new Body(keepBytes);
  const { text, html } = body.contentOf(tree, ROOT);
  const authors = mailboxesOf(fields, 'from');
  return {
    fields: fields.map(({ name, value }) => [name, value]),
    author: authors?.[0] ?? NO_AUTHOR,
    hasOneAuthor: authors?.length === 1 && fields.filter(({ name }) => name === 'from').length === 1,
    replyTo: mailboxesOf(fields, 'reply-to')?.[0]?.address ?? null,
    subject: textOf(fields, 'subject'),
    text,
    html,
    parts: body.parts,
  };
}

interface Content {
  readonly text: string | null;
  readonly html: string | null;
}

const NOTHING: Content = { text: null, html: null };

/** The position of a part in the message. */
interface PartPosition {
  readonly isRoot: boolean;
  readonly isAlternative: boolean;
}

const ROOT: PartPosition = { isRoot: true, isAlternative: false };

class Body {
  readonly parts: ReadPart[] = [];
  private readonly left = { 'text/plain': MOST_TEXT, 'text/html': MOST_TEXT };

  constructor(private keepLeft: number) {}

  contentOf(entity: Entity, position: PartPosition): Content {
    const { type, parts } = entity;
    if (parts.length > 0) {
      const isAlternative = type === 'multipart/alternative';
      const found = parts.map((part) => this.contentOf(part, { isRoot: false, isAlternative: isAlternative || position.isAlternative }));
      return isAlternative ? chosen(found) : together(found);
    }
    if ((type !== 'text/plain' && type !== 'text/html') || entity.disposition === 'attachment') {
      this.keep(entity);
      return NOTHING;
    }
    if (isNamedFile(entity, position)) this.keep(entity);
    return type === 'text/html' ? { text: null, html: this.textIn(entity, type) } : { text: this.plainTextIn(entity), html: null };
  }

  private plainTextIn(entity: Entity): string {
    const { parameters } = entity;
    const text = this.textIn(entity, 'text/plain');
    const isFlowed = parameters.get('format')?.toLowerCase() === 'flowed';
    return this.withoutFiles(isFlowed ? unflow(text, parameters.get('delsp')?.toLowerCase() === 'yes') : text);
  }

  private textIn({ parameters, encoding, body }: Entity, type: 'text/plain' | 'text/html'): string {
    const { bytes } = undoTransfer(encoding, body.subarray(0, ENCODED * this.left[type]), this.left[type]);
    this.left[type] -= bytes.length;
    const charset = parameters.get('charset') ?? null;
    const text = type === 'text/html' ? decodeHtml(bytes, charset) : decodeText(bytes, charset);
    return text.replace(/\r+\n?/g, '\n');
  }

  /** Removes uuencoded files from a text. */
  private withoutFiles(text: string): string {
    if (!text.includes('\nend')) return text;
    return text.replace(UU_FILE, (lines, filename: string) => {
      const encoded = Buffer.from(lines, 'latin1');
      const { bytes, size } = uuDecode(encoded, this.keepLeft);
      this.add({ contentType: 'application/octet-stream', filename: filename.trim(), content: null, size }, bytes);
      return '';
    });
  }

  private keep({ type, filename, encoding, body }: Entity): void {
    const isOfReport = OF_REPORTS.test(type);
    const { bytes, size } = undoTransfer(encoding, body, Math.max(this.keepLeft, isOfReport ? KEPT_OF_REPORT : 0));
    const content = isOfReport ? bytes.toString('utf8', 0, KEPT_OF_REPORT) : null;
    this.add({ contentType: type, filename, content, size }, bytes);
  }

  private add(part: Omit<ReadPart, 'bytes'>, bytes: Buffer): void {
    const isKept = this.keepLeft > 0 && part.size <= this.keepLeft;
    if (isKept) this.keepLeft -= part.size;
    // A copy: what is shown to another thread is shown with all the memory around it.
    this.parts.push({ ...part, bytes: isKept ? new Uint8Array(bytes) : null });
  }
}

const SIGNATURE = '-- ';

const MOST_UNCOPIED = 65_536;

interface Line {
  /** The marks of its quotation. */
  readonly marks: string;
  readonly words: string;
  /** Offset of the next one. */
  readonly next: number;
}

function lineAt(text: string, at: number): Line {
  const found = text.indexOf('\n', at);
  const end = found === -1 ? text.length : found;
  let start = at;
  while (text[start] === '>') start++;
  return { marks: text.slice(at, start), words: text.slice(text[start] === ' ' ? start + 1 : start, end), next: end + 1 };
}

/** Puts the lines of `format=flowed` text together to paragraphs (RFC 3676), each with the marks of its quotation. */
function unflow(text: string, delSp: boolean): string {
  const copied: string[] = [];
  let put = '';
  let flowing: string | null = null;
  for (let at = 0; at <= text.length;) {
    const { marks, words, next } = lineAt(text, at);
    const flows = words.endsWith(' ') && words !== SIGNATURE;
    const isNew = flowing !== marks || words === SIGNATURE;
    put += `${isNew ? beginning(marks, at) : ''}${flows && delSp ? words.slice(0, -1) : words}`;
    flowing = flows ? marks : null;
    if (put.length > MOST_UNCOPIED) {
      copied.push(copyOf(put));
      put = '';
    }
    at = next;
  }
  return copied.join('') + put;
}

const beginning = (marks: string, at: number): string => `${at === 0 ? '' : '\n'}${marks}${marks === '' ? '' : ' '}`;

// Text that was put together piece by piece takes ten times its memory until it is copied.
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le');

const UU_FILE = /^begin [0-7]{3,4} ([^\n]{1,255})\n(?:[!-`][ -`]{1,80}\n){1,200000}[` ]?\n?end(?:\n|$)/gm;

/** Returns whether a text is a file too, by the name that it has: a mail program shows both. */
function isNamedFile({ filename, disposition }: Entity, { isRoot, isAlternative }: PartPosition): boolean {
  return filename !== null && (disposition === 'inline' || (!isRoot && !isAlternative));
}

/** Returns one of several alternatives: the last is the richest; one that is only text is the text. */
function chosen(found: readonly Content[]): Content {
  const plain = found.findLast(({ text, html }) => text !== null && html === null) ?? found.findLast(({ text }) => text !== null);
  return { text: plain?.text ?? null, html: found.findLast(({ html }) => html !== null)?.html ?? null };
}

/** Joins parts that belong together: each is in the text and, if one of them is HTML, in the HTML. */
function together(found: readonly Content[]): Content {
  const filled = found.filter(({ text, html }) => text !== null || html !== null);
  if (filled.length < 2) return filled[0] ?? NOTHING;
  const hasText = filled.some(({ text }) => text !== null);
  const hasHtml = filled.some(({ html }) => html !== null);
  return {
    text: hasText ? filled.map(({ text, html }) => text ?? htmlToText(html ?? '')).join('\n') : null,
    html: hasHtml ? filled.map(({ text, html }) => html ?? asHtml(text ?? '')).join('\n') : null,
  };
}

const asHtml = (text: string): string => (text.trim() === '' ? '' : `<div style="white-space: pre-wrap">${escapeMarkup(text)}</div>`);
