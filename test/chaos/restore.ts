import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { CampaignRecipientModel } from '../../src/marketing/campaigns/model';
import { EmailModel } from '../../src/records/emails/model';
import type { Email } from '../../src/records/emails/model';
import { insertPeople } from '../support/data/people';
import { Platform, eventually } from '../support/platform/platform';
import { processCode } from '../support/run/servers';
import type { TestServer } from '../support/run/servers';
import { seeded } from './chance';
import { broken, nothingWaits } from './judgement';
import type { Figures } from './report';

const RECIPIENTS = 4_000;
const NEW = 50;
/** How far the campaign is at the backup, and at the end of the database, in percent: chance adds up to fifteen to each. */
const [BACKED_UP_AT, LOST_AT] = [20, 50];
const SINGLE_EVERY_MS = 25;
const ANSWER_MS = 15;
const LONGEST_MS = 4 * 60_000;

/** Messages to one person after another, until it is to stop. Those that were accepted. */
class Singles {
  readonly accepted: string[] = [];
  private over = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly prefix: string,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.over = true;
    await this.running;
  }

  private async run(): Promise<void> {
    for (let n = 0; !this.over; n++) {
      const to = `${this.prefix}-${n}@example.com`;
      const isAccepted = await this.platform.send(to).then(
        () => true,
        () => false,
      );
      if (isAccepted) this.accepted.push(to);
      await pause(SINGLE_EVERY_MS);
    }
  }
}

/** A copy of the database's files as of one instant, while everything goes on. */
async function backUp(mongod: TestServer, copy: string): Promise<Date> {
  const admin = mongoose.connection.getClient().db('admin');
  await admin.command({ fsync: 1, lock: true });
  const instant = new Date();
  cpSync(mongod.dir, copy, { recursive: true });
  await admin.command({ fsyncUnlock: 1 });
  return instant;
}

async function putBack(mongod: TestServer, copy: string): Promise<void> {
  const dir = mongod.dir;
  rmSync(dir, { recursive: true, force: true });
  cpSync(copy, dir, { recursive: true });
  await mongod.restart();
}

interface Status {
  readonly held: readonly { readonly messages: number }[];
  readonly campaigns: readonly { readonly waiting: number }[];
}

async function fence(platform: Platform, word: string): Promise<Status> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [processCode('src/processes/admin/main.ts'), 'restore-fence', word, '--json'],
    {
      env: { ...process.env, ...platform.env },
    },
  );
  return JSON.parse(stdout) as Status;
}

