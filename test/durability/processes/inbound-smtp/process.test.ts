import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrateAll } from '../../../../src/upkeep/migrations/migrate';
import { connectMongo, disconnectMongo } from '../../../../src/platform/mongo/connect';
import { Secrets } from '../../../../src/platform/secrets';
import { storeEmail } from '../../../support/data/email-rows';
import { envelopeSenderOf } from '../../../support/platform/inbound-smtp';
import { Part, eventually } from '../../../support/platform/platform';
import { postfixReport } from '../../../support/data/returned-mail';
import { freePort, startMongod } from '../../../support/run/servers';
import type { TestServer } from '../../../support/run/servers';
import { SmtpTalk, deliver } from '../../../support/calls/smtp-talk';
import { stored } from '../../../support/data/stored';
import { newProject } from '../../../support/data/projects';

const APP_SECRET = 'an application secret for tests only!';

const root = mkdtempSync(path.join(os.tmpdir(), 'lettermill-smtp-'));
let mongod: TestServer;
let smtp: Part;
let port: number;
let projectId: string;
let count = 0;

beforeAll(async () => {
  mongod = await startMongod({ dir: path.join(root, 'mongo') });
  const uri = `mongodb://127.0.0.1:${mongod.port}/lettermill?replicaSet=rs0&directConnection=true`;
  await connectMongo(uri);
  await migrateAll(() => undefined);
  ({ projectId } = await newProject('Default'));
  port = await freePort();
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    MONGODB_URI: uri,
    APP_SECRET,
    DEV_VERIFIED_DOMAINS: 'hello.test',
    // No server listens there: mail is taken without Temporal.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    INBOUND_SMTP_PORT: String(port),
  };
  smtp = new Part('src/processes/inbound-smtp/main.ts', env, 'is listening');
  await smtp.start();
});
afterAll(async () => {
  await smtp.stop();
  await disconnectMongo();
  await mongod.stop();
  rmSync(root, { recursive: true, force: true });
});

const core = { config: { PUBLIC_URL: 'http://localhost', BOUNCE_DOMAIN: 'bounce.lettermill.test' }, secrets: new Secrets([APP_SECRET]) };

/** A message that was delivered, and its bounce. */
async function bounced(): Promise<{ readonly emailId: string; readonly letter: { readonly to: string; readonly data: string } }> {
  const email = await storeEmail(projectId, { status: 'delivered', sentAt: new Date(), deliveredAt: new Date(), attempts: 1 });
  const emailId = email._id;
  return {
    emailId,
    letter: { to: envelopeSenderOf(core, emailId), data: postfixReport({ to: 'ada@example.com', said: '550 5.1.1 No', status: '5.1.1' }) },
  };
}

const letterTo = (to: string) => ({
  from: 'ada@example.com',
  to,
  data: `From: ada@example.com\nSubject: Hi\nMessage-ID: <${++count}@example.com>\n\nHello\n`,
});
const statusOf = async (emailId: string) => (await stored.emails.one(emailId))?.status;
const receivedAt = (to: string): Promise<number> => stored.emails.count({ to, source: 'inbound' });

test('inbound SMTP takes bounces and mail without Temporal', async () => {
  const { emailId, letter } = await bounced();
  await eventually('the bounce is taken', async () => (await deliver(port, letter)).data?.startsWith('250'));
  expect(await statusOf(emailId)).toBe('bounced');
  expect((await deliver(port, letterTo('first@hello.test'))).data).toMatch(/^250 /);
  expect(await receivedAt('first@hello.test')).toBe(1);
});

test('mail is put off while MongoDB is away, also by a process that starts then; when it is back, it is taken', async () => {
  const { emailId, letter } = await bounced();
  await mongod.kill9();
  expect((await deliver(port, letterTo('away@hello.test'))).recipients[0]).toMatch(/^451 4\.3\.0 /);
  expect((await deliver(port, letter)).data).toMatch(/^451 4\.3\.0 /);
  await smtp.kill9();
  await smtp.start();
  expect((await deliver(port, letter)).recipients[0]).toMatch(/^451 4\.3\.0 /);
  await mongod.restart();
  await eventually('the bounce is taken', async () => (await deliver(port, letter)).data?.startsWith('250'));
  await eventually('the status can be read', async () => (await statusOf(emailId)) === 'bounced');
  const late = letterTo('away@hello.test');
  expect((await deliver(port, late)).data).toMatch(/^250 /);
  expect(await receivedAt('away@hello.test')).toBe(1);
});

/** Hands a message in and goes before the answer. */
async function unanswered({ from, to, data }: ReturnType<typeof letterTo>): Promise<SmtpTalk> {
  const talk = await SmtpTalk.open(port);
  await talk.reply();
  for (const command of ['EHLO mx.elsewhere.test', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) await talk.say(command);
  talk.write(`${data.replaceAll('\n', '\r\n')}.\r\n`);
  return talk;
}

test('a process killed before its answer loses nothing and stores nothing twice when the sender comes again', async () => {
  const letter = letterTo('killed@hello.test');
  const talk = await unanswered(letter);
  await smtp.kill9();
  talk.close();
  await smtp.start();
  await eventually('it is taken', async () => (await deliver(port, letter)).data?.startsWith('250'));
  expect(await receivedAt(letter.to)).toBe(1);
});

test('a stopped process finishes the message that it is being given', async () => {
  const talk = await SmtpTalk.open(port);
  await talk.reply();
  const { from, to, data } = letterTo('stopped@hello.test');
  for (const command of ['EHLO mx.elsewhere.test', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) await talk.say(command);
  const stopped = smtp.stop();
  await eventually('it stops', () => smtp.output.includes('is stopping'));
  talk.write(data.replaceAll('\n', '\r\n'));
  expect(await talk.say('.')).toMatch(/^250 /);
  await stopped;
  expect(await receivedAt(to)).toBe(1);
  expect(smtp.output).not.toContain('@');
});
