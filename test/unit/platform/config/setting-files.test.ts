import path from 'node:path';
import { loadConfig, loadServerConfig, strayVariables } from '../../../../src/platform/config/config';
import { childEnvironment, overridden } from '../../../../packages/local/src/environment';
import { aFolder, fileIn } from '../../../support/run/folder';

const dir = aFolder();
const file = (name: string, text: string): string => fileIn(dir, name, text);

const SECRET = 'an application secret for tests only!';

test('a setting may be in a file, and what ends its last line is no part of it', () => {
  const env = {
    MONGODB_URI_FILE: file('uri', 'mongodb://app:hunter2@a/letters?replicaSet=rs0\n'),
    APP_SECRET_FILE: file('secret', `${SECRET}\r\n`),
    SMTP_CONNECTIONS_FILE: file('connections', '7'),
    TEMPORAL_ADDRESS: 'a:7233',
  };
  expect(loadServerConfig(env)).toMatchObject({
    MONGODB_URI: 'mongodb://app:hunter2@a/letters?replicaSet=rs0',
    APP_SECRET: [SECRET],
    SMTP_CONNECTIONS: 7,
  });
});

test.each([
  [
    'both are given',
    { SMTP_URL: 'smtp://a', SMTP_URL_FILE: file('smtp', 'smtp://b') },
    'SMTP_URL and SMTP_URL_FILE are both set: remove one',
  ],
  [
    'the file is not there',
    { PAYMENTS_API_KEY_FILE: path.join(dir, 'none') },
    `PAYMENTS_API_KEY_FILE names a file that cannot be read: ${path.join(dir, 'none')} (ENOENT)`,
  ],
  ['it is a folder', { APP_SECRET_FILE: dir }, `APP_SECRET_FILE names a file that cannot be read: ${dir} (EISDIR)`],
  ['the file is empty', { APP_SECRET_FILE: file('empty', '\n') }, `APP_SECRET_FILE names an empty file: ${path.join(dir, 'empty')}`],
])('when %s the start stops with one sentence', (_when, env, sentence) => {
  expect(() => loadConfig(env)).toThrow(new Error(`Bad configuration:\n✖ ${sentence}`));
});

test('an empty setting beside its file is none', () => {
  expect(loadConfig({ SMTP_URL: '', SMTP_URL_FILE: file('only', 'smtp://b:25') }).SMTP_URL).toBe('smtp://b:25');
});

test('a wrong value in a file is not quoted', () => {
  const env = { APP_SECRET_FILE: file('short', 'hunter2'), MONGODB_URI_FILE: file('odd', 'postgres://app:hunter2@a') };
  expect(() => loadConfig(env)).toThrow(/^(?!.*hunter2).*APP_SECRET/s);
});

test('a setting that names a file itself has no such form, and its content is not read', () => {
  const env = { TEMPORAL_TLS_KEY_FILE: file('key', 'hunter2') };
  expect(loadConfig(env).TEMPORAL_TLS_KEY).toBeUndefined();
  expect(strayVariables(env)).toEqual([{ variable: 'TEMPORAL_TLS_KEY_FILE', meant: 'TEMPORAL_TLS_KEY' }]);
});

test('a variable that gives a setting by its file is no stray', () => {
  expect(strayVariables({ SMTP_URL_FILE: 'a', WEBHOOK_TIMEOUT_SECONDS_FILE: 'b' })).toEqual([]);
});

test('what npm start gives to its programs gives way to a file, and what it must say does not', () => {
  process.env['MONGODB_URI_FILE'] = '/run/secrets/uri';
  process.env['PORT_FILE'] = '/run/secrets/port';
  try {
    const env = childEnvironment({ MONGODB_URI: 'mongodb://ours', SMTP_URL: 'smtp://ours' }, { PORT: '3000' });
    expect(env).toMatchObject({ MONGODB_URI_FILE: '/run/secrets/uri', SMTP_URL: 'smtp://ours', PORT: '3000' });
    expect([env['MONGODB_URI'], env['PORT_FILE']]).toEqual([undefined, undefined]);
  } finally {
    delete process.env['MONGODB_URI_FILE'];
    delete process.env['PORT_FILE'];
  }
  expect(overridden({ METRICS_PORT_FILE: 'a', HOST: 'b' }, { METRICS_PORT: '1' })).toEqual({ METRICS_PORT: '1', HOST: 'b' });
});
