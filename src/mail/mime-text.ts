import type { HeaderField } from './headers';
import { encodedTexts } from './fixed-text';
import { columnAt, quotedPrintableBound, softBreak, writeQuotedPrintable } from './quoted-printable';

/** A message's content and the fields that describe it. */
export interface MimeBody {
  readonly fields: readonly HeaderField[];
  readonly bytes: Buffer;
}

const PLAIN: readonly HeaderField[] = [
  { name: 'Content-Type', value: 'text/plain; charset=utf-8' },
  { name: 'Content-Transfer-Encoding', value: 'quoted-printable' },
];
const PART = (subtype: string) => `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
const PLAIN_PART = PART('plain');
const HTML_PART = PART('html');

export interface TextualMail {
  readonly html: string | null;
  readonly text: string;
  /** Texts that occur in every message of this content, in their order. */
  readonly fixed?: { readonly html: readonly string[]; readonly text: readonly string[] };
}

const NOTHING: readonly string[] = [];
const NOTHING_FIXED = { html: NOTHING, text: NOTHING };
const SOFT_BREAK = 3;

/** Room for the boundaries and part headers of one body, with much to spare. */
const FRAME = 1024;
const KEPT_BYTES = 1 << 20;
const source = { buffer: Buffer.allocUnsafeSlow(1 << 16) };
const target = { buffer: Buffer.allocUnsafeSlow(1 << 17) };

/**
 * The boundary of a message, the same at every attempt. `=_` cannot occur in quoted-printable or base64 (RFC 2045 6.7), so no content
 * can hold the boundary.
 */
export function boundaryFor(messageId: string): string {
  return `=_${messageId.replace(/[^A-Za-z0-9]/g, '').slice(0, 40)}`;
}

/**
 * Text alone, or text and HTML as multipart/alternative (RFC 2046 5.1.4). The bytes are a view of a buffer that the next call writes over:
 * copy or hash them before anything is awaited.
 */
export function textBody(mail: TextualMail, boundary: string): MimeBody {
  const { fixed = NOTHING_FIXED } = mail;
  const bytes = Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html ?? '');
  const breaks = fixed.html.length + fixed.text.length;
  const out = reserve(target, quotedPrintableBound(bytes) + breaks * SOFT_BREAK + FRAME);
  if (mail.html === null) {
    const end = writePart(mail.text, fixed.text, out, 0);
    return { fields: PLAIN, bytes: out.subarray(0, put('\r\n', out, end)) };
  }
  let at = put(`--${boundary}\r\n${PLAIN_PART}`, out, 0);
  at = writePart(mail.text, fixed.text, out, at);
  at = put(`\r\n--${boundary}\r\n${HTML_PART}`, out, at);
  at = writePart(mail.html, fixed.html, out, at);
  at = put(`\r\n--${boundary}--\r\n`, out, at);
  return {
    fields: [{ name: 'Content-Type', value: `multipart/alternative; boundary="${boundary}"` }],
    bytes: out.subarray(0, at),
  };
}

/** What is the same in every message is copied in its encoded form. A text that is not found ends the search: none is looked for twice. */
function writePart(text: string, fixed: readonly string[], out: Buffer, start: number): number {
  let at = start;
  let from = 0;
  for (const known of encodedTexts(fixed)) {
    const found = text.indexOf(known.text, from);
    if (found === -1) break;
    at = writeText(text.slice(from, found), out, at);
    if (columnAt(out, at) > 0) at = softBreak(out, at);
    at += known.bytes.copy(out, at);
    from = found + known.text.length;
  }
  return writeText(text.slice(from), out, at);
}

function writeText(text: string, out: Buffer, at: number): number {
  const utf8 = reserve(source, text.length * 3);
  return writeQuotedPrintable(utf8.subarray(0, utf8.write(text)), out, at, columnAt(out, at));
}

function put(text: string, out: Buffer, at: number): number {
  return at + out.write(text, at, 'latin1');
}

/** The kept buffers spare each message the allocation of its upper bounds; a rare huge one gets its own. */
function reserve(kept: { buffer: Buffer }, size: number): Buffer {
  if (size <= kept.buffer.length) return kept.buffer;
  if (size > KEPT_BYTES) return Buffer.allocUnsafeSlow(size);
  kept.buffer = Buffer.allocUnsafeSlow(KEPT_BYTES);
  return kept.buffer;
}
