import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { version } from '../../package.json';
import { strayVariables, wantsTraces } from '../../src/config';
import { processCode } from '../support/servers';

const ROOT = path.resolve(__dirname, '../..');

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
  expect(strayVariables({ SMTP_HOST: 'mail', WEBHOOK_RETRIES: '3' })).toEqual([
    { variable: 'SMTP_HOST', meant: null },
    { variable: 'WEBHOOK_RETRIES', meant: null },
  ]);
});

test('settings, empty variables and those of others are no strays', () => {
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
])('with %j, traces are on: %s', (env, on) => {
  expect(wantsTraces(env)).toBe(on);
});

test.each(['api/main.ts', 'worker/main.ts', 'src/embedded/main.ts', 'src/admin/main.ts'])('%s --version says the version', (file) => {
  expect(execFileSync(process.execPath, ['src/run.cjs', file, '--version'], { cwd: ROOT, encoding: 'utf8' })).toBe(`${version}\n`);
});

test.each(['--help', '-h', 'help'])('admin %s says what there is, and is no failure', (word) => {
  const usage = execFileSync(process.execPath, [processCode('src/admin/main.ts'), word], { cwd: ROOT, encoding: 'utf8' });
  expect(usage).toMatch(/^Usage: npm run admin -- <command>/);
  expect(usage).toContain('keys create <projectId>');
});
