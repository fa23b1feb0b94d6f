import type { HeaderField } from './headers';
import { quotedPrintableBound, writeQuotedPrintable } from './quoted-printable';

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
export function textBody(mail: { readonly html: string | null; readonly text: string }, boundary: string): MimeBody {
  const bytes = Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html ?? '');
  const out = reserve(target, quotedPrintableBound(bytes) + FRAME);
  if (mail.html === null) {
    const end = writePart(mail.text, out, 0);
    return { fields: PLAIN, bytes: out.subarray(0, put('\r\n', out, end)) };
  }
  let at = put(`--${boundary}\r\n${PLAIN_PART}`, out, 0);
  at = writePart(mail.text, out, at);
  at = put(`\r\n--${boundary}\r\n${HTML_PART}`, out, at);
  at = writePart(mail.html, out, at);
  at = put(`\r\n--${boundary}--\r\n`, out, at);
  return {
    fields: [{ name: 'Content-Type', value: `multipart/alternative; boundary="${boundary}"` }],
    bytes: out.subarray(0, at),
  };
}

function writePart(text: string, out: Buffer, at: number): number {
  const utf8 = reserve(source, text.length * 3);
  return writeQuotedPrintable(utf8.subarray(0, utf8.write(text)), out, at);
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
