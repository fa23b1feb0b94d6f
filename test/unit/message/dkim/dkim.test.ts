import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import fc from 'fast-check';
import { loadDkimKey } from '../../../../src/message/dkim/dkim';
import type { OutgoingMail } from '../../../../src/message/mime/mime';
import { outgoingMail, composed, aDkimKey } from '../../../support/data/outgoing-mail';
import type { MailChange } from '../../../support/data/outgoing-mail';

const signing = aDkimKey();

const HTML = '<p>\tHello  \n   Ada</p>\n\n\n';

const mail = (change: MailChange = {}): OutgoingMail =>
  outgoingMail({
    html: HTML,
    text: 'Hello   Ada \n\n\n',
    replyTo: 'reply@hello.test',
    subject: 'A   subject with  runs of spaces that is long enough to be folded at least once on its way',
    headers: [
      ['Feedback-ID', 'a:b:c:d'],
      ['List-Unsubscribe', '<https://track.hello.test/u/1.abc>, <mailto:u@hello.test>'],
      ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
      ['X-Custom', 'not signed'],
    ],
    dkim: signing.key,
    ...change,
  });

/** A verifier that shares nothing with the signer: RFC 6376 read line by line. */
function verifies(message: Buffer): boolean {
  const whole = message.toString('latin1');
  const split = whole.indexOf('\r\n\r\n');
  const fields = whole.slice(0, split).split(/\r\n(?![ \t])/);
  const relax = (field: string) => {
    const colon = field.indexOf(':');
    const value = field
      .slice(colon + 1)
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ');
    return `${field.slice(0, colon).trim().toLowerCase()}:${value.trim()}`;
  };
  const body = whole
    .slice(split + 4)
    .split('\r\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (body.at(-1) === '') body.pop();
  const canonicalBody = body.map((line) => `${line}\r\n`).join('');

  const signature = fields.find((field) => /^dkim-signature:/i.test(field))!;
  const tags = new Map(
    signature
      .slice(signature.indexOf(':') + 1)
      .split(';')
      .map((tag) => {
        const at = tag.indexOf('=');
        return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s+/g, '')];
      }),
  );
  if (createHash('sha256').update(canonicalBody, 'latin1').digest('base64') !== tags.get('bh')) return false;
  const left = fields.filter((field) => field !== signature);
  const signed = tags
    .get('h')!
    .split(':')
    .map((name) => {
      const at = left.findLastIndex((field) => field.split(':', 1)[0]!.toLowerCase() === name.toLowerCase());
      return at === -1 ? '' : `${relax(left.splice(at, 1)[0]!)}\r\n`;
    });
  const input = signed.join('') + relax(signature.replace(/(\bb=)[^;]*$/, '$1'));
  const verifier = createPublicKey({ key: Buffer.from(signing.publicKey, 'base64'), format: 'der', type: 'spki' });
  return verify('sha256', Buffer.from(input, 'latin1'), verifier, Buffer.from(tags.get('b')!, 'base64'));
}

const altered = (message: Buffer, from: string, to: string) => Buffer.from(message.toString('latin1').replace(from, to), 'latin1');

test('an independent reading of RFC 6376 verifies the signature', async () => {
  const message = await composed(mail());
  expect(verifies(message)).toBe(true);
  const head = message.toString('latin1', 0, message.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  expect(head).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=hello\.test; s=lm1;/);
  expect(/h=([^;]*)/.exec(head)![1]!.replace(/\s/g, '')).toBe(
    [
      'from:from:reply-to:reply-to:subject:subject:date:date:message-id:message-id:to:to:cc:mime-version:mime-version',
      'content-type:content-type:content-transfer-encoding:list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post',
      'feedback-id',
    ].join(':'),
  );
  const at = Date.parse('2026-11-21T09:30:00Z') / 1_000;
  expect(head).toContain(` t=${at}; x=${at + 30 * 86_400};`);
});

test.each([
  ['text alone', { html: null }],
  ['an attachment', { attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a  b \n') }] }],
  ['an empty body', { html: null, text: '' }],
  ['a sender', { headers: [['Sender', 'office@hello.test']] as [string, string][] }],
])('a signature verifies also with %s', async (_, change) => {
  expect(verifies(await composed(mail(change)))).toBe(true);
});

test('signed bytes cannot be changed, and no second From slips in', async () => {
  const visible = { to: [{ address: 'ada@example.test', name: null }], cc: [{ address: 'bob@example.test', name: null }] };
  const message = await composed(mail({ visible }));
  expect(verifies(message)).toBe(true);
  expect(verifies(altered(message, 'Cc: bob', 'Cc: eve'))).toBe(false);
  expect(verifies(altered(message, 'One-Click', 'Two-Click'))).toBe(false);
  expect(verifies(altered(message, 'Ada</p>', 'Eve</p>'))).toBe(false);
  expect(verifies(altered(message, 'To: ada', 'To: eve'))).toBe(false);
  expect(verifies(altered(message, 'From: Hello', 'From: eve@evil.test\r\nFrom: Hello'))).toBe(false);
  expect(verifies(altered(message, 'X-Custom: not signed', 'X-Custom:  may change'))).toBe(true);
});

test.each([
  'From: eve@evil.test',
  'Subject: FORGED',
  'To: eve@evil.test',
  'Cc: eve@evil.test',
  'Reply-To: eve@evil.test',
  'Date: Thu, 1 Jan 2026 00:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: text/plain',
  'Content-Transfer-Encoding: 7bit',
  'Message-ID: <other@evil.test>',
  'List-Unsubscribe: <https://evil.test/>',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
])('no “%s” is added, whether the message has such a field or not, above or below', async (field) => {
  const bare = { html: null, replyTo: null, headers: [] };
  for (const message of [await composed(mail()), await composed(mail(bare))]) {
    expect(verifies(message)).toBe(true);
    expect(verifies(Buffer.from(`${field}\r\n${message.toString('latin1')}`, 'latin1'))).toBe(false);
    expect(verifies(altered(message, '\r\n\r\n', `\r\n${field}\r\n\r\n`))).toBe(false);
  }
});

test('any content verifies, and the same input gives the same bytes', async () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(' ', '\t', '\r', '\n', '.', '='), fc.string({ unit: 'grapheme', maxLength: 1 })),
  });
  await fc.assert(
    fc.asyncProperty(text, text, text, async (subject, html, plain) => {
      const message = await composed(mail({ subject, html, text: plain }));
      expect(verifies(message)).toBe(true);
      expect((await composed(mail({ subject, html, text: plain }))).equals(message)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('messages composed at the same time keep their own bodies', async () => {
  const messages = await Promise.all(Array.from({ length: 30 }, (_, index) => composed(mail({ text: `number ${index}`, html: null }))));
  messages.forEach((message, index) => {
    expect(verifies(message)).toBe(true);
    expect(message.toString()).toMatch(new RegExp(`\r\n\r\nnumber ${index}\r\n$`));
  });
});

test('a DKIM key that receivers would not take is refused', () => {
  const pem = (pair: { privateKey: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer } }) =>
    pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  expect(() => loadDkimKey('hello.test', 's', pem(generateKeyPairSync('rsa', { modulusLength: 768 })))).toThrow('1024');
  expect(() => loadDkimKey('hello.test', 's', pem(generateKeyPairSync('ed25519')))).toThrow('RSA');
  expect(() => loadDkimKey('hello.test; x=1', 's', pem(generateKeyPairSync('rsa', { modulusLength: 1024 })))).toThrow('DNS name');
  expect(() => loadDkimKey('hello.test', 's', 'no key')).toThrow();
});
