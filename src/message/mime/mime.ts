import MailComposer from 'nodemailer/lib/mail-composer';
import { dkimSignature } from '../dkim';
import type { DkimKey } from '../dkim';
import { mailboxField, mailboxesField, renderFields, textField } from './headers';
import type { HeaderField } from './headers';
import { MailBytes } from './mail-bytes';
import type { MailScratch } from './mail-bytes';
import { encodePieces } from './pieces';
import type { Pieces } from './pieces';
import { isUtf8 } from 'node:buffer';

/** The texts of a mail. */
export interface TextualMail {
  readonly html: Pieces | null;
  readonly text: Pieces;
}

interface Mailbox {
  readonly address: string;
  readonly name: string | null;
}

/** A mail before it is composed. */
export interface OutgoingMail extends TextualMail {
  readonly from: Mailbox;
  readonly to: Mailbox;
  /** The recipients in the headers, where they are not the envelope's recipient alone. */
  readonly visible?: { readonly to: readonly Mailbox[]; readonly cc: readonly Mailbox[] } | undefined;
  readonly replyTo: string | null;
  readonly replyToName?: string | undefined;
  readonly subject: string;
  readonly date: Date;
  /** With its angle brackets; the boundaries derive from it. */
  readonly messageId: string;
  /** Further fields, already permitted: custom ones, Feedback-ID, List-Unsubscribe ... */
  readonly headers: readonly (readonly [string, string])[];
  readonly attachments: readonly AttachedFile[];
  /** Signs it. */
  readonly dkim: DkimKey | null;
}

/** A file attached to a message. One with a `cid` is shown in the HTML where that names it. */
interface AttachedFile {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  readonly cid?: string | undefined;
}

/**
 * Composes the message for DATA: 7-bit, one character a byte, CRLF line ends, no line over 998 characters, not dot-stuffed. The same input gives the same
 * message. Nothing in the input can add a header field.
 */
export async function composeMail(mail: OutgoingMail, scratch: MailScratch): Promise<string> {
  const boundary = boundaryFor(mail.messageId);
  const body = mail.attachments.length === 0 ? textBody(mail, boundary) : await mixedBody(mail, boundary, scratch);
  const { fields, bytes, contentAt } = write(mail, body, scratch);
  const message = bytes.from(0);
  if (mail.dkim === null) return message;
  return renderFields([await dkimSignature(mail.dkim, fields, bytes.view(contentAt), mail.date)]) + message;
}

interface WrittenMail {
  readonly fields: readonly HeaderField[];
  readonly bytes: MailBytes;
  /** Offset of the content. */
  readonly contentAt: number;
}

function write(mail: OutgoingMail, body: MimeBody, scratch: MailScratch): WrittenMail {
  const fields = [...ownFields(mail), ...body.fields];
  const bytes = new MailBytes(scratch);
  bytes.text(`${renderFields(fields)}\r\n`);
  const contentAt = bytes.length;
  body.write(bytes);
  return { fields, bytes, contentAt };
}

function ownFields(mail: OutgoingMail): HeaderField[] {
  const fields = [mailboxField('From', mail.from), mail.visible ? mailboxesField('To', mail.visible.to) : mailboxField('To', mail.to)];
  if (mail.visible && mail.visible.cc.length > 0) fields.push(mailboxesField('Cc', mail.visible.cc));
  if (mail.replyTo !== null) fields.push(mailboxField('Reply-To', { address: mail.replyTo, name: mail.replyToName ?? null }));
  fields.push(
    textField('Subject', mail.subject),
    { name: 'Message-ID', value: mail.messageId.replace(/[^\x21-\x7e]/g, '') },
    { name: 'Date', value: mail.date.toUTCString().replace('GMT', '+0000') },
  );
  for (const [name, value] of mail.headers) fields.push(textField(name, value));
  fields.push({ name: 'MIME-Version', value: '1.0' });
  return fields;
}

