import { simpleParser } from 'mailparser';
import type { ParsedMail } from 'mailparser';
import { compose, envelopeOf } from '../../../src/sending/deliver/compose';
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

/** Resolves to a worker's mail for a message, as it is sent to the next server. Throws if there is none. */
export async function wireMail(core: Core, email: Email) {
  const message = await compose(
    core,
    { ...email, testMode: false },
    { route: 'smarthost', retrySeconds: [], acceptedIsDelivered: true },
    () => new Date(),
  );
  if (typeof message !== 'string') throw new Error(`The message goes nowhere: ${String(message.set.error ?? message.set.status)}`);
  return { envelope: envelopeOf(core, email), message };
}

/** Resolves to a worker's mail for an accepted message. */
export async function onTheWireOf({ core }: TestApp, id: string): Promise<OnTheWire> {
  const email = toEmail((await EmailModel.findById(id).lean()) as never);
  const { envelope, message } = await wireMail(core, email);
  const parsed = await simpleParser(Buffer.from(message, 'latin1'), { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true });
  return { email, envelopeTo: envelope.to, raw: message, parsed };
}
