import { resetLimits, setLimit } from '../../../../../src/records/projects/service';
import { stored } from '../../../../support/data/stored';
import { SmtpTalk } from '../../../../support/calls/smtp-talk';
import { aProject } from '../../../../support/platform/app';
import { eventually } from '../../../../support/platform/platform';
import { SUBMISSION, aSubmission, handIn, lines, secured } from '../../../../support/platform/submission';

const app = aProject({
  config: {
    ...SUBMISSION,
    DEV_VERIFIED_DOMAINS: 'hello.test',
    SUBMISSION_AUTH_FAILURES_PER_MINUTE: '3',
    SUBMISSION_CONNECTIONS_PER_HOST: '5',
    SUBMISSION_REFUSE_SUPPRESSED: 'true',
    SEND_RATE_BURST: '120',
    SEND_RATE_PER_SECOND: '1',
  },
});
const submission = aSubmission(app);

const HEAD = ['From: shop@hello.test', 'To: ada@example.com', 'Subject: Hello'];
const message = (...more: readonly string[]): string => lines(...HEAD, ...more, '', 'Hello');
const plain = (key: string): string => `AUTH PLAIN ${Buffer.from(`\0me\0${key}`).toString('base64')}`;

async function refused(data: string | Buffer, to: readonly string[] = ['ada@example.com'], parameters = ''): Promise<string> {
  const talk = await submission.signedIn(app.keys.secret);
  const reply = await handIn(talk, to, data, parameters);
  talk.close();
  return reply;
}

test('before TLS nothing is offered but TLS, and neither AUTH nor mail is taken', async () => {
  const talk = await SmtpTalk.open(submission.port);
  expect(await talk.reply()).toMatch(/^220 /);
  const offer = await talk.say('EHLO program.test');
  for (const keyword of ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', 'SIZE 10485760', 'CHUNKING', 'STARTTLS']) {
    expect(offer).toContain(keyword);
  }
  expect(offer).not.toMatch(/AUTH|DSN/);
  expect(await talk.say(plain(app.keys.secret))).toBe('530 5.7.0 Must issue a STARTTLS command first');
  expect(await talk.say('MAIL FROM:<a@hello.test>')).toMatch(/^530 5\.7\.0 /);
  talk.close();
  const safe = await secured(submission.port);
  const safeOffer = await safe.say('EHLO program.test');
  expect(safeOffer).toMatch(/AUTH PLAIN LOGIN/);
  expect(safeOffer).not.toMatch(/TLS|DSN/);
  expect(await safe.say('MAIL FROM:<a@hello.test>')).toMatch(/^530 5\.7\.0 /);
  safe.close();
});

test('what comes in one packet with STARTTLS is not run after it', async () => {
  const talk = await SmtpTalk.open(submission.port);
  await talk.reply();
  await talk.say('EHLO program.test');
  talk.write('STARTTLS\r\nEHLO injected.test\r\nNOOP\r\n');
  expect(await talk.reply()).toMatch(/^220 /);
  await talk.secure();
  expect(talk.unread).toBe('');
  expect(await talk.say('MAIL FROM:<a@hello.test>')).toMatch(/^503 /);
  talk.close();
});

test('keys that may not send are refused, and an address with too many wrong ones waits', async () => {
  const { body } = await app.api().post('/v1/keys').send({ kind: 'secret', scope: 'read' }).expect(201);
  const from = '127.0.0.9';
  const replies: string[] = [];
  for (const key of [app.keys.public, body.data.key as string, 'wrong']) {
    const talk = await SmtpTalk.open(submission.tlsPort, from);
    await talk.secure();
    await talk.reply();
    await talk.say('EHLO program.test');
    replies.push(await talk.say(plain(key)));
    talk.close();
  }
  expect(replies.every((reply) => reply.startsWith('535 5.7.8 Authentication failed'))).toBe(true);
  expect(replies[2]).not.toContain('wrong');
  const talk = await SmtpTalk.open(submission.tlsPort, from);
  await talk.secure();
  await talk.reply();
  await talk.say('EHLO program.test');
  expect(await talk.say(plain(app.keys.secret))).toMatch(/^421 4\.7\.0 /);
  expect(await talk.reply()).toBe('');
});

