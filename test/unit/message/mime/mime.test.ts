import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import type { AddressObject, ParsedMail } from 'mailparser';
import { outgoingMail, composed } from '../../../support/data/outgoing-mail';

const parse = (message: Buffer): Promise<ParsedMail> =>
  simpleParser(message, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true });
const headOf = (message: Buffer) => message.toString('latin1', 0, message.indexOf('\r\n\r\n'));
const namesOf = (message: Buffer) =>
  headOf(message)
    .split(/\r\n(?![ \t])/)
    .map((field) => field.split(':', 1)[0]);
const nameOf = (addresses: AddressObject | AddressObject[] | undefined) => [addresses].flat()[0]?.value[0];
const wellFormed = (text: string) => Buffer.from(text).toString();
const oneLine = (text: string) =>
  wellFormed(text)
    .replace(/\r\n|[\r\n\0]/g, ' ')
    .replace(/^[ \t]+|[ \t]+$/g, '');
const lines = (text: string) =>
  wellFormed(text)
    .replace(/\r\n|\r/g, '\n')
    .replaceAll('\0', '');

/** Checks what holds for every message. */
function expectSafeOnTheWire(message: Buffer): void {
  const text = message.toString('latin1');
  expect(text).not.toMatch(/[^\t\r\n -~]/);
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  for (const line of text.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998);
  expect(text.endsWith('\r\n')).toBe(true);
}

test('the skeleton of a message, byte for byte', async () => {
  const message = await composed(
    outgoingMail({
      replyTo: 'reply@hello.test',
      headers: [
        ['X-Tag', 'a'],
        ['Feedback-ID', 'a:b:c:d'],
      ],
      text: '.dot\nend ',
      html: '<b>é</b>',
    }),
  );
  expect(message.toString().split('\r\n')).toEqual([
    'From: Hello News <news@hello.test>',
    'To: ada@example.test',
    'Reply-To: reply@hello.test',
    'Subject: Hello',
    'Message-ID: <em_1@hello.test>',
    'Date: Sat, 21 Nov 2026 09:30:00 +0000',
    'X-Tag: a',
    'Feedback-ID: a:b:c:d',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="=_em1hellotest"',
    '',
    '--=_em1hellotest',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '=2Edot',
    'end=20',
    '--=_em1hellotest',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<b>=C3=A9</b>',
    '--=_em1hellotest--',
    '',
  ]);
});

test('text alone is one part', async () => {
  const message = await composed(outgoingMail({ html: null, text: 'Grüße' }));
  expect(headOf(message)).toContain('Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable');
  expect(message.toString()).toMatch(/\r\n\r\nGr=C3=BC=C3=9Fe\r\n$/);
});

const anyText = fc.string({
  unit: fc.oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 2 }) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(' ', '  ', '.', '\n.', '\r\n.\r\n', '\r', '\n', '\t\n', '=', '=?utf-8?Q?x?=', '--', '"', ',', '\0'),
    },
    { weight: 1, arbitrary: fc.integer({ min: 60, max: 1200 }).map((length) => 'long'.repeat(length).slice(0, length)) },
  ),
  maxLength: 40,
});

test('an independent parser reads any content as it was composed', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anyText, anyText, async (subject, html, text) => {
      const message = await composed(outgoingMail({ subject, html, text, headers: [['X-Tag', subject]] }));
      expectSafeOnTheWire(message);
      expect(namesOf(message)).toEqual(['From', 'To', 'Subject', 'Message-ID', 'Date', 'X-Tag', 'MIME-Version', 'Content-Type']);
      const parsed = await parse(message);
      expect(squeeze(parsed.subject ?? '')).toBe(squeeze(oneLine(subject)));
      expect(trimEnd(parsed.text ?? '')).toBe(trimEnd(lines(text)));
      expect(trimEnd(parsed.html || '')).toBe(trimEnd(lines(html)));
    }),
    { numRuns: 300 },
  );
});

/** The parser squeezes blanks in headers and drops a last line break. */
const squeeze = (text: string) => text.replace(/\s+/g, ' ').trim();
const trimEnd = (text: string) => text.replace(/\n+$/, '');

test('any display name comes back as it was', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (name) => {
      const message = await composed(
        outgoingMail({ from: { address: 'news@hello.test', name }, to: { address: 'ada@example.test', name } }),
      );
      expectSafeOnTheWire(message);
      const parsed = await parse(message);
      for (const found of [nameOf(parsed.from), nameOf(parsed.to)]) {
        expect(squeeze(found?.name ?? '')).toBe(squeeze(oneLine(name)));
        expect(found?.address).toMatch(/^(news@hello|ada@example)\.test$/);
      }
    }),
    { numRuns: 200 },
  );
});

