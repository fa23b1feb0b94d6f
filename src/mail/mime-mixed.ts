import MailComposer from 'nodemailer/lib/mail-composer';
import { renderFields } from './headers';
import { MailBytes } from './mail-bytes';
import { textBody } from './mime-text';
import type { MimeBody, TextualMail } from './mime-text';

interface MixedMail extends TextualMail {
  readonly attachments: readonly { readonly filename: string; readonly contentType: string; readonly content: Buffer }[];
}

const HEADER_END = '\r\n\r\n';

/**
 * Text (and HTML) with attachments as multipart/mixed. nodemailer frames the attachments; the text part is our own, so it is the same
 * with and without them. Every attachment is base64: nothing of a file stands in the message as it is.
 */
export async function mixedBody(mail: MixedMail, boundary: string): Promise<MimeBody> {
  const inner = textBody(mail, `${boundary}T`);
  const part = new MailBytes();
  part.text(`${renderFields(inner.fields)}\r\n`);
  inner.write(part);
  const composer = new MailComposer({
    text: { raw: part.from(0) },
    attachments: mail.attachments.map((attachment) => ({
      filename: attachment.filename.replace(/[\p{Cc}/\\]/gu, '_') || 'attachment',
      contentType: safeContentType(attachment.contentType),
      content: attachment.content,
      contentDisposition: 'attachment',
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
    fields: [{ name: 'Content-Type', value: `multipart/mixed;\r\n boundary="${root.boundary}"` }],
    write: (out) => out.copy(built.subarray(built.indexOf(HEADER_END) + HEADER_END.length)),
  };
}

const CONTENT_TYPE = /^[A-Za-z0-9!#$&^_.+-]{1,127}\/[A-Za-z0-9!#$&^_.+-]{1,127}(; ?[A-Za-z0-9-]{1,40}="?[A-Za-z0-9._+-]{1,80}"?){0,4}$/;

/** A nested message or multipart may not be base64 (RFC 2045 6.4), and a type that is none could carry more than a type. */
function safeContentType(contentType: string): string {
  return CONTENT_TYPE.test(contentType) && !/^(message|multipart)\//i.test(contentType) ? contentType : 'application/octet-stream';
}
