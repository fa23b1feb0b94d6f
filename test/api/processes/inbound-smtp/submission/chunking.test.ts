import { stored } from '../../../../support/data/stored';
import type { SmtpTalk } from '../../../../support/calls/smtp-talk';
import { aProject } from '../../../../support/platform/app';
import { SUBMISSION, aSubmission, handIn, lines, secured } from '../../../../support/platform/submission';

const app = aProject({ config: { ...SUBMISSION, DEV_VERIFIED_DOMAINS: 'hello.test' } });
const submission = aSubmission(app);

const messageTo = (to: string, ...body: readonly string[]): string =>
  lines('From: shop@hello.test', `To: ${to}`, 'Subject: Chunks', '', ...body, '');

const envelope = (to: string): string => `MAIL FROM:<shop@hello.test>\r\nRCPT TO:<${to}>\r\n`;
const chunk = (bytes: string, last = false): string => `BDAT ${Buffer.byteLength(bytes)}${last ? ' LAST' : ''}\r\n${bytes}`;

/** Writes all at once; resolves to so many replies. */
async function replies(talk: SmtpTalk, count: number, ...text: readonly string[]): Promise<readonly string[]> {
  talk.write(text.join(''));
  const read: string[] = [];
  for (let n = 0; n < count; n++) read.push(await talk.reply());
  return read;
}

const rowsFor = (to: string): Promise<number> => stored.emails.count({ to });

/** The text of the message that a reply names, as the API shows it. */
async function textOf(reply = ''): Promise<string> {
  const [id] = reply.match(/em_[0-9a-z]{26}/) ?? [];
  return (await app.api().get(`/v1/emails/${id}`).expect(200)).body.data.text as string;
}

test('chunks are one message, and nothing in them ends it', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  const message = messageTo('ada@example.com', 'one', '.', 'QUIT', '..', 'Grüße');
  const [head, rest] = [message.slice(0, 50), message.slice(50)];
  const said = await replies(talk, 4, envelope('ada@example.com'), chunk(head), chunk(rest, true));
  expect(said.slice(2)).toEqual([`250 2.0.0 50 bytes received`, expect.stringMatching(/^250 2\.0\.0 em_\w+$/)]);
  expect(await textOf(said[3])).toMatch(/one\r?\n\.\r?\nQUIT\r?\n\.\.\r?\nGrüße/);
  const dotted = messageTo('bob@example.com', 'by lines', '..');
  expect(await handIn(talk, ['bob@example.com'], dotted.replace(/^\./gm, '..'))).toMatch(/^250 2\.0\.0 em_/);
  talk.close();
});

test('the last chunk may be empty, and commands may come in one packet with chunks', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  const message = messageTo('cyd@example.com', 'Hello');
  const next = messageTo('dan@example.com', 'Hello again');
  const said = await replies(
    talk,
    9,
    envelope('cyd@example.com'),
    chunk(message),
    chunk('', true),
    'NOOP\r\n',
    envelope('dan@example.com'),
    chunk(next, true),
    'QUIT\r\n',
  );
  expect(said.map((reply) => reply.slice(0, 13))).toEqual([
    '250 2.1.0 Acc',
    '250 2.1.5 Acc',
    '250 2.0.0 70 ',
    '250 2.0.0 em_',
    expect.stringMatching(/^250 /),
    '250 2.1.0 Acc',
    '250 2.1.5 Acc',
    '250 2.0.0 em_',
    expect.stringMatching(/^221 /),
  ]);
  expect([await rowsFor('cyd@example.com'), await rowsFor('dan@example.com')]).toEqual([1, 1]);
  talk.close();
});

test('thousands of small chunks in one packet are one message', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  const message = messageTo('eve@example.com', 'x'.repeat(900), ...Array.from({ length: 40 }, () => 'y'.repeat(100)));
  const said = await replies(
    talk,
    2 + message.length + 1,
    envelope('eve@example.com'),
    ...[...message].map((byte) => chunk(byte)),
    chunk('', true),
  );
  expect(said.at(-1)).toMatch(/^250 2\.0\.0 em_/);
  expect(await textOf(said.at(-1))).toContain('x'.repeat(900));
  talk.close();
});

test('RSET gives up what has come; until then only chunks follow', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  await replies(talk, 3, envelope('fay@example.com'), chunk('From: shop@hello.test\r\n'));
  expect(await talk.say('MAIL FROM:<shop@hello.test>')).toMatch(/^503 5\.5\.1 /);
  expect(await talk.say('DATA')).toMatch(/^503 5\.5\.1 /);
  expect(await talk.say('RSET')).toMatch(/^250 /);
  const [, , reply] = await replies(talk, 3, envelope('gil@example.com'), chunk(messageTo('gil@example.com', 'Hello'), true));
  expect(reply).toMatch(/^250 2\.0\.0 em_/);
  expect(await talk.say('NOOP')).toMatch(/^250 /);
  expect([await rowsFor('fay@example.com'), await rowsFor('gil@example.com')]).toEqual([0, 1]);
  talk.close();
});

test('a chunk that is refused is read, and none of it is run as a command', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  const injected = chunk('NOOP\r\nMAIL FROM:<x@hello.test>\r\n', true);
  const [refused, next] = await replies(talk, 2, injected, 'RCPT TO:<hal@example.com>\r\n');
  expect(refused).toMatch(/^503 5\.5\.1 /);
  expect(next).toMatch(/^503 .*need MAIL/);
  expect(await talk.say('BDAT many')).toMatch(/^421 4\.5\.4 /);
  talk.close();
  const stranger = await secured(submission.port);
  expect(await replies(stranger, 2, injected, 'NOOP\r\n')).toEqual([
    expect.stringMatching(/^530 5\.7\.0 /),
    expect.stringMatching(/^250 /),
  ]);
  stranger.close();
});

test('what is refused of a message with DATA is refused of chunks', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  const refusal = async (...chunks: readonly string[]): Promise<string | undefined> =>
    (await replies(talk, 2 + chunks.length, envelope('ida@example.com'), ...chunks)).at(-1);
  expect(await refusal(chunk(`${messageTo('ida@example.com', 'Hello')}\n.\r\n`, true))).toMatch(/^554 5\.6\.0 /);
  expect(await refusal(chunk('From: shop@strange.example\r\n\r\nHello\r\n', true))).toMatch(/^550 5\.7\.1 /);
  const part = `${'x'.repeat(76)}\r\n`.repeat(50_000);
  expect(await refusal(chunk(messageTo('ida@example.com')), chunk(part), chunk(part), chunk(part, true))).toMatch(/^552 5\.3\.4 /);
  expect(await rowsFor('ida@example.com')).toBe(0);
  talk.close();
});

test('a message whose connection ends before its last chunk is not stored', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  await replies(talk, 3, envelope('jan@example.com'), chunk(messageTo('jan@example.com', 'Hello')));
  talk.close();
  const other = await submission.signedIn(app.keys.secret);
  expect(await handIn(other, ['kim@example.com'], messageTo('kim@example.com', 'Hello'))).toMatch(/^250 /);
  expect(await rowsFor('jan@example.com')).toBe(0);
  other.close();
});
