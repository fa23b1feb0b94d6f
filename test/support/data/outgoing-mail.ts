import { generateDkimKeyPair, loadDkimKey } from '../../../src/message/dkim/dkim';
import type { DkimKey } from '../../../src/message/dkim/dkim';
import { MailScratch } from '../../../src/message/mime/mail-bytes';
import { composeMail } from '../../../src/message/mime/mime';
import type { OutgoingMail } from '../../../src/message/mime/mime';
import { forTheFile } from '../run/for-the-file';

export interface MailChange extends Partial<Omit<OutgoingMail, 'html' | 'text'>> {
  readonly html?: string | null;
  readonly text?: string;
}

/** A message as it is composed, unsigned, with changes. */
export const outgoingMail = ({ html = '<p>Hi</p>', text = 'Hi', ...change }: MailChange = {}): OutgoingMail => ({
  from: { address: 'news@hello.test', name: 'Hello News' },
  to: { address: 'ada@example.test', name: null },
  replyTo: null,
  subject: 'Hello',
  date: new Date('2026-11-21T09:30:00.000Z'),
  messageId: '<em_1@hello.test>',
  headers: [],
  html: html === null ? null : [html],
  text: [text],
  attachments: [],
  dkim: null,
  ...change,
});

const scratch = new MailScratch();

/** The bytes of a message. */
export const composed = async (mail: OutgoingMail): Promise<Buffer> => Buffer.from(await composeMail(mail, scratch), 'latin1');

/** A key that signs for hello.test, and what verifies it, for the tests of a file. */
export const aDkimKey = (): { readonly key: DkimKey; readonly publicKey: string } =>
  forTheFile(async () => {
    const { privateKeyPem, publicKeyBase64 } = await generateDkimKeyPair();
    return { key: loadDkimKey('hello.test', 'lm1', privateKeyPem), publicKey: publicKeyBase64 };
  });
