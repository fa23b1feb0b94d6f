import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { migrateAll } from '../../../../src/upkeep/migrations/migrate';
import { connectMongo, disconnectMongo } from '../../../../src/platform/mongo/connect';
import { createProject } from '../../../../src/records/projects/service';
import { stored } from '../../../support/data/stored';
import { Part, eventually } from '../../../support/platform/platform';
import { handIn, lines, signedInAt } from '../../../support/platform/submission';
import { freePort, startMongod } from '../../../support/run/servers';
import type { TestServer } from '../../../support/run/servers';
import type { SmtpTalk } from '../../../support/calls/smtp-talk';

const root = mkdtempSync(path.join(os.tmpdir(), 'lettermill-submission-'));
let mongod: TestServer;
let smtp: Part;
let port: number;
let key: string;

beforeAll(async () => {
  mongod = await startMongod({ dir: path.join(root, 'mongo') });
  const uri = `mongodb://127.0.0.1:${mongod.port}/lettermill?replicaSet=rs0&directConnection=true`;
  await connectMongo(uri);
  await migrateAll(() => undefined);
  ({ secret: key } = await createProject('Default'));
  port = await freePort();
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'info',
    MONGODB_URI: uri,
    DEV_VERIFIED_DOMAINS: 'hello.test',
    APP_SECRET: 'an application secret for tests only!',
    // No server listens there: mail is taken without Temporal.
    TEMPORAL_ADDRESS: '127.0.0.1:1',
    INBOUND_SMTP_PORT: String(await freePort()),
    SUBMISSION_PORT: String(port),
    INBOUND_TLS_SELF_SIGNED: 'true',
    SEND_RATE_PER_SECOND: '100000',
    SEND_RATE_BURST: '100000',
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

const MESSAGES = 400;
const PROGRAMS = 50;

const messageIdOf = (n: number): string => `<${n}@program.test>`;
const messageOf = (n: number): string =>
  lines(
    'From: shop@hello.test',
    `To: reader${n}@example.com`,
    `Subject: Order ${n}`,
    `Message-ID: ${messageIdOf(n)}`,
    '',
    'It is on its way.',
  );

/** Hands a message in until it is answered with 250, as a mail program does; resolves to that answer. */
async function handedIn(n: number, open: { talk: SmtpTalk | null }): Promise<string> {
  return eventually(`250 for message ${n}`, async () => {
    try {
      open.talk ??= await signedInAt(port, key);
      const reply = await handIn(open.talk, [`reader${n}@example.com`], messageOf(n));
      if (reply.startsWith('250 ')) return reply;
    } catch {
      // The server is away.
    }
    open.talk?.close();
    open.talk = null;
    return null;
  });
}

/** Hands all messages in, over as many connections at the same time as one host may have. Adds each answer as it comes. */
async function handAllIn(answers: Map<number, string>): Promise<void> {
  const waiting = Array.from({ length: MESSAGES }, (_, n) => n);
  const program = async (): Promise<void> => {
    const open: { talk: SmtpTalk | null } = { talk: null };
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) answers.set(n, await handedIn(n, open));
    open.talk?.close();
  };
  await Promise.all(Array.from({ length: PROGRAMS }, program));
}

test('of 400 messages that programs hand in while the process is killed, each is stored once, and its 250 names it', async () => {
  const answers = new Map<number, string>();
  const killed = async (): Promise<void> => {
    for (const after of [60, 160, 280]) {
      await eventually(`${after} messages are in`, () => answers.size >= after);
      await smtp.kill9();
      await smtp.start();
    }
  };
  await Promise.all([killed(), handAllIn(answers)]);
  const rows = await stored.emails.all();
  const ids = new Map(rows.map(({ messageId, _id }) => [messageId, _id]));
  expect([rows.length, ids.size]).toEqual([MESSAGES, MESSAGES]);
  for (const [n, answer] of answers) expect(answer).toBe(`250 2.0.0 ${ids.get(messageIdOf(n))}`);
});

test('all of them that are handed in once more are stored no second time, and get the same 250', async () => {
  const before = new Map((await stored.emails.all()).map(({ messageId, _id }) => [messageId, `250 2.0.0 ${_id}`]));
  const answers = new Map<number, string>();
  await handAllIn(answers);
  for (const [n, answer] of answers) expect(answer).toBe(before.get(messageIdOf(n)));
  expect(await stored.emails.count({})).toBe(MESSAGES);
});

test('sessions that were cut with the process stay listed, without an end', async () => {
  const cut = (await stored.smtpSessions.all()).filter(({ endedAt }) => endedAt === null);
  expect(cut.length).toBeGreaterThan(0);
  expect(cut.every(({ keyPrefix }) => key.startsWith(keyPrefix))).toBe(true);
});
