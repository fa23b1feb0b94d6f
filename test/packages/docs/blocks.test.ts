import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildSync } from 'esbuild';
import { simpleParser } from 'mailparser';
import { LANGUAGES, blocksOf, scriptOf } from '../../support/checks/doc-blocks';
import type { Language } from '../../support/checks/doc-blocks';
import { dkimVerifies } from '../../support/checks/dkim-verifier';
import { Platform, eventually } from '../../support/platform/platform';
import { endProcess, freePort } from '../../support/run/servers';
import { newProject } from '../../support/data/projects';

/** Every block of these pages, in each of its languages, against a platform that runs: each language in a project and a folder of its own. */
const QUICKSTART = 'quickstart.md';
const PAGES = [
  QUICKSTART,
  'templates.md',
  'suppressions.md',
  'billing.md',
  'webhooks.md',
  'sending.md',
  'domains.md',
  'tracking.md',
  'contacts.md',
  'topics.md',
  'limits.md',
  'languages.md',
  'segments.md',
  'conditions.md',
  'events.md',
  'import-export.md',
  'campaigns.md',
  'automations.md',
  'inbound.md',
  'stats.md',
  'erasure.md',
  'errors.md',
  'rendering.md',
  'delivery.md',
  'verify.md',
  'retention.md',
  'compatibility.md',
];
const ROOT = path.join(__dirname, '../../..');
const CLIENT = 'clients/typescript';
const NAME_SERVER = 'docs/examples/local-dns.mjs';
const BLOCKS_WITHIN_MS = 150_000;
const run = promisify(execFile);

let platform: Platform;
let folder: string;
let dnsPort: number;
let hookPort: number;

const folderOf = (language: Language): string => path.join(folder, language);
/** TypeScript is in the folder that has the client. */
const fileOf = (page: string, language: Language): string =>
  path.join(folderOf(language), language === 'ts' ? 'try' : '.', page.replace(/md$/, scriptOf(page, language).extension));
/** What readers run by hand, in order. */
const byHand = (): readonly string[] =>
  PAGES.flatMap((page) => blocksOf(page)).flatMap(({ language, code }) => (language === 'console' ? [code.trim()] : []));

/** The pages that have blocks of a language. Those for curl alone are short. */
const pagesIn = (language: Language): readonly string[] =>
  PAGES.filter((page) => blocksOf(page).some((block) => block.language === language));

/** Where this run's servers are, in the place of where a reader's are. */
const here = (code: string): string =>
  code
    .replaceAll('http://localhost:3000', platform.url)
    .replaceAll(/\b4000\b/g, String(hookPort))
    .replaceAll(/\b5354\b/g, String(dnsPort));

const TSCONFIG = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: ['node'],
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
  },
  include: ['ts/try/*.mts'],
};

/** Packs the client and installs it as the quickstart says, without a registry. */
async function installClient(): Promise<void> {
  const cwd = folderOf('ts');
  cpSync(path.join(ROOT, CLIENT), path.join(cwd, CLIENT), { recursive: true, filter: (from) => !/\/(dist|node_modules)$/.test(from) });
  writeFileSync(path.join(cwd, 'package.json'), JSON.stringify({ private: true }));
  const [, packing = ''] = byHand();
  await run('bash', ['-c', packing], { cwd, env: { ...process.env, npm_config_offline: 'true' } });
}

async function prepare(language: Language): Promise<void> {
  const keys = await newProject(`Blocks in ${language}`);
  mkdirSync(path.join(folderOf(language), '.data'), { recursive: true });
  mkdirSync(path.join(folderOf(language), path.dirname(NAME_SERVER)), { recursive: true });
  writeFileSync(path.join(folderOf(language), '.data/keys.json'), JSON.stringify(keys));
  writeFileSync(path.join(folderOf(language), NAME_SERVER), here(readFileSync(path.join(ROOT, NAME_SERVER), 'utf8')));
  for (const page of pagesIn(language)) writeFileSync(fileOf(page, language), here(scriptOf(page, language).code));
}

