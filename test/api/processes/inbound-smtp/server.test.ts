import net from 'node:net';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo } from '../../../../src/platform/mongo/connect';
import { aProject } from '../../../support/platform/app';
import { anInboundServer, startInboundSmtp } from '../../../support/platform/inbound-smtp';
import { eventually } from '../../../support/platform/platform';
import { testMongoUri } from '../../../support/run/servers';
import { SmtpTalk } from '../../../support/calls/smtp-talk';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const smtp = anInboundServer(app, () => isReady);
let isReady = true;

async function greeted(): Promise<SmtpTalk> {
  const talk = await SmtpTalk.open(smtp.port);
  expect(await talk.reply()).toMatch(/^220 mx\.lettermill\.test ESMTP/);
  return talk;
}

test('inbound SMTP offers its extensions, and neither login nor TLS without a certificate', async () => {
  const talk = await greeted();
  const offer = await talk.say('EHLO mx.elsewhere.test');
  for (const keyword of ['PIPELINING', '8BITMIME', 'SIZE 26214400']) expect(offer).toContain(keyword);
  expect(offer).not.toMatch(/AUTH|STARTTLS/);
  expect(await talk.say('AUTH PLAIN AGEAYg==')).toMatch(/^5/);
  expect(await talk.say('STARTTLS')).toMatch(/^5/);
  talk.close();
});

test('VRFY and EXPN reveal nothing', async () => {
  const talk = await greeted();
  await talk.say('EHLO mx.elsewhere.test');
  expect(await talk.say('VRFY team@hello.test')).toBe(await talk.say('VRFY nobody@elsewhere.test'));
  expect(await talk.say('EXPN team')).toMatch(/^5/);
  for (const command of ['WIZ', 'SHELL', 'KILL']) expect(await talk.say(command)).toMatch(/^500 /);
  talk.close();
});

test('commands out of order, and lines without end, are refused', async () => {
  const talk = await greeted();
  expect(await talk.say('MAIL FROM:<ada@example.com>')).toMatch(/^503 /);
  await talk.say('EHLO mx.elsewhere.test');
  expect(await talk.say('RCPT TO:<team@hello.test>')).toMatch(/^503 /);
  expect(await talk.say('DATA')).toMatch(/^503 /);
  expect(await talk.say(`NOOP ${'x'.repeat(4_000)}`)).toMatch(/^421 /);
  expect(await talk.reply()).toBe('');
});

test('commands may be pipelined, and a message has at most 100 recipients', async () => {
  const talk = await greeted();
  await talk.say('EHLO mx.elsewhere.test');
  const recipients = Array.from({ length: 101 }, (_, index) => `RCPT TO:<box${index}@hello.test>`);
  talk.write(['MAIL FROM:<>', ...recipients, 'RCPT TO:<x@elsewhere.test>', 'RSET', ''].join('\r\n'));
  expect(await talk.reply()).toMatch(/^250 /);
  const replies: string[] = [];
  for (let index = 0; index < 102; index++) replies.push((await talk.reply()).slice(0, 3));
  expect(replies.slice(0, 100).every((code) => code === '250')).toBe(true);
  expect(replies.slice(100)).toEqual(['452', '452']);
  expect(await talk.reply()).toMatch(/^250 /);
  talk.close();
});

test('100 connections from one address, and no more; those that go make room', async () => {
  const talks = await Promise.all(Array.from({ length: 100 }, greeted));
  const refused = await SmtpTalk.open(smtp.port);
  expect(await refused.reply()).toMatch(/^421 4\.7\.0 /);
  for (const talk of talks) talk.close();
  const next = await eventually('there is room again', async () => {
    const talk = await SmtpTalk.open(smtp.port);
    return (await talk.reply()).startsWith('220') ? talk : null;
  });
  next.close();
});

test('mail is put off until the database was reached', async () => {
  isReady = false;
  const { recipients, data } = await smtp.deliver({ from: 'ada@example.com', to: 'team@hello.test', data: 'Subject: Hi\n\n' });
  isReady = true;
  expect(recipients[0]).toMatch(/^451 4\.3\.0 /);
  expect(data).toBeNull();
});

