import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compose } from '../../../../src/composition/compose';
import { UsageError } from '../../../../src/processes/admin/arguments';
import { platformOf } from '../../../../src/processes/admin/platform';
import { readable } from '../../../../src/processes/admin/print';
import { parseRequest } from '../../../../src/processes/admin/request';
import { keptSecret, openDataDir } from '../../../../packages/local/src/data-dir';
import { isHeldByUs, takeLock } from '../../../../packages/local/src/lock';
import { runningMongod } from '../../../../packages/local/src/mongod';
import { loadConfig } from '../../../../src/platform/config/config';
import { connectMongo, disconnectMongo } from '../../../../src/platform/mongo/connect';
import { CannotStart } from '../../../../src/platform/start-up';
import { authenticate } from '../../../../src/records/projects/key-service';
import type { KeyHolder } from '../../../../src/records/projects/key-service';
import { makeKey } from '../../../../src/records/projects/keys';
import { processCode, testMongoUri } from '../../../support/run/servers';
import { stored } from '../../../support/data/stored';

const ROOT = path.resolve(__dirname, '../../../..');
const uri = testMongoUri(`admin_${process.pid}`);

/** What every command says first, beside its result. */
const DATABASE = `Database: ${new URL(uri).pathname.slice(1)} at ${new URL(uri).host}\n`;

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** As `npm run admin -- <args>`. */
function admin(args: readonly string[], env: Readonly<Record<string, string>> = { MONGODB_URI: uri }): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [processCode('src/processes/admin/main.ts'), ...args],
      { cwd: ROOT, env: { PATH: process.env['PATH'], HOME: os.homedir(), ...env } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

const platform = platformOf(loadConfig({}), () => undefined);

/** What it prints with `--json`, done in this process. */
async function json(...args: string[]): Promise<unknown> {
  const { result } = await parseRequest(args).run(platform);
  return JSON.parse(JSON.stringify(result)) as unknown;
}

interface Keys {
  readonly projectId: string;
  readonly secret: string;
  readonly test: string;
  readonly public: string;
}

const holder = async (key: string): Promise<KeyHolder> => (await authenticate(key)) as KeyHolder;

beforeAll(() => {
  compose(null);
  return connectMongo(uri);
});
afterAll(disconnectMongo);

test('all keys of a project are revoked together, which ends its sessions', async () => {
  const { projectId, secret } = (await json('projects', 'create', 'Leaving')) as Keys;
  await json('console-link', projectId);
  await stored.consoleSessions.make({
    _id: 'a'.repeat(64),
    projectId,
    kind: 'secret',
    createdAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
    endsAt: new Date(Date.now() + 60_000),
  });
  const sessionId = `ses_${'a'.repeat(32)}`;
  expect(await json('sessions', 'list', projectId)).toMatchObject([{ sessionId, keyPrefix: null }]);
  expect(await json('keys', 'revoke', '--all', projectId)).toEqual({ projectId, keys: 3, sessions: 1 });
  expect(await authenticate(secret)).toBe('revoked');
  expect(await json('sessions', 'list', projectId)).toEqual([]);
  expect(await stored.consoleLinks.count({ projectId })).toBe(0);
  await expect(json('sessions', 'end', sessionId)).rejects.toThrow('not');
  expect(await json('sessions', 'end', projectId)).toEqual({ projectId, sessions: 0 });
  const entries = (await json('audit', '--project', projectId)) as { action: string }[];
  expect(entries.map(({ action }) => action)).toEqual(['console.end', 'key.revoke_all', 'console_link.create', 'project.create']);
});

test('a project is made, listed, put on a plan, disabled, enabled and its reputation reset', async () => {
  const keys = (await json('projects', 'create', 'Ann’s shop')) as Keys;
  expect(keys).toEqual({
    projectId: expect.stringMatching(/^prj_/),
    secret: expect.stringMatching(/^sk_(?!test_)/),
    test: expect.stringMatching(/^sk_test_/),
    public: expect.stringMatching(/^pk_/),
  });
  expect((await holder(keys.public)).key.kind).toBe('public');
  const listed = {
    projectId: keys.projectId,
    name: 'Ann’s shop',
    plan: 'free',
    disabledAt: null,
    reputation: 'ok',
    createdAt: expect.any(String),
  };
  expect(await json('projects', 'list')).toContainEqual(listed);
  expect(await json('projects', 'rename', keys.projectId, 'Ann & Co')).toEqual({ ...listed, name: 'Ann & Co' });
  expect(() => parseRequest(['projects', 'rename', keys.projectId, ' '])).toThrow(UsageError);
  await json('projects', 'rename', keys.projectId, 'Ann’s shop');
  expect(await json('projects', 'plan', keys.projectId, 'growth')).toEqual({ ...listed, plan: 'growth' });
  expect(await json('projects', 'disable', keys.projectId)).toMatchObject({ disabledAt: expect.any(String) });
  expect((await holder(keys.secret)).project.disabledAt).toBeInstanceOf(Date);
  expect(await json('projects', 'enable', keys.projectId)).toMatchObject({ disabledAt: null });
  expect(await json('projects', 'reputation-reset', keys.projectId)).toMatchObject({ reputation: 'ok' });
});

test('keys are made, listed without their secret part, and revoked by a beginning that is theirs alone', async () => {
  const { projectId, secret } = (await json('projects', 'create', 'Keys')) as Keys;
  const made = (await json('keys', 'create', projectId, 'test', '--scope', 'sending', '--expires', '30d')) as { key: string };
  expect(made).toEqual({
    projectId,
    kind: 'test',
    key: expect.stringMatching(/^sk_test_/),
    scope: 'sending',
    expiresAt: expect.stringMatching(/^\d{4}-/),
  });
  const listed = (await json('keys', 'list', projectId)) as { prefix: string; expiresAt: string | null }[];
  expect(listed).toHaveLength(4);
  expect(listed[3]).toMatchObject({ kind: 'test', scope: 'sending', lastUsedAt: null, revokedAt: null });
  expect(Date.parse(String(listed[3]?.expiresAt)) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  expect(JSON.stringify(listed)).not.toContain(made.key);
  expect(await json('keys', 'revoke', made.key)).toMatchObject({ projectId, kind: 'test' });
  expect(await authenticate(made.key)).toBe('revoked');
  expect(await json('keys', 'revoke', secret.slice(0, 15))).toMatchObject({ kind: 'secret' });
  expect(await authenticate(secret)).toBe('revoked');
  await expect(json('keys', 'revoke', made.key)).rejects.toThrow('Key not found');
});

test('an operator makes keys however many were made within the hour, by whomever', async () => {
  const { projectId } = (await json('projects', 'create', 'Hour')) as Keys;
  const rows = Array.from({ length: 60 }, () => ({ ...makeKey('secret', new Date()).row, revokedAt: new Date() }));
  await stored.projects.change(projectId, { $push: { keys: { $each: rows } } });
  expect(await json('keys', 'create', projectId, 'secret')).toMatchObject({ projectId, kind: 'secret' });
});

test('the output of the admin command without --json is for a person to read', async () => {
  const created = await admin(['projects', 'create', 'Readable']);
  expect(created.stdout).toMatch(/^projectId {2}prj_\w+\nsecret {5}sk_\w+\ntest {7}sk_test_\w+\npublic {5}pk_\w+\n$/);
  const { stdout } = await admin(['projects', 'list']);
  expect(stdout.split('\n')[0]).toMatch(/^projectId +name +plan +createdAt +disabledAt +reputation$/);
  expect(stdout).toContain('Readable');
});

test('a list within a result has a line for each item', () => {
  expect(readable({ stalled: ['Webhooks wait', 'Outgoing mail waits'], lacks: [], sending: 'active' })).toBe(
    'stalled  Webhooks wait\n         Outgoing mail waits\nlacks    none\nsending  active\n',
  );
});

const EXPIRES = '--expires takes a time with its zone (2027-01-31T00:00:00Z) or a span in minutes, hours or days (90m, 12h, 30d)';

test.each([
  [[], 'No command given'],
  [['projects'], 'Unknown command "projects"'],
  [['projects', 'destroy', 'x'], 'Unknown command "projects destroy"'],
  [['projects', 'create'], 'Usage: projects create <name>'],
  [['projects', 'create', ' '], 'The name of a project must have 1 to 200 characters'],
  [['projects', 'create', 'two', 'names'], 'Usage: projects create <name>'],
  [['projects', 'plan', 'prj_x', 'huge'], 'The plan must be one of free, starter, growth'],
  [['keys', 'create', 'prj_x', 'private'], 'The kind of key must be one of secret, test, public'],
  [['keys', 'create', 'prj_x', 'secret', '--scope', 'write'], '--scope must be one of full, sending, read'],
  [['keys', 'create', 'prj_x', 'public', '--scope', 'read'], 'A public key has no scope: it can only post events'],
  [['keys', 'create', 'prj_x', 'secret', '--expires', '0d'], '--expires must be in the future'],
  [['keys', 'create', 'prj_x', 'secret', '--expires', '2020-01-01T00:00:00Z'], '--expires must be in the future'],
  [['keys', 'create', 'prj_x', 'secret', '--expires', '99999d'], '--expires is more than a hundred years away'],
  [['keys', 'create', 'prj_x', 'secret', '--expires', '2027-01-31'], EXPIRES],
  [['keys', 'create', 'prj_x', 'secret', '--expires', '2027-02-30T00:00:00Z'], EXPIRES],
  [['keys', 'create', 'prj_x', 'secret', '--expires', 'soon'], EXPIRES],
  [['keys', 'revoke', 'sk_01234567', '--json'], 'Give the first 12 characters of the key or more'],
  [['keys', 'list', 'prj_x', '--scope', 'read'], 'Usage: keys list <projectId>'],
  [['usage', '--month', '2026-13'], '--month takes a year and a month (2026-11)'],
  [['usage', '--json', '--csv'], 'Use either --json or --csv'],
  [['audit', '--all', '--limit', '5'], 'Use either --all, or --limit and --before'],
  [['audit', '--limit', '0'], '--limit must be 1 to 1000'],
  [['audit', '--limit', '1001'], '--limit must be 1 to 1000'],
  [['audit', '--before', '{"$gt":""}'], '--before takes the id of an entry (aud_…)'],
])('%j is not understood', (args, message) => {
  expect(() => parseRequest(args)).toThrow(new UsageError(message));
});

test('a command line that is not understood gives exit code 2 and the usage', async () => {
  const { code, stdout, stderr } = await admin(['projects', 'plan', 'prj_x', 'huge', '--json']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('The plan must be one of free, starter, growth\n\nUsage: npm run admin -- <command> [--json|--csv]');
});

test('usage and audit are exported as CSV', async () => {
  const { projectId } = (await json('projects', 'create', 'Export, "quoted"')) as Keys;
  const categories = { transactional: 1, campaign: 2, workflow: 0, inbound: 0 };
  const stripe = (number: number) => ({ _id: `${projectId}/2026-02/${number}`, used: 3, credits: 4, categories });
  for (const number of [1, 6]) await stored.usage.make(stripe(number));
  const usage = await admin(['usage', '--month', '2026-02', '--project', projectId, '--csv']);
  const names = 'month,projectId,name,plan,used,credits,transactional,campaign,workflow,inbound';
  expect(usage.stdout).toBe(`${names}\r\n2026-02,${projectId},"Export, ""quoted""",free,6,8,2,4,0,0\r\n`);
  expect(await json('usage', '--month', '2026-03')).toContainEqual(expect.objectContaining({ projectId, month: '2026-03', used: 0 }));

  for (const name of ['First', 'Second']) await json('projects', 'rename', projectId, name);
  const audit = await admin(['audit', '--all', '--project', projectId, '--csv']);
  const [head, ...lines] = audit.stdout.trimEnd().split('\r\n');
  expect(head).toBe('at,projectId,by,action,subject,entryId');
  expect(lines.map((line) => line.split(',')[3])).toEqual(['project.rename', 'project.rename', 'project.create']);
});

test('what cannot be done is said, with exit code 1', async () => {
  expect(await admin(['projects', 'disable', 'prj_missing'])).toEqual({ code: 1, stdout: '', stderr: `${DATABASE}Project not found\n` });
});

test.each([[['keys', 'create', 'prj_missing', 'secret']], [['keys', 'list', 'prj_missing']]])('%j cannot be done', async (args) => {
  await expect(json(...args)).rejects.toThrow('Project not found');
});

test('what could be done in part only is printed, with exit code 1', async () => {
  await stored.domains.collection.insertOne({
    _id: 'dom_odd',
    projectId: 'prj_x',
    domain: 'x.example.com',
    dkimPrivateKey: 'aa.odd',
  });
  const env = { MONGODB_URI: uri, APP_SECRET: 'an application secret for tests only!' };
  const { code, stdout, stderr } = await admin(['secrets', 'reseal', '--json'], env);
  const fault = 'No secret that is listed opens 1 of them; they stay as they are: dom_odd\n';
  expect({ code, stderr }).toEqual({ code: 1, stderr: `${DATABASE}${fault}` });
  expect(JSON.parse(stdout)).toContainEqual({ what: 'DKIM keys', rows: 1, resealed: 0, unreadable: 1 });
});

test('a command says the database and the project that it works on, beside its result', async () => {
  const made = await admin(['projects', 'create', 'Named', '--json']);
  const { projectId, secret } = JSON.parse(made.stdout) as Keys;
  const said = `${DATABASE}Project: ${projectId} (Named)\n`;
  expect(made.stderr).toBe(said);
  expect((await admin(['projects', 'disable', projectId])).stderr).toBe(said);
  expect((await admin(['audit', '--project', projectId])).stderr).toBe(said);
  expect((await admin(['keys', 'revoke', secret])).stderr).toBe(said);
});

test('in production commands make no database', async () => {
  for (const words of [['restore-fence', 'status'], ['migrate']]) expect(parseRequest(words).offline).toBe(false);
  const root = mkdtempSync(path.join(os.tmpdir(), 'lettermill-admin-'));
  expect(await admin(['projects', 'list'], { NODE_ENV: 'production', DATA_DIR: root })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Set MONGODB_URI: with NODE_ENV=production, commands use no other database\n',
  });
  expect(readdirSync(root)).toEqual([]);
  rmSync(root, { recursive: true, force: true });
});

test('in production no command takes the secret of a DATA_DIR that happens to exist', async () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'lettermill-admin-'));
  keptSecret(openDataDir(root));
  const reseal = (env: NodeJS.ProcessEnv) => parseRequest(['secrets', 'reseal']).run(platformOf(loadConfig(env), () => undefined));
  await expect(reseal({ NODE_ENV: 'production', DATA_DIR: root })).rejects.toThrow(
    new CannotStart('Set APP_SECRET: with NODE_ENV=production, commands use no other secret'),
  );
  expect(await reseal({ DATA_DIR: root })).toMatchObject({ result: expect.any(Array) });
  rmSync(root, { recursive: true, force: true });
});

test('a mongod is started for as long as a command takes on a DATA_DIR that nothing runs on', async () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'lettermill-admin-'));
  const env = { DATA_DIR: root };
  const made = await admin(['projects', 'create', 'Alone', '--json'], env);
  const { projectId } = JSON.parse(made.stdout) as Keys;
  const listed = await admin(['projects', 'list', '--json'], env);
  expect(JSON.parse(listed.stdout)).toEqual([expect.objectContaining({ projectId, name: 'Alone' })]);
  const dir = openDataDir(root);
  expect(runningMongod(dir.mongo)).toBeNull();
  expect(isHeldByUs(takeLock(dir.lock))).toBe(true);
  rmSync(root, { recursive: true, force: true });
});