test.each([
  ['Ada Lovelace', 'Ada Lovelace <a@x.test>'],
  ['Lovelace, Ada', '"Lovelace, Ada" <a@x.test>'],
  ['Ada "the first" \\o/', '"Ada \\"the first\\" \\\\o/" <a@x.test>'],
  ['Äda', '=?utf-8?Q?=C3=84da?= <a@x.test>'],
  ['日本語', '=?utf-8?B?5pel5pys6Kqe?= <a@x.test>'],
  ['', 'a@x.test'],
])('the display name %s', async (name, value) => {
  expect(headOf(await composed(outgoingMail({ from: { address: 'a@x.test', name } })))).toContain(`From: ${value}\r\nTo:`);
});

test('no value of a message adds a header field', async () => {
  const evil = 'x\r\nBcc: eve@evil.test\r\n\r\nbody';
  const message = await composed(
    outgoingMail({
      from: { address: `a@x.test>${evil}`, name: evil },
      to: { address: `b@x.test, eve@evil.test${evil}`, name: null },
      replyTo: `c@x.test${evil}`,
      subject: evil,
      messageId: `<1@x.test>${evil}`,
      headers: [
        [`X-One${evil}`, evil],
        ['', 'no name'],
        ['X:Two', '\nBcc: a'],
      ],
      attachments: [{ filename: `a${evil}.txt`, contentType: `text/plain${evil}`, content: Buffer.from('x') }],
    }),
  );
  expectSafeOnTheWire(message);
  const names = namesOf(message);
  expect(names).not.toContain('Bcc');
  expect(names).toHaveLength(11);
  expect(headOf(message).match(/^content-type:/gim)).toHaveLength(1);
  const parsed = await parse(message);
  expect(parsed.bcc).toBeUndefined();
  expect([parsed.to].flat()[0]!.value).toHaveLength(1);
  expect(parsed.attachments).toHaveLength(1);
  expect(parsed.attachments[0]!.headers.has('bcc')).toBe(false);
});

test('lines are folded at 76 where they can be', async () => {
  const words = 'seven words of plain ascii text '.repeat(12).trim();
  const message = await composed(
    outgoingMail({
      subject: words,
      headers: [
        ['X-Umlaut', 'ü'.repeat(300)],
        ['X-Token', 'a'.repeat(998)],
      ],
    }),
  );
  for (const line of headOf(message).split('\r\n')) expect(line.length).toBeLessThanOrEqual(76);
  expect((await parse(message)).subject).toBe(words);
});

test('attachments are base64 and come back whole, with any claimed type', async () => {
  const content = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7) % 256));
  const attachments = [
    { filename: 'bild ä 日本.png', contentType: 'image/png', content },
    { filename: 'mail.eml', contentType: 'message/rfc822', content: Buffer.from('Subject: é\n.\n\nbody') },
    { filename: '../../etc/passwd', contentType: 'multipart/mixed; boundary=x', content: Buffer.from('x') },
    { filename: 'empty.csv', contentType: 'text/csv; charset=utf-8', content: Buffer.alloc(0) },
  ];
  const message = await composed(outgoingMail({ html: '<p>Ünser Text</p>', text: '.', attachments }));
  expectSafeOnTheWire(message);
  const parsed = await parse(message);
  expect(parsed.html).toContain('<p>Ünser Text</p>');
  expect(parsed.attachments.map((attachment) => attachment.filename)).toEqual([
    'bild ä 日本.png',
    'mail.eml',
    '.._.._etc_passwd',
    'empty.csv',
  ]);
  const types = [...message.toString('latin1').matchAll(/\r\nContent-Type: ([^;\r]*)/g)].map((match) => match[1]);
  expect(types.slice(-4)).toEqual(['image/png', 'application/octet-stream', 'application/octet-stream', 'text/csv']);
  parsed.attachments.forEach((attachment, index) => expect(attachment.content.equals(attachments[index]!.content)).toBe(true));
  expect((await composed(outgoingMail({ html: '<p>Ünser Text</p>', text: '.', attachments }))).equals(message)).toBe(true);
});

test('a body of two mebibytes is composed as well as a small one', async () => {
  const html = '<p>é=.\r\n</p>'.repeat(200_000);
  const parsed = await parse(await composed(outgoingMail({ html })));
  expect(trimEnd(parsed.html || '')).toBe(lines(html));
  expect(trimEnd((await parse(await composed(outgoingMail()))).html || '')).toBe('<p>Hi</p>');
});
