import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { buildSync } from 'esbuild';
import { signatureHeaders } from '../../../src/sending/webhooks/attempt';
import { aProject } from '../../support/platform/app';

/** The TypeScript client as its users get it: packed, installed without a registry into an empty folder, and used from there. */
const ROOT = path.join(__dirname, '../../..');
const run = promisify(execFile);

/** Valid as JavaScript and as strict TypeScript. */
const PROGRAM = `import { ApiError, Lettermill, SignatureError, ValidationError, verifyWebhook } from 'lettermill';

const { LETTERMILL_URL: baseUrl = '', LETTERMILL_KEY: apiKey = '', SECRET: secret = '', BODY: body = '', SIGNATURE: signature = '' } = process.env;
const lettermill = new Lettermill({ apiKey, baseUrl });

const { results } = await lettermill.send({ to: 'ada@example.com', from: 'hello@example.com', subject: 'Hello', text: 'Hello' });
const copied = await lettermill.send({
  to: 'Ada Lovelace <ada@example.com>',
  cc: ['bob@example.com', { email: 'eve@example.com', name: 'Eve' }],
  bcc: 'dan@example.com',
  from: 'Hello <hello@example.com>',
  subject: 'Hello',
  html: '<img src="cid:logo">',
  attachments: [{ filename: 'logo.png', content: 'iVBORw0KGgo=', contentType: 'image/png', contentId: 'logo' }],
  tags: [{ name: 'category', value: 'receipt' }],
  tracking: { opens: false },
  sendAt: new Date(Date.now() + 3_600_000).toISOString(),
});
const [first] = copied.results;
if (!first || !('id' in first)) throw new Error('Skipped');
const sendAt = new Date(Date.now() + 7_200_000).toISOString();
const { scheduledFor } = await lettermill.rescheduleEmail(first.id, { sendAt });
const [tagged] = await lettermill.listEmails({ tag: 'category:receipt', to: 'ada@example.com' }).toArray(1);
const extensions = {
  to: [copied.results, copied.cc ?? [], copied.bcc ?? []].flat().map(({ to }) => to),
  moved: scheduledFor === sendAt,
  tagged: tagged && [tagged.recipientType, tagged.tags, tagged.tracking, tagged.attachments.map(({ contentId }) => contentId)],
  counted: (await lettermill.getStats({ tag: 'category:receipt' })).totals.sent,
};
const faults = await lettermill.createSuppression({ email: 'not an address' }).catch((error) => {
  if (!(error instanceof ValidationError && error instanceof ApiError)) throw error;
  return error.details.map(({ path, code }) => path + ' ' + code);
});
const addresses = [];
for await (const { email } of lettermill.listContacts({ search: 'pages.example', limit: 2 })) addresses.push(email);
const headers = { 'x-service-signature': signature };
const event = await verifyWebhook({ body, headers, secret });
const bounced = event.type === 'email.bounced' ? event.data.email.to : null;
const forged = await verifyWebhook({ body: body + ' ', headers, secret }).catch((error) => error instanceof SignatureError);
console.log(JSON.stringify({ results, extensions, faults, addresses, bounced, forged }));
`;

/** What a user's compiler must refuse. */
const MISUSE = `import { Lettermill, verifyWebhook } from 'lettermill';
const lettermill = new Lettermill({ apiKey: '', baseUrl: '' });
// @ts-expect-error no such member
void lettermill.send({ to: 'ada@example.com', subjct: 'Hello' });
// @ts-expect-error a tag has a value
void lettermill.send({ to: 'ada@example.com', templateId: 'tpl_1', tags: [{ name: 'category' }] });
// @ts-expect-error it is called opens
void lettermill.send({ to: 'ada@example.com', templateId: 'tpl_1', tracking: { open: false } });
// @ts-expect-error only the time moves
void lettermill.rescheduleEmail('em_1', { subject: 'Hello' });
void lettermill.createWebhook({ url: 'https://shop.example/hooks', events: ['email.*'], tag: 'category:receipt' });
void lettermill.updateSettings({ tracking: { transactional: { opens: false, clicks: false } } });
const event = await verifyWebhook<{ 'order.placed': { total: number } }>({ body: '', headers: {}, secret: '' });
// @ts-expect-error of another event
if (event.type === 'email.bounced') console.log(event.data.total);
if (event.type === 'order.placed') event.data.total satisfies number;
`;