test('a message that the database does not take is put off, never taken', async () => {
  const talk = await greeted();
  await talk.say('EHLO mx.elsewhere.test');
  await talk.say('MAIL FROM:<ada@example.com>');
  expect(await talk.say('RCPT TO:<outage@hello.test>')).toMatch(/^250 /);
  await talk.say('DATA');
  const { name } = mongoose.connection;
  mongoose.set('bufferCommands', false);
  await disconnectMongo();
  talk.write('From: ada@example.com\r\nSubject: Hi\r\n\r\nHello\r\n');
  expect(await talk.say('.')).toMatch(/^451 4\.3\.0 /);
  talk.close();
  await connectMongo(testMongoUri(name));
  const { data } = await smtp.deliver({
    from: 'ada@example.com',
    to: 'outage@hello.test',
    data: 'From: ada@example.com\nSubject: Hi\n\nHello\n',
  });
  expect(data).toMatch(/^250 /);
  const { body } = await app.api().get('/v1/inbound').query({ to: 'outage@hello.test' }).expect(200);
  expect(body.data).toHaveLength(1);
});

test('a message that is cut off is nowhere', async () => {
  const talk = await greeted();
  await talk.say('EHLO mx.elsewhere.test');
  await talk.say('MAIL FROM:<ada@example.com>');
  await talk.say('RCPT TO:<cut@hello.test>');
  await talk.say('DATA');
  talk.write('From: ada@example.com\r\nSubject: Hi\r\n\r\nHel');
  talk.close();
  await eventually('the connection is gone', () => smtp.inbound.server.connections.size === 0);
  const { body } = await app.api().get('/v1/inbound').query({ to: 'cut@hello.test' }).expect(200);
  expect(body.data).toHaveLength(0);
});

const HELLO = 'EHLO mx.elsewhere.test\r\n';
const ENVELOPE = `${HELLO}MAIL FROM:<ada@example.com>\r\nRCPT TO:<team@hello.test>\r\n`;
const MESSAGE = `${ENVELOPE}DATA\r\nFrom: ada@example.com\r\nSubject: Hi\r\n\r\nHello`;

/** What a client may have said when it goes. */
const PHASES: Readonly<Record<string, string | Buffer>> = {
  'before it says anything': '',
  'within a command': 'EHL',
  'after its greeting': HELLO,
  'within the envelope': ENVELOPE.slice(0, -10),
  'after the envelope': ENVELOPE,
  'within a message': MESSAGE,
  'within the end of a message': `${MESSAGE}\r\n.`,
  'after a message': `${MESSAGE}\r\n.\r\n`,
  'after commands behind a message': `${MESSAGE}\r\n.\r\n${MESSAGE}\r\n.\r\nNOOP\r\nQUIT\r\n`,
  'after commands in disorder': `DATA\r\nRCPT TO:<>\r\n${ENVELOPE}STARTTLS\r\nBDAT 4\r\nDATA\r\nDATA\r\n.\r\nRSET\r\nDATA\r\n`,
  'after bytes that are no commands': Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7) % 256)),
  'after the beginning of TLS': Buffer.from([0x16, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]),
  'after a form of HTTP': 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde',
};

const goes = (said: string | Buffer, how: 'end' | 'destroy' | 'resetAndDestroy'): Promise<void> =>
  new Promise((resolve) => {
    const socket = net.connect(smtp.port, '127.0.0.1');
    socket.on('error', () => undefined).on('close', () => resolve());
    socket.resume();
    socket.write(said, () => setTimeout(() => socket[how](), 20));
    if (said.length === 0) socket.once('connect', () => socket[how]());
  });

test.each(Object.entries(PHASES))('a client that goes %s ends nothing', async (_when, said) => {
  await Promise.all((['end', 'destroy', 'resetAndDestroy'] as const).flatMap((how) => [goes(said, how), goes(said, how)]));
  await eventually('the connections are gone', () => smtp.inbound.server.connections.size === 0);
  const { data } = await smtp.deliver({
    from: 'ada@example.com',
    to: 'team@hello.test',
    data: 'From: ada@example.com\nSubject: Hi\n\nHello\n',
  });
  expect(data).toMatch(/^250 /);
});

test('a stopped server lets a message come to its end and sends other connections away', async () => {
  const own = await startInboundSmtp(app);
  const talk = await SmtpTalk.open(own.port);
  await talk.reply();
  const idle = await SmtpTalk.open(own.port);
  await idle.reply();
  await talk.say('EHLO mx.elsewhere.test');
  await talk.say('MAIL FROM:<ada@example.com>');
  await talk.say('RCPT TO:<last@hello.test>');
  await talk.say('DATA');
  const closed = own.inbound.close();
  expect(await idle.reply()).toMatch(/^421 4\.3\.2 /);
  talk.write('From: ada@example.com\r\nSubject: Last\r\n\r\nHello\r\n');
  expect(await talk.say('.')).toMatch(/^250 /);
  await closed;
  const { body } = await app.api().get('/v1/inbound').query({ to: 'last@hello.test' }).expect(200);
  expect(body.data).toHaveLength(1);
});
