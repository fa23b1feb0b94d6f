import { execFile, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EmailModel } from '../../src/records/emails/model';
import { connectMongo, disconnectMongo } from '../../src/platform/mongo/connect';
import { createProject } from '../../src/records/projects/service';
import { Part, eventually } from '../support/platform/platform';
import { checkOutRelease } from '../support/run/release';
import { freePort, processCode, startMongod, startTemporal } from '../support/run/servers';
import { scratchDir } from '../support/run/test-run';
import { startSmtpServer } from '../support/servers/smtp-fault-server';
import type { SmtpFaultServer } from '../support/servers/smtp-fault-server';
import { seeded } from './chance';
import type { Chance } from './chance';
import type { Figures } from './report';
import { ENROLLED, Load, RECIPIENTS } from './upgrade-load';

/** The last release that knew no schema versions. */
const OLD = '84ff923';
const LEDGER_CHUNK = 100;
const SMTP_CONNECTIONS = 10;
const STAGE_MS = 8_000;
const LONGEST_MS = 240_000;

type Env = Readonly<Record<string, string>>;

/** An API and two workers of one release. */
class Fleet {
  readonly workers: readonly Part[];
  private readonly api: Part;

  constructor(
    env: Env,
    readonly port: number,
    codeOf?: (entry: string) => readonly string[],
  ) {
    this.api = new Part('api/main.ts', { ...env, PORT: String(port) }, 'istening', codeOf);
    this.workers = [0, 1].map(() => new Part('worker/main.ts', env, 'Worker is ready', codeOf));
  }

  async start(load: Load): Promise<void> {
    await Promise.all([this.api, ...this.workers].map((part) => part.start()));
    await eventually('the API is ready', async () => (await fetch(`http://127.0.0.1:${this.port}/readyz`)).status === 200);
    load.ports = [...load.ports, this.port];
  }

  /** Stops it in order; when `kills`, its API, which the balancer still knows, and one worker are killed, the other worker stops. */
  async leave(load: Load, kills: boolean): Promise<void> {
    const [first, second] = this.workers as readonly [Part, Part];
    await Promise.all([kills ? this.api.kill9() : this.api.stop(), first.stop(), kills ? second.kill9() : second.stop()]);
    load.ports = load.ports.filter((port) => port !== this.port);
  }
}

/** Runs `admin migrate`, killed somewhere on its way, and once more to its end. */
async function migrateTwice(env: Env, chance: Chance): Promise<void> {
  const args = [processCode('src/processes/admin/main.ts'), 'migrate'];
  const options = { env: { PATH: process.env['PATH'] ?? '', HOME: os.homedir(), ...env } };
  const first = spawn(process.execPath, args, { ...options, stdio: 'ignore' });
  await pause(500 + chance.below(1_000));
  first.kill('SIGKILL');
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, args, options, (error, _stdout, stderr) => (error ? reject(new Error(stderr)) : resolve()));
  });
}

/** How many messages came while `work` was done and for a while afterwards. */
async function arrivedDuring(smtp: SmtpFaultServer, work: () => Promise<void>): Promise<number> {
  const before = smtp.messages.length;
  await work();
  await pause(STAGE_MS);
  return smtp.messages.length - before;
}

type Stages = readonly (readonly [name: string, messages: number])[];

/** An upgrade, a roll-back and an upgrade again, under load. Each fleet that leaves has an API and a worker killed but the last. */
async function roll(load: Load, smtp: SmtpFaultServer, env: Env, root: string, chance: Chance): Promise<Stages> {
  const old = new Fleet(env, await freePort(), (entry) => ['src/run.cjs', entry].map((file) => path.join(root, file)));
  const fresh = new Fleet(env, await freePort());
  const stages: [string, number][] = [];
  const stage = async (name: string, work: () => Promise<void>): Promise<void> => {
    const messages = await arrivedDuring(smtp, work);
    process.stderr.write(`${name}: ${messages} messages\n`);
    if (messages === 0) throw new Error(`No mail went out: ${name}`);
    stages.push([name, messages]);
  };
  try {
    await old.start(load);
    await stage('old alone', () => load.begin());
    await stage('old, while the database is migrated', () => migrateTwice(env, chance));
    await stage('both', () => fresh.start(load));
    await stage('new alone', () => old.leave(load, true));
    await stage('both, going back', () => old.start(load));
    await stage('old alone again', () => fresh.leave(load, true));
    await stage('both once more', () => fresh.start(load));
    await stage('new alone at the end', () => old.leave(load, false));
    await load.end();
    await untilDone(load);
    return stages;
  } finally {
    await load.end().catch(() => undefined);
    await Promise.all([old, fresh].map((fleet) => fleet.leave(load, true)));
  }
}