/** How often the mail server has each message, by subject and recipient. */
function arrivals(platform: Platform): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { to, headers } of platform.smtp.messages) {
    const key = `${headers['subject']} ${to}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

const repeatsIn = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, count) => sum + count - 1, 0);

/**
 * MongoDB is lost in the middle of a campaign and single sends, and restored from a backup of seconds before, behind a fence; then Temporal loses its store. Throws
 * when something is repeated behind the fence, or lost after the operator's decision: an odd seed lets go what is held, an even one takes it as sent.
 */
export async function run(seed: number): Promise<Figures> {
  const chance = seeded(seed);
  const platform = await Platform.start({ ownServers: true, env: { LEDGER_CHUNK: '100', SMTP_CONNECTIONS: '8' } });
  const copy = `${platform.mongod.dir}-copy`;
  mkdirSync(copy, { recursive: true });
  platform.smtp.script = { dot: { delayMs: ANSWER_MS } };
  try {
    await insertPeople(platform.keys.projectId, RECIPIENTS);
    const restored = await restoreMongo(platform, copy, seed, chance.below(15), chance.below(15));
    const lost = await loseTemporal(platform);
    return [['seed', seed], ['recipients', RECIPIENTS], ...restored, ...lost];
  } finally {
    rmSync(copy, { recursive: true, force: true });
    await platform.stop();
  }
}

async function campaign(platform: Platform, subject: string, options: object): Promise<string> {
  const draft = { name: subject, subject, body: '<p>Hello</p>', fromEmail: 'hello@hello.test' };
  const path = `/v1/campaigns/${(await platform.post('/v1/campaigns', draft)).body.data.campaignId as string}`;
  const sent = await platform.post(`${path}/send`, options);
  if (sent.status !== 200) throw new Error(`Not sent: ${JSON.stringify(sent.body)}`);
  return path;
}

const untilSent = (platform: Platform, path: string): Promise<boolean> =>
  eventually('the campaign is sent', async () => (await platform.get(path)).body?.data?.status === 'sent', LONGEST_MS);

async function restoreMongo(platform: Platform, copy: string, seed: number, more: number, later: number): Promise<Figures> {
  const singles = new Singles(platform, 'single');
  singles.start();
  const path = await campaign(platform, 'News', {});
  const reached = (): number => platform.smtp.messages.filter(({ headers }) => headers['subject'] === 'News').length;
  await eventually('some are sent', () => reached() >= (RECIPIENTS * (BACKED_UP_AT + more)) / 100, LONGEST_MS);
  const instant = await backUp(platform.mongod, copy);
  const [before, atBackup] = [singles.accepted.length, platform.smtp.messages.length];
  await eventually('more are sent', () => reached() >= (RECIPIENTS * (LOST_AT + later)) / 100, LONGEST_MS);
  await platform.mongod.kill9();
  await Promise.all([platform.api.kill9(), platform.worker.kill9(), singles.stop()]);
  const atLoss = arrivals(platform);

  await putBack(platform.mongod, copy);
  const began = performance.now();
  await fence(platform, new Date(instant.getTime() + 1).toISOString());
  await Promise.all([platform.api.start(), platform.worker.start()]);
  for (let n = 0; n < NEW; n++) await platform.send(`new-${n}@example.com`);
  const isHeld = async () => (await platform.get(path)).body?.data?.heldReason === 'restored';
  await eventually('the campaign is held', isHeld, LONGEST_MS);
  await eventually(
    'all else has gone',
    async () => (await EmailModel.countDocuments({ $or: [{ status: 'sending' }, { dueAt: { $exists: true } }] })) === 0,
    LONGEST_MS,
  );
  const seconds = (performance.now() - began) / 1_000;
  const status = await fence(platform, 'status');
  const held = status.held.reduce((sum, { messages }) => sum + messages, 0);
  const waiting = status.campaigns.reduce((sum, each) => sum + each.waiting, 0);
  const behind = arrivals(platform);

  const decision = seed % 2 === 1 ? 'release' : 'mark-sent';
  await fence(platform, decision);
  await untilSent(platform, path);
  await nothingWaits(LONGEST_MS);
  const after = arrivals(platform);
  const { lost, never } = await account(after);
  const repeated = [repeatsIn(atLoss), repeatsIn(behind), repeatsIn(after)] as const;
  const figures: Figures = [
    ['sent at the backup and at the loss', `${atBackup}, ${atLoss.size}`],
    ['single sends accepted after the backup, gone with it', singles.accepted.length - before],
    ['held behind the fence: messages, recipients of the campaign', `${held}, ${waiting}`],
    ['seconds until all of it was held, and new mail sent', Math.round(seconds)],
    ['repeated behind the fence', repeated[1] - repeated[0]],
    [`repeated after ${decision}`, repeated[2] - repeated[1]],
    [`lost after ${decision}`, lost],
    ['taken as sent, and never sent', never],
  ];
  if (repeated[1] > repeated[0] || lost > 0 || (decision === 'mark-sent' && repeated[2] > repeated[1])) throw broken(figures);
  return figures;
}

/** Messages and recipients that the database knows: which of them the mail server does not have, and were taken as sent or not even that. */
async function account(after: ReadonlyMap<string, number>): Promise<{ readonly lost: number; readonly never: number }> {
  const messages = await EmailModel.find({ campaignId: { $exists: false } }, { to: 1, subject: 1, status: 1, attempts: 1 }).lean<Email[]>();
  const recipients = await CampaignRecipientModel.find({}, { email: 1, skipReason: 1, emailId: 1 }).lean();
  const marked = new Set((await EmailModel.find({ error: /^Marked as sent/ }, { _id: 1 }).lean<Email[]>()).map(({ _id }) => _id));
  const missing = [
    ...messages.filter(({ to, subject }) => !after.has(`${subject} ${to}`)).map(({ _id }) => marked.has(_id)),
    ...recipients
      .filter(({ email }) => !after.has(`News ${email}`))
      .map(({ skipReason, emailId }) => skipReason === 'restored' || marked.has(emailId)),
  ];
  return { lost: missing.filter((isMarked) => !isMarked).length, never: missing.filter(Boolean).length };
}

/** A campaign is scheduled, and mail; Temporal's store is deleted while workers run. */
async function loseTemporal(platform: Platform): Promise<Figures> {
  const scheduledFor = new Date(Date.now() + 20_000).toISOString();
  const path = await campaign(platform, 'Later', { scheduledFor });
  for (let n = 0; n < NEW; n++) await platform.send(`later-${n}@example.com`, { sendAt: scheduledFor });
  await platform.temporal.kill9();
  rmSync(platform.temporal.dir, { recursive: true, force: true });
  mkdirSync(platform.temporal.dir, { recursive: true });
  await platform.temporal.restart();
  const began = performance.now();
  await untilSent(platform, path);
  await nothingWaits(LONGEST_MS);
  const seconds = (performance.now() - began) / 1_000;
  const counts = arrivals(platform);
  const later = [...counts].filter(([key]) => key.startsWith('Later '));
  const mail = [...counts].filter(([key]) => key.startsWith('Hello later-'));
  const figures: Figures = [
    ["Temporal's store deleted: seconds until a campaign due 20 s after was sent", Math.round(seconds)],
    ['reached by it, of scheduled mail', `${later.length}, ${mail.length}`],
    ['repeated', repeatsIn(new Map([...later, ...mail]))],
  ];
  // A recipient of a single message is a contact too.
  if (later.length < RECIPIENTS || mail.length !== NEW || repeatsIn(new Map([...later, ...mail])) > 0) throw broken(figures);
  return figures;
}
