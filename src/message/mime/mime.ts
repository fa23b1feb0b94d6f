import { dkimSignature } from '../dkim';
import type { DkimKey } from '../dkim';
import { boundaryFor, mixedBody, textBody } from './body';
import type { AttachedFile, MimeBody, TextualMail } from './body';
import { mailboxField, mailboxesField, renderFields, textField } from './headers';
import type { HeaderField } from './headers';
import { MailBytes } from './mail-bytes';
import type { MailScratch } from './mail-bytes';

interface Mailbox {
  readonly address: string;
  readonly name: string | null;
}

/** A mail without attachments, before it is signed. */
export interface PlainMail extends TextualMail {
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
}

export interface OutgoingMail extends PlainMail {
  readonly attachments: readonly AttachedFile[];
  readonly dkim: DkimKey | null;
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
  return renderFields([await dkimSignature(mail.dkim, fields, bytes.view(contentAt))]) + message;
}

/** Composes, without waiting, a mail that is not signed and has no attachments. */
export const composePlainMail = (mail: PlainMail, scratch: MailScratch): string =>
  write(mail, textBody(mail, boundaryFor(mail.messageId)), scratch).bytes.from(0);

interface WrittenMail {
  readonly fields: readonly HeaderField[];
  readonly bytes: MailBytes;
  /** Where the content begins. */
  readonly contentAt: number;
}

function write(mail: PlainMail, body: MimeBody, scratch: MailScratch): WrittenMail {
  const fields = [...ownFields(mail), ...body.fields];
  const bytes = new MailBytes(scratch);
  bytes.text(`${renderFields(fields)}\r\n`);
  const contentAt = bytes.length;
  body.write(bytes);
  return { fields, bytes, contentAt };
}

function ownFields(mail: PlainMail): HeaderField[] {
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
