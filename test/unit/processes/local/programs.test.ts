import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { loadConfig, loadServerConfig } from '../../../../src/platform/config/config';
import { openDataDir } from '../../../../packages/local/src/data-dir';
import { platformPrograms, sharedEnvironment } from '../../../../src/processes/local/programs';
import { aFolder } from '../../../support/run/folder';

const AT = {
  api: 3000,
  inbound: 2525,
  submission: 2587,
  mongod: 27017,
  temporal: 7233,
  temporalUi: 8233,
  temporalUiBehind: 8234,
  sinkSmtp: 1,
  sinkHttp: 2,
};
const dir = openDataDir(aFolder());

const APP_SECRET = 'an application secret for tests only!';

const given = (env: Readonly<Record<string, string>>): Record<string, string> =>
  sharedEnvironment(loadConfig({ APP_SECRET, ...env }), dir, AT);

test('every project of the embedded default has a domain to send from, except in production', () => {
  expect(given({})).toMatchObject({ DEV_VERIFIED_DOMAINS: 'hello.test', DEV_PROJECT_DOMAINS: 'hello.test' });
  const production = given({ NODE_ENV: 'production' });
  expect([production['DEV_VERIFIED_DOMAINS'], production['DEV_PROJECT_DOMAINS']]).toEqual([undefined, undefined]);
});

test.each(['DEV_VERIFIED_DOMAINS', 'DEV_PROJECT_DOMAINS'])('%s is refused in production', (name) => {
  expect(() => loadConfig({ NODE_ENV: 'production', [name]: 'hello.test' })).toThrow(`${name} is refused when NODE_ENV=production`);
});

test('SMTP submission has a port, and a certificate that stays from start to start', () => {
  const { SUBMISSION_PORT, SUBMISSION_TLS_CERT = '', SUBMISSION_TLS_KEY = '' } = given({});
  const texts = (): readonly string[] => [SUBMISSION_TLS_CERT, SUBMISSION_TLS_KEY].map((file) => readFileSync(file, 'utf8'));
  const made = texts();
  expect(SUBMISSION_PORT).toBe('2587');
  expect(new X509Certificate(made[0] ?? '').checkIP('127.0.0.1')).toBe('127.0.0.1');
  given({});
  expect(texts()).toEqual(made);
});

test('the console leads to the web UI of the Temporal that is started here, and to no other', () => {
  expect(given({})['TEMPORAL_UI_URL']).toBe('http://localhost:8233');
  expect(given({ TEMPORAL_ADDRESS: 'temporal:7233' })['TEMPORAL_UI_URL']).toBeUndefined();
});

test('programs follow one another at METRICS_PORT; 0 gives each any port', () => {
  const portsFor = (METRICS_PORT: string): unknown[] => {
    const shared = given({ METRICS_PORT });
    const programs = platformPrograms(loadConfig({ METRICS_PORT }), loadServerConfig({ ...shared, APP_SECRET }), shared);
    return programs.map(({ name, env }) => [name, env['METRICS_PORT']]);
  };
  expect(portsFor('9464')).toEqual([
    ['api', '9464'],
    ['worker', '9465'],
    ['smtp', '9466'],
  ]);
  expect(portsFor('0')).toEqual([
    ['api', '0'],
    ['worker', '0'],
    ['smtp', '0'],
  ]);
});