async function untilDone(load: Load): Promise<void> {
  const data = async (route: string) => (await load.call('GET', route)).body.data;
  await eventually('the campaign is sent', async () => (await data(load.campaign))['status'] === 'sent', LONGEST_MS);
  await eventually('all executions are over', async () => (await data(load.automation))['completed'] === ENROLLED, LONGEST_MS);
  const open = () => EmailModel.countDocuments({ status: { $in: ['queued', 'sending'] } });
  await eventually('nothing waits', async () => (await open()) === 0, LONGEST_MS);
}

/** Two releases side by side on one database, forth and back. Throws when a message is lost, or repeated beyond the bound. */
export async function run(seed: number): Promise<Figures> {
  const chance = seeded(seed);
  const dir = scratchDir('upgrade');
  const [mongod, temporal, smtp] = await Promise.all([
    startMongod({ dir: path.join(dir, 'mongo') }),
    startTemporal({ dir: path.join(dir, 'temporal') }),
    startSmtpServer(),
  ]);
  try {
    const root = checkOutRelease(OLD, path.join(dir, 'old'));
    const uri = `mongodb://127.0.0.1:${mongod.port}/lettermill?replicaSet=rs0&directConnection=true`;
    await connectMongo(uri);
    const env = {
      ...{ NODE_ENV: 'test', LOG_LEVEL: 'info', MONGODB_URI: uri, TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}` },
      ...{
        APP_SECRET: 'an application secret for tests only!',
        SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
        DEV_VERIFIED_DOMAINS: 'hello.test',
      },
      ...{ LEDGER_CHUNK: String(LEDGER_CHUNK), SMTP_CONNECTIONS: String(SMTP_CONNECTIONS), SMTP_RETRY_SECONDS: '1,1,2,2,5,5,10,10,10' },
    };
    const load = new Load(await createProject('Upgrade'));
    const began = performance.now();
    const stages = await roll(load, smtp, env, root, chance);
    return await judge({ seed, load, smtp, stages, seconds: Math.round((performance.now() - began) / 1_000) });
  } finally {
    await disconnectMongo();
    await Promise.all([temporal.stop(), mongod.stop(), smtp.close()]);
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Outcome {
  readonly seed: number;
  readonly load: Load;
  readonly smtp: SmtpFaultServer;
  readonly stages: Stages;
  readonly seconds: number;
}

async function judge({ seed, load, smtp, stages, seconds }: Outcome): Promise<Figures> {
  const copies = new Map<string, Set<string>>();
  let repeats = 0;
  for (const { to, headers } of smtp.messages) {
    const name = `${to} ${headers['subject'] ?? ''}`;
    const known = copies.get(name);
    if (known) repeats++;
    copies.set(name, (known ?? new Set()).add(headers['message-id'] ?? ''));
  }
  const people = Array.from({ length: RECIPIENTS }, (_, n) => `user-${n}@example.com News`);
  const waited = Array.from({ length: ENROLLED }, (_, n) => [`waits-${n}@example.com first`, `waits-${n}@example.com second`]).flat();
  const wanted = [...people, ...waited, ...load.accepted.map((to) => `${to} One`)];
  const lost = wanted.filter((name) => !copies.has(name)).length;
  const others = [...copies.values()].filter((ids) => ids.size > 1).length;
  const failed = await EmailModel.countDocuments({ status: { $in: ['failed', 'bounced'] } });
  const bound = 2 * (LEDGER_CHUNK + SMTP_CONNECTIONS);
  const figures: Figures = [
    ['seed', seed],
    ['upgraded from, and rolled back to', OLD],
    ['seconds', seconds],
    ['single messages accepted, requests asked again', `${load.accepted.length}, ${load.retries}`],
    ['recipients of the campaign', RECIPIENTS],
    ['executions that waited through it', ENROLLED],
    ...stages.map(([name, messages]) => [`messages: ${name}`, messages] as const),
    ['workers stopped, killed; APIs stopped, killed', '4, 2; 1, 2'],
    ['lost', lost],
    ['repeated', `${repeats} (bound ${bound})`],
    ['repeated with another Message-ID', others],
    ['failed or bounced', failed],
  ];
  if (lost + others + failed > 0 || repeats > bound) {
    throw new Error(`A promise is broken:\n${figures.map(([name, value]) => `${name}: ${value}`).join('\n')}`);
  }
  return figures;
}
