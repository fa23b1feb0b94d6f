import { dkimSignature } from './dkim';
import type { DkimKey } from './dkim';
import { mailboxField, renderFields, textField } from './headers';
import type { HeaderField } from './headers';
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
 * The bytes that go after DATA: 7-bit, CRLF line ends, no line over 998 characters, not dot-stuffed. The same input gives the same bytes.
 * Nothing in the input can add a header field.
 */
export async function composeMail(mail: OutgoingMail): Promise<Buffer> {
  const boundary = boundaryFor(mail.messageId);
  const own = ownFields(mail);
  const body = mail.attachments.length === 0 ? textBody(mail, boundary) : await mixedBody(mail, boundary);
  const fields = [...own, ...body.fields];
  const signing = mail.dkim === null ? null : dkimSignature(mail.dkim, fields, body.bytes);
  const message = assemble(`${renderFields(fields)}\r\n`, body.bytes);
  return signing === null ? message : assemble(renderFields([await signing]), message);
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

function assemble(head: string, body: Buffer): Buffer {
  const message = Buffer.allocUnsafe(head.length + body.length);
  message.write(head, 'latin1');
  body.copy(message, head.length);
  return message;
}
