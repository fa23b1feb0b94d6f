import { dkimSignature } from './dkim';
import type { DkimKey } from './dkim';
import { mailboxField, renderFields, textField } from './headers';
import type { HeaderField } from './headers';
import { MailBytes } from './mail-bytes';
import { mixedBody } from './mime-mixed';
import { boundaryFor, textBody } from './mime-text';
import type { TextualMail } from './mime-text';

export interface OutgoingMail extends TextualMail {
  readonly from: { readonly address: string; readonly name: string | null };
  readonly to: { readonly address: string; readonly name: string | null };
  readonly replyTo: string | null;
  readonly subject: string;
  readonly date: Date;
  /** With its angle brackets; the boundaries derive from it. */
  readonly messageId: string;
  /** Further fields, already permitted: custom ones, Feedback-ID, List-Unsubscribe ... */
  readonly headers: readonly (readonly [string, string])[];
  readonly attachments: readonly { readonly filename: string; readonly contentType: string; readonly content: Buffer }[];
  readonly dkim: DkimKey | null;
}

/**
 * What goes after DATA: 7-bit, one character a byte, CRLF line ends, no line over 998 characters, not dot-stuffed. The same input gives the same
 * message. Nothing in the input can add a header field.
 */
export async function composeMail(mail: OutgoingMail): Promise<string> {
  const boundary = boundaryFor(mail.messageId);
  const body = mail.attachments.length === 0 ? textBody(mail, boundary) : await mixedBody(mail, boundary);
  const fields = [...ownFields(mail), ...body.fields];
  const out = new MailBytes();
  out.text(`${renderFields(fields)}\r\n`);
  const contentAt = out.length;
  body.write(out);
  const message = out.from(0);
  if (mail.dkim === null) return message;
  return renderFields([await dkimSignature(mail.dkim, fields, out.from(contentAt))]) + message;
}

function ownFields(mail: OutgoingMail): HeaderField[] {
  const fields = [mailboxField('From', mail.from), mailboxField('To', mail.to)];
  if (mail.replyTo !== null) fields.push(mailboxField('Reply-To', { address: mail.replyTo, name: null }));
  fields.push(
    textField('Subject', mail.subject),
    { name: 'Message-ID', value: mail.messageId.replace(/[^\x21-\x7e]/g, '') },
    { name: 'Date', value: mail.date.toUTCString().replace('GMT', '+0000') },
  );
  for (const [name, value] of mail.headers) fields.push(textField(name, value));
  fields.push({ name: 'MIME-Version', value: '1.0' });
  return fields;
}