/** What a program of a user has, and the readme's take for granted. */
const GIVEN = `declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
declare const body: string;
declare const headers: Headers;
declare const secret: string;
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    types: [],
    outDir: 'compiled',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
  },
  include: ['*.ts'],
};

const BOUNCED = { email: { emailId: 'em_1', to: 'gone@example.com' }, bounceType: 'hard' };
const BODY = JSON.stringify({
  id: 'evt_1',
  type: 'email.bounced',
  createdAt: '2026-11-24T00:00:00.000Z',
  projectId: 'prj_1',
  testMode: false,
  data: BOUNCED,
});
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const app = aProject();
let sources: string;
let folder: string;

const installed = (...names: string[]): string => path.join(folder, 'node_modules/lettermill', ...names);

function environment(): NodeJS.ProcessEnv {
  const at = Math.floor(Date.now() / 1_000);
  const { 'X-Service-Signature': SIGNATURE } = signatureHeaders({ eventId: 'evt_1', body: BODY, at, secrets: [SECRET] });
  return { ...process.env, LETTERMILL_URL: app.url, LETTERMILL_KEY: app.keys.test, SECRET, BODY, SIGNATURE };
}

const EXPECTED = {
  results: [{ id: expect.stringMatching(/^em_/), to: 'ada@example.com', status: 'sent' }],
  extensions: {
    to: ['ada', 'bob', 'eve', 'dan'].map((name) => `${name}@example.com`),
    moved: true,
    tagged: ['to', [{ name: 'category', value: 'receipt' }], { opens: false, clicks: true }, ['logo']],
    counted: 0,
  },
  faults: ['email invalid_string'],
  addresses: ['three@pages.example', 'two@pages.example', 'one@pages.example'],
  bounced: 'gone@example.com',
  forged: true,
};

async function outcomeOf(file: string): Promise<unknown> {
  const { stdout } = await run(process.execPath, [file], { cwd: folder, env: environment() });
  return JSON.parse(stdout);
}

beforeAll(async () => {
  for (const name of ['one', 'two', 'three'])
    await app
      .api()
      .post('/v1/contacts')
      .send({ email: `${name}@pages.example` })
      .expect(201);
  mkdirSync(path.join(ROOT, 'test/generated'), { recursive: true });
  sources = mkdtempSync(path.join(ROOT, 'test/generated/packed-'));
  folder = mkdtempSync(path.join(os.tmpdir(), 'lettermill-packed-'));
  cpSync(path.join(ROOT, 'clients/typescript'), sources, { recursive: true, filter: (from) => !/\/(dist|node_modules)$/.test(from) });
  const { stdout } = await run('npm', ['pack', '--json', '--offline', '--pack-destination', folder], { cwd: sources });
  const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string }];
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(path.join(folder, 'app.mjs'), PROGRAM);
  writeFileSync(path.join(folder, 'app.ts'), PROGRAM);
  writeFileSync(path.join(folder, 'misuse.ts'), MISUSE);
  writeFileSync(path.join(folder, 'given.d.ts'), GIVEN);
  const readme = readFileSync(path.join(sources, 'README.md'), 'utf8');
  for (const [index, [, block = '']] of [...readme.matchAll(/```ts\n(.*?)```/gs)].entries()) {
    writeFileSync(path.join(folder, `readme-${index + 1}.ts`), block);
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  await run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', `./${filename}`], { cwd: folder });
});
afterAll(async () => {
  for (const made of [sources, folder]) rmSync(made, { recursive: true, force: true });
});

test('the package has its licence, a readme, compiled code and types, and brings nothing else along', () => {
  expect(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['lettermill']);
  const files = readdirSync(installed(), { recursive: true }).map(String);
  const outside = files.filter((name) => !/^dist($|\/(cli|import)$|\/((cli|import)\/)?[a-z]+\.(js|d\.ts)$)/.test(name));
  expect(outside.sort()).toEqual(['LICENSE', 'README.md', 'package.json']);
  const { version, dependencies, license } = JSON.parse(readFileSync(installed('package.json'), 'utf8')) as Record<string, unknown>;
  const { version: own } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect({ version, dependencies, license }).toEqual({ version: own, dependencies: undefined, license: 'MIT' });
  expect(readFileSync(installed('README.md'), 'utf8')).not.toMatch(/\]\(\.\.?\//);
});

test('the command line runs as it is installed, and ends in its exit codes', async () => {
  const lettermill = path.join(folder, 'node_modules/.bin/lettermill');
  const env = environment();
  const { stdout } = await run(lettermill, ['send', '--to', 'ada@example.com', '--subject', 'Hello', '--text', 'Hello', '--json'], { env });
  expect(JSON.parse(stdout)).toMatchObject({ results: [{ to: 'ada@example.com', status: 'sent' }], testMode: true });
  const refused = run(lettermill, ['contacts', 'get', 'nobody@example.com'], { env });
  await expect(refused).rejects.toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('not_found') });
});

test('a plain ES module sends, reads pages, gets typed errors and verifies webhooks', async () => {
  await expect(outcomeOf('app.mjs')).resolves.toEqual(EXPECTED);
});

test('strict TypeScript uses the package too and knows each event by its name; the readme compiles', async () => {
  expect(readdirSync(folder).filter((name) => name.startsWith('readme-'))).toHaveLength(2);
  const compiled = await run(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');
  await expect(outcomeOf('compiled/app.js')).resolves.toEqual(EXPECTED);
});

test('CommonJS can require it where Node can require ES modules', () => {
  const shown = execFileSync(
    process.execPath,
    ['--no-warnings', '--experimental-require-module', '-p', "typeof require('lettermill').Lettermill"],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  expect(shown.trim()).toBe('function');
});

/** What runtimes at the edge have in common. */
const WEB = {
  fetch,
  Headers,
  Response,
  URL,
  AbortSignal,
  TextEncoder,
  TextDecoder,
  Uint8Array,
  setTimeout,
  clearTimeout,
  crypto: globalThis.crypto,
};

test('the package runs without anything of Node, on what web runtimes have in common', async () => {
  const entry = path.join(folder, 'edge.mjs');
  const { LETTERMILL_URL, LETTERMILL_KEY, SIGNATURE } = environment();
  writeFileSync(entry, PROGRAM.replace('process.env', 'given').replace('console.log', 'answer'));
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    platform: 'neutral',
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const given = { LETTERMILL_URL, LETTERMILL_KEY, SECRET, BODY, SIGNATURE };
  const answer = await new Promise<string>((resolve, reject) => {
    const code = `(async () => {${outputFiles[0]?.text}})().catch(reject)`;
    vm.runInNewContext(code, { ...WEB, given, answer: resolve, reject });
  });
  expect(JSON.parse(answer)).toEqual(EXPECTED);
});
