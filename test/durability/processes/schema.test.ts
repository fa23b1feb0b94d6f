import { execFile, execFileSync, fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo } from '../../../src/platform/mongo/connect';
import { SCHEMA_VERSION } from '../../../src/platform/mongo/versions';
import { eventually } from '../../support/platform/platform';
import { freePort, processCode, testMongoUri } from '../../support/run/servers';
import { stored } from '../../support/data/stored';

const ROOT = path.resolve(__dirname, '../../..');
const uri = testMongoUri(`schema_${process.pid}`);

const children: ChildProcess[] = [];
let said: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  env = {
    PATH: process.env['PATH'],
    HOME: os.homedir(),
    NODE_ENV: 'production',
    MONGODB_URI: uri,
    PORT: '0',
    TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
    APP_SECRET: 'an application secret for tests only!',
    SMTP_URL: 'smtp://127.0.0.1:1',
  };
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await mongoose.connection.dropDatabase();
  await disconnectMongo();
});

function start(entry: string): ChildProcess {
  said = '';
  const child = fork(processCode(entry), { execArgv: [], cwd: ROOT, env, silent: true });
  children.push(child);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return child;
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const outcome = (entry: string, ...args: readonly string[]): Promise<Outcome> =>
  new Promise((resolve) => {
    execFile(process.execPath, [processCode(entry), ...args], { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const admin = (...args: readonly string[]): Promise<Outcome> => outcome('src/processes/admin/main.ts', ...args);

interface Started {
  readonly child: ChildProcess;
  readonly readiness: () => Promise<number>;
}

async function startApi(): Promise<Started> {
  const child = start('api/main.ts');
  const [{ listening }] = (await once(child, 'message')) as [{ listening: number }];
  return { child, readiness: async () => (await fetch(`http://127.0.0.1:${listening}/readyz`)).status };
}

test('the first process that comes to a database which was never migrated migrates it', async () => {
  const { child, readiness } = await startApi();
  await eventually('it is ready', async () => (await readiness()) === 200);
  // Not before: a new database has no collection, and this process may still have something to write.
  await connectMongo(uri);
  expect(said).not.toContain('waits');
  expect(await admin('migrate', '--status', '--json')).toMatchObject({ code: 0 });
  child.kill('SIGKILL');
  await stored.parts.remove();
});

test('an API waits for what its release needs more, and says for what; workers and smtp know every index by then', async () => {
  await stored.schemas.change({}, { indexes: [] });
  const { readiness } = await startApi();
  await eventually('it says that it waits', () =>
    /The database lacks \d+ indexes that release 0\.1\.0 needs; waiting for \\"npm run admin -- migrate\\"/.test(said),
  );
  expect(await readiness()).toBe(503);
  expect(await admin('migrate', '--status', '--json')).toMatchObject({ code: 1, stderr: expect.stringContaining('needs') });

  const migrated = await admin('migrate', '--json');
  expect(migrated).toMatchObject({ code: 0, stderr: expect.stringContaining('Indexes of this release are ready') });
  // No earlier release has been in a database that is new: it is contracted at once.
  const status = { schema: SCHEMA_VERSION, needs: SCHEMA_VERSION, oldest: SCHEMA_VERSION, expand: [], contract: [], underWay: null };
  expect(JSON.parse(migrated.stdout)).toMatchObject(status);
  await eventually('it is ready', async () => (await readiness()) === 200);
  const shown = await admin('migrate', '--status', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    ...status,
    processes: [expect.stringMatching(/^api of release 0\.1\.0 \(schema \d+, /)],
  });
  expect(await admin('migrate', '--status', '--contract')).toMatchObject({ code: 2 });
  expect(await stored.parts.count()).toBe(1);

  // Nothing is left that a worker or inbound SMTP would wait for.
  start('src/processes/inbound-smtp/main.ts');
  await eventually('smtp is there', async () => (await stored.parts.count({ part: 'smtp' })) === 1);
  await admin('migrate');
  expect(said).not.toContain('waits');
});

test.each(['api/main.ts', 'worker/main.ts', 'src/processes/inbound-smtp/main.ts'])(
  '%s refuses a database that was contracted beyond it',
  async (entry) => {
    await stored.schemas.change({}, { oldest: SCHEMA_VERSION + 1 });
    const { code, stderr } = await outcome(entry);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^The database has schema .* Start a release that knows schema ${SCHEMA_VERSION + 1}, or restore a backup .*\n$`),
    );
  },
);

test('operator commands refuse a database that was contracted beyond them, except a look at its state', async () => {
  await stored.schemas.change({}, { oldest: SCHEMA_VERSION + 1 });
  const sentence = { code: 1, stderr: expect.stringContaining('Start a release that knows schema') };
  expect(await admin('projects', 'list')).toMatchObject(sentence);
  expect(await admin('migrate')).toMatchObject(sentence);
  expect(await admin('migrate', '--status', '--json')).toMatchObject({ stdout: expect.stringContaining('"oldest"') });
});

const grep = (...args: readonly string[]): readonly string[] =>
  execFileSync('grep', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');

test('every model there is takes part in migrations', () => {
  const loaded = grep('-ohE', "\\.\\.?/[^']+", 'src/upkeep/migrations/models.ts').map((name) => path.join('src/upkeep/migrations', name));
  expect(
    grep('-rlE', '= (presenceModel|model)(<\\w+>)?\\(', 'src')
      .map((file) => file.replace('.ts', ''))
      .sort(),
  ).toEqual([...loaded].sort());
});