test('a key with the scope sending hands mail in; once it is revoked, also an open session ends', async () => {
  const { body } = await app.api().post('/v1/keys').send({ kind: 'secret', scope: 'sending' }).expect(201);
  const { key, keyId } = body.data as { readonly key: string; readonly keyId: string };
  const talk = await submission.signedIn(key);
  expect(await handIn(talk, ['ada@example.com'], message())).toMatch(/^250 2\.0\.0 em_/);
  await app.api().delete(`/v1/keys/${keyId}`);
  expect(await handIn(talk, ['ada@example.com'], message())).toMatch(/^535 5\.7\.8 /);
  talk.close();
});

test('the sender must be of a verified domain', async () => {
  const strange = lines('From: shop@strange.example', 'To: ada@example.com', 'Subject: Hello', '', 'Hello');
  expect(await refused(strange)).toMatch(/^550 5\.7\.1 The domain strange\.example is not verified/);
  expect(await refused(lines('From: a@hello.test, b@strange.example', '', 'Hello'))).toMatch(/^550 5\.1\.7 /);
  expect(await refused(lines('From: a@hello.test', 'From: b@hello.test', '', 'Hello'))).toMatch(/^550 5\.1\.7 /);
  expect(await refused(lines('Subject: nobody', '', 'Hello'))).toMatch(/^550 5\.1\.7 /);
});

test.each([
  ['a bare LF', `${message()}\nSmuggled: yes`],
  ['a bare LF with a dot', `${message()}\n.\r\nMAIL FROM:<x@hello.test>`],
  ['a bare LF before a dot and CRLF', `${message()}\r\n.\nMAIL FROM:<x@hello.test>`],
  ['a bare LF before and after a dot', `${message()}\n.\nMAIL FROM:<x@hello.test>`],
  ['a bare CR after a dot', `${message()}\r\n.\rMAIL FROM:<x@hello.test>`],
  ['a bare CR before a dot and CRLF', `${message()}\r.\r\nMAIL FROM:<x@hello.test>`],
  ['a bare CR', `${message()}\rmore`],
  ['a bare CR with a dot', `${message()}\r.\rMAIL FROM:<x@hello.test>`],
])('%s is refused, and ends no message', async (_what, data) => {
  const before = await stored.emails.count({});
  expect(await refused(data)).toMatch(/^554 5\.6\.0 A line does not end in CRLF/);
  expect(await stored.emails.count({})).toBe(before);
});

test('a NUL, a line of more than 998 characters, and a header that is none are refused', async () => {
  expect(await refused(message().replace('Hello', 'Hel\0lo'))).toMatch(/^554 5\.6\.0 /);
  expect(await refused(`${message()}${'x'.repeat(1_000)}`)).toMatch(/^554 5\.6\.0 A line is longer/);
  expect(await refused(lines(...HEAD, 'this is no field', '', 'Hello'))).toMatch(/^554 5\.6\.0 /);
});

test.each([
  ['X-Lettermill-Type: newsletter', 'X-Lettermill-Type'],
  ['X-Lettermill-Topic: top_00000000000000000000000000', 'Only mail of the type marketing has a topic'],
  ['X-Lettermill-Send-At: tomorrow', 'X-Lettermill-Send-At'],
  ['X-Lettermill-Tag: plain', 'X-Lettermill-Tag'],
  ['X-Lettermill-Variables: {"a": 1}', 'X-Lettermill-Variables'],
  ['X-Lettermill-Template: tpl_00000000000000000000000000', 'template'],
  ['X-Lettermill-Colour: red', 'unknown'],
  ['X-Lettermill-Type: marketing\r\nX-Lettermill-Type: marketing', 'once'],
])('%s is refused with its reason', async (header, named) => {
  const reply = await refused(message(header));
  expect(reply).toMatch(/^550 5\.6\.0 /);
  expect(reply.toLowerCase()).toContain(named.toLowerCase());
});