/** A message's content, all of it ASCII, and the fields that describe it. */
interface MimeBody {
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

/**
 * Derives the boundary of a message, the same at every attempt. `=_` cannot occur in quoted-printable or base64 (RFC 2045 6.7), so no content
 * can hold the boundary.
 */
export function boundaryFor(messageId: string): string {
  return `=_${messageId.replace(/[^A-Za-z0-9]/g, '').slice(0, 40)}`;
}

/** Returns text alone, or text and HTML as multipart/alternative (RFC 2046 5.1.4). */
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

/** Returns a single part with its fields, as `textBody` writes it between boundaries. */
export function textPart(kind: 'plain' | 'html', content: Pieces, scratch: MailScratch): string {
  const out = new MailBytes(scratch);
  out.text(kind === 'plain' ? PLAIN_PART : HTML_PART);
  encodePieces(content, out);
  return out.from(0);
}

function writePlain(text: Pieces, out: MailBytes): void {
  encodePieces(text, out);
  out.text('\r\n');
}

const HEADER_END = '\r\n\r\n';

/**
 * Resolves to text (and HTML) with attachments as multipart/mixed; files shown in the HTML are with it in a multipart/related (RFC 2387), and an invitation is also
 * an alternative of the texts. nodemailer frames the attachments; the text parts are made here, so they are the same with and without attachments. Every
 * attachment is base64: no file is in the message verbatim.
 */
async function mixedBody(mail: OutgoingMail, boundary: string, scratch: MailScratch): Promise<MimeBody> {
  const files = mail.attachments.map((file) => ({ ...file, contentType: typeInMail(file.contentType, file.content) }));
  const invitations = files.filter(({ contentType }) => isInvitation(contentType));
  const composer = new MailComposer({
    ...(invitations.length > 0 || files.some(isShown) ? partsOf(mail, scratch) : textsOf(mail, boundary, scratch)),
    alternatives: invitations.map(({ contentType, content }) => ({ contentType, content, contentTransferEncoding: 'base64' as const })),
    attachments: files.map((attachment) => ({
      filename: attachment.filename.replace(/[\p{Cc}/\\]/gu, '_') || 'attachment',
      contentType: attachment.contentType,
      content: attachment.content,
      contentDisposition: attachment.cid === undefined ? 'attachment' : 'inline',
      ...(attachment.cid !== undefined && { cid: attachment.cid }),
      contentTransferEncoding: 'base64',
    })),
    boundaryPrefix: '=_',
    baseBoundary: boundary.slice(2),
    messageId: '<unused@invalid>',
    date: new Date(0),
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const root = composer.compile();
  const built = await root.build();
  return {
    fields: [{ name: 'Content-Type', value: `${containerOf(mail)};\r\n boundary="${root.boundary}"` }],
    write: (out) => out.copy(built.subarray(built.indexOf(HEADER_END) + HEADER_END.length)),
  };
}

/** Encodes text and HTML separately: files that the HTML shows, and invitations, are next to them. */
const partsOf = (
  { text, html }: TextualMail,
  scratch: MailScratch,
): { readonly text: { raw: string }; readonly html?: { raw: string } } => ({
  text: { raw: textPart('plain', text, scratch) },
  ...(html !== null && { html: { raw: textPart('html', html, scratch) } }),
});

/** Returns text and HTML as one part. */
function textsOf(mail: TextualMail, boundary: string, scratch: MailScratch): { readonly text: { raw: string } } {
  const inner = textBody(mail, `${boundary}T`);
  const part = new MailBytes(scratch);
  part.text(`${renderFields(inner.fields)}\r\n`);
  inner.write(part);
  return { text: { raw: part.from(0) } };
}

const isShown = ({ cid }: AttachedFile): boolean => cid !== undefined;

/** Returns the container that nodemailer will create: nothing is next to the texts if all files are with the HTML. */
const containerOf = ({ html, attachments }: OutgoingMail): string =>
  html !== null && attachments.every(isShown) ? 'multipart/alternative' : 'multipart/mixed';

const NAME = '[A-Za-z0-9!#$&^_.+-]{1,127}';
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,127}";
const QUOTED = String.raw`"(?:[^"\\\x00-\x1f\x7f]|\\[^\x00-\x1f\x7f])*"`;
const PARAMETER = `[ \\t]*;[ \\t]*(${TOKEN})=(${TOKEN}|${QUOTED})`;

/** The type of a file with its parameters (RFC 2045 5.1), without comments and without any character that could end the header field. */
export const CONTENT_TYPE = new RegExp(`^${NAME}/${NAME}(?:${PARAMETER})*$`);
const PARAMETERS = new RegExp(PARAMETER, 'g');

const UNTYPED = 'application/octet-stream';
/** They may not be base64 (RFC 2045 6.4). */
const NOT_ENCODABLE = /^(?:message|multipart)\//i;

const hasParameter = (contentType: string, wanted: string): boolean =>
  [...contentType.matchAll(PARAMETERS)].some(([, name]) => name?.toLowerCase() === wanted);

/** Returns whether a file is an invitation, which mail programs expect next to the texts (RFC 6047 2.4). */
const isInvitation = (contentType: string): boolean => /^text\/calendar[ \t;]/i.test(contentType) && hasParameter(contentType, 'method');

/** Returns the type that a file gets in mail: text in UTF-8 says so, and what cannot be base64, or is no type, is a file of any kind. */
function typeInMail(contentType: string, content: Buffer): string {
  if (!CONTENT_TYPE.test(contentType) || NOT_ENCODABLE.test(contentType)) return UNTYPED;
  const isUnnamed = /^text\//i.test(contentType) && !hasParameter(contentType, 'charset');
  return isUnnamed && isUtf8(content) ? `${contentType}; charset=utf-8` : contentType;
}
