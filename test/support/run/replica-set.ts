import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { mongodCommand } from '../../../packages/local/src/mongod';
import { TestServer, freePort, mongodBinary } from './servers';

const SIZE = 3;
const READY_MS = 60_000;
/** Time for which a member that has stepped down is no candidate. */
const DOWN_SECONDS = 15;

type Admin = mongoose.mongo.Db;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Does `work` on one member, whatever it is in the set. */
async function on<T>({ port }: TestServer, work: (admin: Admin) => Promise<T>): Promise<T> {
  const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    socketTimeoutMS: 10_000,
    runtimeAdapters: { os },
  });
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}

const says = (member: TestServer, what: 'isWritablePrimary' | 'secondary'): Promise<boolean> =>
  on(member, async (admin) => (await admin.command({ hello: 1 }))[what] === true).catch(() => false);

/** Polls until `check` answers something. */
async function until<T>(what: string, check: () => Promise<T | null>): Promise<T> {
  for (const deadline = Date.now() + READY_MS; ; await pause(100)) {
    const answer = await check();
    if (answer !== null) return answer;
    if (Date.now() > deadline) throw new Error(`Not within ${READY_MS} ms: ${what}`);
  }
}

async function startMember(dir: string): Promise<TestServer> {
  mkdirSync(dir, { recursive: true });
  const [port, binary] = await Promise.all([freePort(), mongodBinary()]);
  const command = mongodCommand({ binary, dbPath: dir, port });
  const member: TestServer = new TestServer(port, command, () => answers(member), dir);
  await member.restart();
  return member;
}

const answers = async (member: TestServer): Promise<void> => {
  await until(`mongod at ${member.port} answers`, () => on(member, (admin) => admin.command({ ping: 1 })).catch(() => null));
};

/** Three mongods that elect a primary, each of which may be killed and started again. */
export class ReplicaSet {
  private constructor(readonly members: readonly TestServer[]) {}

  /** `electionMs` is how long the members miss a primary before they elect another one. */
  static async start(dir: string, electionMs: number): Promise<ReplicaSet> {
    const members: TestServer[] = [];
    // One after another: a port that is found free is taken before the next is looked for.
    for (let n = 0; n < SIZE; n++) members.push(await startMember(path.join(dir, `member-${n}`)));
    const [first] = members as [TestServer];
    const hosts = members.map(({ port }, _id) => ({ _id, host: `127.0.0.1:${port}` }));
    const config = { _id: 'rs0', members: hosts, settings: { electionTimeoutMillis: electionMs } };
    await on(first, (admin) => admin.command({ replSetInitiate: config }));
    const set = new ReplicaSet(members);
    await set.whole();
    return set;
  }

  get uri(): string {
    return `mongodb://${this.members.map(({ port }) => `127.0.0.1:${port}`).join(',')}/lettermill?replicaSet=rs0`;
  }

  /** Resolves to the member that takes writes, once there is one. */
  primary(): Promise<TestServer> {
    return until('a member is primary', async () => {
      for (const member of this.members) if (await says(member, 'isWritablePrimary')) return member;
      return null;
    });
  }

  /** Resolves once every member takes part. */
  async whole(): Promise<void> {
    const primary = await this.primary();
    for (const member of this.members) {
      if (member !== primary) await until('a member is secondary', async () => ((await says(member, 'secondary')) ? true : null));
    }
  }

  /** Asks the primary to step down, so that another member is elected. */
  async stepDown(): Promise<void> {
    const primary = await this.primary();
    await on(primary, (admin) => admin.command({ replSetStepDown: DOWN_SECONDS, secondaryCatchUpPeriodSecs: 10 }));
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.kill9()));
  }
}