beforeAll(async () => {
  [dnsPort, hookPort] = [await freePort(), await freePort()];
  platform = await Platform.start({
    env: {
      DNS_SERVERS: `127.0.0.1:${dnsPort}`,
      DEV_PROJECT_DOMAINS: 'hello.test',
      WEBHOOK_ALLOW_INSECURE: 'true',
      WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  });
  mkdirSync(path.join(ROOT, 'test/generated'), { recursive: true });
  folder = mkdtempSync(path.join(ROOT, 'test/generated/blocks-'));
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
  for (const language of LANGUAGES) mkdirSync(folderOf(language));
  await installClient();
  for (const language of LANGUAGES) await prepare(language);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform?.stop();
});

/** What to run for a file of blocks. */
function commandOf(language: Language, file: string): readonly [command: string, ...args: string[]] {
  if (language === 'sh') return ['bash', file];
  if (language === 'python') return ['python3', file];
  const outfile = file.replace(/\.mts$/, '.mjs');
  buildSync({ entryPoints: [file], platform: 'node', format: 'esm', outfile, logLevel: 'error' });
  return [process.execPath, outfile];
}

/** Which blocks were reached, and what went wrong, if anything did. */
async function runBlocks(
  page: string,
  language: Language,
): Promise<{ readonly reached: readonly string[]; readonly failure: string | null }> {
  const [command, ...args] = commandOf(language, fileOf(page, language));
  const options = { cwd: folderOf(language), timeout: BLOCKS_WITHIN_MS, env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } };
  const ended = await run(command, args, options).then(
    ({ stderr }) => ({ stderr, failure: null }),
    (error: { stderr: string; stdout: string }) => ({ stderr: error.stderr, failure: `${error.stdout}\n${error.stderr}` }),
  );
  return { reached: [...ended.stderr.matchAll(/^reached (.+)$/gm)].map(([, place = '']) => place), failure: ended.failure };
}

test('what is run by hand is what the test starts by itself', () => {
  const version = (JSON.parse(readFileSync(path.join(ROOT, CLIENT, 'package.json'), 'utf8')) as { version: string }).version;
  expect(byHand()).toEqual([
    'npm ci && npm start',
    `npm pack ./${CLIENT} && mkdir -p try && npm install --prefix try ./lettermill-${version}.tgz`,
    `node ${NAME_SERVER} 5354`,
  ]);
});

test('the TypeScript blocks compile strictly', async () => {
  const compiled = await run(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: ROOT }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');
});

describe.each(LANGUAGES)('in %s', (language) => {
  let nameServer: ChildProcess;

  beforeAll(async () => {
    nameServer = spawn(process.execPath, [NAME_SERVER, String(dnsPort)], { cwd: folderOf(language), stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    nameServer.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually('the name server is there', () => said.includes('Answers'));
  });
  afterAll(() => endProcess(nameServer, 'SIGTERM'));

  test('the blocks of the quickstart', async () => {
    expect(await runBlocks(QUICKSTART, language)).toEqual({ reached: scriptOf(QUICKSTART, language).places, failure: null });
  });

  test('the mail of the quickstart has arrived, that of the own domain signed by it', async () => {
    const own = { sh: 'curl', ts: 'typescript', python: 'python' }[language];
    const { projectId } = JSON.parse(readFileSync(path.join(folderOf(language), '.data/keys.json'), 'utf8')) as { projectId: string };
    const domains = [`@${projectId.slice(-8)}.hello.test`, `@${own}.example.test`];
    const fromHere = () => platform.smtp.messages.filter(({ headers }) => domains.some((domain) => headers['from']?.includes(domain)));
    await eventually('all mail is there', () => fromHere().length >= 7);
    const mail = await Promise.all(fromHere().map(async ({ to, raw }) => ({ to, raw, subject: (await simpleParser(raw)).subject ?? '' })));
    const subjects = (to: string): string[] => mail.filter((each) => each.to === to).map(({ subject }) => subject);
    const news = expect.stringMatching(/^(What is new|Three things for you, \w+)$/) as string;
    expect(subjects('ada@example.com')).toEqual(['Hello Ada', news, 'Hello']);
    expect(subjects('grace@example.com')).toEqual([news, 'Welcome']);
    expect([subjects('alan@example.com'), subjects('edith@example.com')]).toEqual([[news], [news]]);
    const signed = mail.filter(({ raw }) => raw.includes(`d=${own}.example.test;`));
    expect(await Promise.all(signed.map(({ raw }) => dkimVerifies(raw)))).toEqual([true]);
  });

  test.each(pagesIn(language).slice(1))('the blocks of %s', async (page) => {
    expect(await runBlocks(page, language)).toEqual({ reached: scriptOf(page, language).places, failure: null });
  });
});
