import { simpleParser } from 'mailparser';
import type { ParsedMail } from 'mailparser';
import { envelopeOf, messageOf } from '../../../src/sending/deliver/compose';
import type { Core } from '../../../src/platform/core/context';
import { EmailModel } from '../../../src/records/emails/model';
import type { Email } from '../../../src/records/emails/model';
import { toEmail } from '../../../src/records/emails/row';
import type { TestApp } from '../platform/app';

/** A message as it goes out: who the envelope is for, the bytes, and what a mail program reads in them. */
export interface OnTheWire {
  readonly email: Email;
  readonly envelopeTo: string;
  readonly raw: string;
  readonly parsed: ParsedMail;
}

/** What a worker hands to the next server for a message. */
export const wireMail = async (core: Core, email: Email) => ({ envelope: envelopeOf(core, email), message: await messageOf(core, email) });

/** What a worker would send for an accepted message. */
export async function onTheWireOf({ core }: TestApp, id: string): Promise<OnTheWire> {
  const email = toEmail((await EmailModel.findById(id).lean()) as never);
  const { envelope, message } = await wireMail(core, email);
  const parsed = await simpleParser(Buffer.from(message, 'latin1'), { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true });
  return { email, envelopeTo: envelope.to, raw: message, parsed };
}
