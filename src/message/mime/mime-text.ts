import { encodePieces } from './encode-pieces';
import type { Pieces } from './fixed-text';
import type { HeaderField } from './headers';
import { MailBytes } from './mail-bytes';
import type { MailScratch } from './mail-bytes';

/** A message's content, all of it ASCII, and the fields that describe it. */
export interface MimeBody {
  readonly fields: readonly HeaderField[];
  readonly write: (out: MailBytes) => void;
}

const PLAIN: readonly HeaderField[] = [
  { name: 'Content-Type', value: 'text/plain; charset=utf-8' },
  { name: 'Content-Transfer-Encoding', value: 'quoted-printable' },
];
const PART = (subtype: string) => `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
const PLAIN_PART = PART('plain');
const HTML_PART = PART('html');

export interface TextualMail {
  readonly html: Pieces | null;
  readonly text: Pieces;
}

/**
 * Derives the boundary of a message, the same at every attempt. `=_` cannot occur in quoted-printable or base64 (RFC 2045 6.7), so no content
 * can hold the boundary.
 */
export function boundaryFor(messageId: string): string {
  return `=_${messageId.replace(/[^A-Za-z0-9]/g, '').slice(0, 40)}`;
}

/** Makes text alone, or text and HTML as multipart/alternative (RFC 2046 5.1.4). */
export function textBody({ html, text }: TextualMail, boundary: string): MimeBody {
  if (html === null) return { fields: PLAIN, write: (out) => writePlain(text, out) };
  return {
    fields: [{ name: 'Content-Type', value: `multipart/alternative; boundary="${boundary}"` }],
    write: (out) => {
      out.text(`--${boundary}\r\n${PLAIN_PART}`);
      encodePieces(text, out);
      out.text(`\r\n--${boundary}\r\n${HTML_PART}`);
      encodePieces(html, out);
      out.text(`\r\n--${boundary}--\r\n`);
    },
  };
}

/** Makes a single part with its fields, as `textBody` writes it between boundaries. */
export function partOf(kind: 'plain' | 'html', content: Pieces, scratch: MailScratch): string {
  const out = new MailBytes(scratch);
  out.text(kind === 'plain' ? PLAIN_PART : HTML_PART);
  encodePieces(content, out);
  return out.from(0);
}

function writePlain(text: Pieces, out: MailBytes): void {
  encodePieces(text, out);
  out.text('\r\n');
}
