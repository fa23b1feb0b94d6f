import { loadConfig } from '../../../../src/platform/config/config';
import { openDataDir } from '../../../../src/processes/local/data-dir';
import { partEnvironment } from '../../../../src/processes/local/settings';
import { aFolder } from '../../../support/run/folder';

const AT = { api: 3000, inbound: 2525, mongodbUri: 'mongodb://127.0.0.1/', temporal: 7233, temporalUi: 8233, sinkSmtp: 1, sinkHttp: 2 };
const dir = openDataDir(aFolder());

const given = (env: Readonly<Record<string, string>>) => {
  const APP_SECRET = 'an application secret for tests only!';
  return partEnvironment(loadConfig({ APP_SECRET, ...env }), dir, AT);
};

test('every project of the embedded default has a domain to send from, except in production', () => {
  expect(given({})).toMatchObject({ DEV_VERIFIED_DOMAINS: 'hello.test', DEV_PROJECT_DOMAINS: 'hello.test' });
  const production = given({ NODE_ENV: 'production' });
  expect([production['DEV_VERIFIED_DOMAINS'], production['DEV_PROJECT_DOMAINS']]).toEqual([undefined, undefined]);
});

test.each(['DEV_VERIFIED_DOMAINS', 'DEV_PROJECT_DOMAINS'])('%s is refused in production', (name) => {
  expect(() => loadConfig({ NODE_ENV: 'production', [name]: 'hello.test' })).toThrow(`${name} is refused when NODE_ENV=production`);
});

test('the console leads to the web UI of the Temporal that is started here, and to no other', () => {
  expect(given({})['TEMPORAL_UI_URL']).toBe('http://localhost:8233');
  expect(given({ TEMPORAL_ADDRESS: 'temporal:7233' })['TEMPORAL_UI_URL']).toBeUndefined();
});
