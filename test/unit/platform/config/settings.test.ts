import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { version } from '../../../../package.json';
import { strayVariables, wantsTraces } from '../../../../src/platform/config/config';
import { asksForHelp, usageFor } from '../../../../src/processes/admin/request';
import { answerTo } from '../../../../src/platform/start-up/help-start';
import { processCode } from '../../../support/run/servers';

const ROOT = path.resolve(__dirname, '../../../..');

test.each([
  ['SMTP_CONECTIONS', 'SMTP_CONNECTIONS'],
  ['MONGO_URI', 'MONGODB_URI'],
  ['MONGODB_URL', 'MONGODB_URI'],
  ['APP_SECRETS', 'APP_SECRET'],
  ['smtp_url', 'SMTP_URL'],
  ['TEMPORAL_ADRESS', 'TEMPORAL_ADDRESS'],
])('%s is near to %s', (variable, meant) => {
  expect(strayVariables({ [variable]: 'x' })).toEqual([{ variable, meant }]);
});

test('a variable with a beginning of ours is none of anybody else', () => {
  expect(strayVariables({ SMTP_HOST: 'mail', WEBHOOK_TIMEOUT: '3', LETTERMILL_PORT: '1' })).toEqual([
    { variable: 'SMTP_HOST', meant: null },
    { variable: 'WEBHOOK_TIMEOUT', meant: 'WEBHOOK_TIMEOUT_SECONDS' },
    { variable: 'LETTERMILL_PORT', meant: null },
  ]);
});

test('settings, empty variables and variables of other programs are no strays', () => {
  const others = {
    PATH: '/bin',
    HOME: '/root',
    HOSTNAME: 'a',
    NODE_OPTIONS: '',
    LANG: 'C',
    TEMPORAL_DB_PASSWORD: 'x',
    npm_config_cache: 'x',
  };
  expect(strayVariables({ ...others, PORT: '1', SMTP_CONNECTIONS: '2', SMTP_CONECTIONS: '' })).toEqual([]);
});

test.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/v1/traces' }, true],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
  [{ OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, false],
])('traces with %j are on: %s', (env, on) => {
  expect(wantsTraces(env)).toBe(on);
});

/** What a process ends with that is started with these words, and what it printed. */
function ended(entry: string, ...words: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, [processCode(entry), ...words], { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env['PATH'] } });
}

test.each(['api/main.ts', 'src/processes/admin/main.ts'])('%s --version says the version, with nothing set', (entry) => {
  expect(ended(entry, '--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  ['api/main.ts', 'npm run api'],
  ['worker/main.ts', 'npm run worker -- [queue …]'],
  ['src/processes/inbound-smtp/main.ts', 'npm run smtp'],
  ['src/processes/local/main.ts', 'npm start'],
])('%s --help says how it is called, %s', (entry, usage) => {
  expect(answerTo(['node', path.join(ROOT, entry), '--help'])).toEqual({ text: expect.stringContaining(`Usage: ${usage}\n`), code: 0 });
});

test('help with commands is about those that were named, wherever it is asked for', () => {
  expect(ended('src/processes/admin/main.ts', 'help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^Usage: npm run admin -- <command>[^]+ {2}projects create <name>\n/),
    stderr: '',
  });
  expect([['--help'], ['-h'], ['keys', 'list', '-h'], ['keys', 'create', '--no-option'], ['help', 'keys']].map(asksForHelp)).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
  for (const words of [
    ['keys', '--help'],
    ['help', 'keys', 'list'],
  ])
    expect(usageFor(words).match(/^ {2}\w+/gm)).toEqual(['  keys', '  keys', '  keys']);
  for (const words of [['--help'], ['help'], ['none']]) expect(usageFor(words)).toContain('  projects create <name>\n');
});

test('what a process does not understand ends it, and is named', () => {
  expect(ended('src/processes/inbound-smtp/main.ts', '--port', '2525')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/^--port is not understood\n\nUsage: npm run smtp\n/),
  });
  expect(answerTo(['node', 'worker/main.js', 'delivery', 'mail'])).toMatchObject({
    text: expect.stringMatching(/^mail is not understood[^]+orchestration, pumps, delivery, http, bulk/),
    code: 2,
  });
  expect(answerTo(['node', 'worker/main.js', 'delivery', 'http'])).toBeNull();
  for (const words of [['projects', 'list'], ['--help'], ['-h']])
    expect(answerTo(['node', 'src/processes/admin/main.ts', ...words])).toBeNull();
});