test('a message that is too large is refused, announced or not', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  expect(await talk.say('MAIL FROM:<a@hello.test> SIZE=20000000')).toMatch(/^552 5\.3\.4 /);
  talk.close();
  const body = `${'x'.repeat(76)}\r\n`.repeat(140_000);
  expect(await refused(lines(...HEAD, 'Content-Type: application/octet-stream', '', body))).toMatch(/^552 5\.3\.4 /);
  expect(await refused(lines(...HEAD, '', `${'x'.repeat(76)}\r\n`.repeat(14_500)))).toMatch(/^552 5\.3\.4 A text/);
});

test('recipients that are no addresses, suppressed ones by setting, and more than 100 are refused', async () => {
  await app.api().post('/v1/suppressions').send({ email: 'out@example.com' }).expect(201);
  const talk = await submission.signedIn(app.keys.secret);
  await talk.say('MAIL FROM:<>');
  expect(await talk.say('RCPT TO:<nobody>')).toMatch(/^501 5\.1\.3 /);
  expect(await talk.say('RCPT TO:<nobody@localhost>')).toMatch(/^553 5\.1\.3 /);
  expect(await talk.say('RCPT TO:<out@example.com>')).toBe('550 5.1.1 The recipient is suppressed');
  talk.write(Array.from({ length: 101 }, (_, n) => `RCPT TO:<box${n}@example.com>\r\n`).join(''));
  const replies: string[] = [];
  for (let n = 0; n < 101; n++) replies.push(await talk.reply());
  expect(replies.slice(0, 100).every((reply) => reply.startsWith('250 2.1.5'))).toBe(true);
  expect(replies[100]).toMatch(/^452 4\.5\.3 /);
  await talk.say('DATA');
  talk.write(`${message('Message-ID: <hundred@program.test>')}\r\n`);
  expect(await talk.say('.')).toMatch(/^250 2\.0\.0 (?:em_\w+ ){9}em_\w+ and 90 more$/);
  talk.close();
});

test('past the rate of the project a message is put off, and stored when it comes again', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  let reply = '';
  for (let n = 0; n < 130 && !reply.startsWith('451'); n++)
    reply = await handIn(talk, ['ada@example.com'], message(`Message-ID: <rate-${n}@x.test>`));
  expect(reply).toMatch(/^451 4\.7\.1 /);
  // One that was stored before gets its 250.
  expect(await handIn(talk, ['ada@example.com'], message('Message-ID: <rate-0@x.test>'))).toMatch(/^250 2\.0\.0 em_/);
  talk.close();
});

test('one address has no more than its share of connections', async () => {
  const from = '127.0.0.7';
  const talks: SmtpTalk[] = [];
  for (let n = 0; n < 5; n++) talks.push(await SmtpTalk.open(submission.port, from));
  for (const talk of talks) expect(await talk.reply()).toMatch(/^220 /);
  const one = await SmtpTalk.open(submission.port, from);
  expect(await one.reply()).toMatch(/^421 /);
  for (const talk of talks) talk.close();
});

test('a command that is too long ends the connection', async () => {
  const talk = await submission.signedIn(app.keys.secret);
  expect(await talk.say(`NOOP ${'x'.repeat(4_000)}`)).toMatch(/^421 /);
  talk.close();
});

test('an open session keeps to the limits that the project has now', async () => {
  const { projectId } = app.keys;
  const talk = await submission.signedIn(app.keys.secret);
  const both = ['ada@example.com', 'bob@example.com'];
  // Other tests may have used up the rate; a unit of it comes back each second.
  await eventually('both are accepted', async () =>
    (await handIn(talk, both, message('Message-ID: <limits-1@x.test>'))).startsWith('250 2.0.0 em_'),
  );
  await setLimit(projectId, 'sendBurst', 1);
  const second = await handIn(talk, both, message('Message-ID: <limits-2@x.test>'));
  await resetLimits(projectId);
  talk.close();
  expect(second).toMatch(/^451 4\.7\.1 /);
});
