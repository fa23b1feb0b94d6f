import path from 'node:path';
import { loadConfig, loadServerConfig } from '../../../../src/platform/config/config';
import { requireMongoUri } from '../../../../src/platform/mongo/connect';
import { temporalConnection } from '../../../../src/platform/temporal/connect';
import { makeAuthority } from '../../../support/servers/certificates';
import { fileIn, aFolder } from '../../../support/run/folder';

const dir = aFolder();

const authority = makeAuthority('The test');
const [one, two] = [authority.issue('one'), authority.issue('two')];
const [CA, CERT, KEY] = [fileIn(dir, 'ca.pem', authority.cert), fileIn(dir, 'one.pem', one.cert), fileIn(dir, 'one.key', one.key)];
const OTHER_KEY = fileIn(dir, 'two.key', two.key);
const ODD = fileIn(dir, 'odd.pem', 'neither a certificate nor a key');
const MISSING = path.join(dir, 'missing.pem');

const REQUIRED = { MONGODB_URI: 'mongodb://127.0.0.1/', TEMPORAL_ADDRESS: 'temporal.test:7233', APP_SECRET: 'x'.repeat(32) };
const connection = (settings: Readonly<Record<string, string>>) => temporalConnection(loadServerConfig({ ...REQUIRED, ...settings }));

describe('Temporal', () => {
  test.each([
    ['nothing: plain text', {}, {}],
    ['TEMPORAL_TLS', { TEMPORAL_TLS: 'true' }, { tls: {} }],
    ['TEMPORAL_TLS=false', { TEMPORAL_TLS: 'false' }, {}],
    ['an API key, which brings TLS', { TEMPORAL_API_KEY: 'k.e-y' }, { tls: {}, apiKey: 'k.e-y' }],
    ['an authority', { TEMPORAL_TLS_CA: CA }, { tls: { serverRootCACertificate: Buffer.from(authority.cert) } }],
    ['a name', { TEMPORAL_TLS_SERVER_NAME: 'Temporal.Internal' }, { tls: { serverNameOverride: 'temporal.internal' } }],
    [
      'a certificate and its key',
      { TEMPORAL_TLS_CERT: CERT, TEMPORAL_TLS_KEY: KEY },
      { tls: { clientCertPair: { crt: Buffer.from(one.cert), key: Buffer.from(one.key) } } },
    ],
  ])('%s', (_name, settings, expected) => {
    expect(connection(settings)).toEqual({ address: 'temporal.test:7233', ...expected });
  });

  test.each([
    [{ TEMPORAL_TLS_CERT: CERT }, 'TEMPORAL_TLS_CERT needs TEMPORAL_TLS_KEY'],
    [{ TEMPORAL_TLS_KEY: KEY }, 'TEMPORAL_TLS_KEY needs TEMPORAL_TLS_CERT'],
    [
      { TEMPORAL_TLS: 'false', TEMPORAL_TLS_CA: CA, TEMPORAL_API_KEY: 'k' },
      'TEMPORAL_TLS=false excludes TEMPORAL_TLS_CA, TEMPORAL_API_KEY',
    ],
    [{ TEMPORAL_TLS_CA: MISSING }, `TEMPORAL_TLS_CA names a file that cannot be read: ${MISSING} (ENOENT)`],
    [{ TEMPORAL_TLS_CA: dir }, `TEMPORAL_TLS_CA names a file that cannot be read: ${dir} (EISDIR)`],
    [{ TEMPORAL_TLS_CA: ODD }, 'TEMPORAL_TLS_CA names a file without a certificate in PEM form'],
    [{ TEMPORAL_TLS_CERT: MISSING, TEMPORAL_TLS_KEY: KEY }, `TEMPORAL_TLS_CERT names a file that cannot be read: ${MISSING} (ENOENT)`],
    [{ TEMPORAL_TLS_CERT: ODD, TEMPORAL_TLS_KEY: KEY }, 'TEMPORAL_TLS_CERT names a file without a certificate in PEM form'],
    [{ TEMPORAL_TLS_CERT: CERT, TEMPORAL_TLS_KEY: ODD }, 'TEMPORAL_TLS_KEY names a file without a private key in PEM form'],
    [{ TEMPORAL_TLS_CERT: CERT, TEMPORAL_TLS_KEY: OTHER_KEY }, 'TEMPORAL_TLS_KEY is not the key of TEMPORAL_TLS_CERT'],
  ])('%j stops the start with one sentence', (settings, sentence) => {
    expect(() => connection(settings)).toThrow(new Error(`Bad configuration:\n✖ ${sentence}`));
  });

  test.each([
    [{ TEMPORAL_TLS: 'maybe' }, 'TEMPORAL_TLS'],
    [{ TEMPORAL_TLS_SERVER_NAME: 'no name' }, 'TEMPORAL_TLS_SERVER_NAME'],
    [{ TEMPORAL_API_KEY: 'two\r\nlines' }, 'TEMPORAL_API_KEY'],
  ])('%j stops the start by name', (settings, name) => {
    expect(() => connection(settings)).toThrow(`→ at ${name}`);
  });

  test.each([
    [{ TEMPORAL_TLS: 'true' }, 'TEMPORAL_TLS needs TEMPORAL_ADDRESS'],
    [{ TEMPORAL_API_KEY: 'k' }, 'TEMPORAL_API_KEY needs TEMPORAL_ADDRESS'],
  ])('%j is nothing for the server of the embedded default', (settings, sentence) => {
    expect(() => loadConfig(settings)).toThrow(new Error(`Bad configuration:\n✖ ${sentence}`));
  });
});

describe('MongoDB', () => {
  test.each([
    'mongodb://user:pass@a.test:27017,b.test:27017,c.test:27017/lettermill?replicaSet=rs0&tls=true',
    `mongodb://a.test/?tls=true&tlsCAFile=${encodeURIComponent(CA)}&tlsCertificateKeyFile=${encodeURIComponent(fileIn(dir, 'both.pem', one.cert + one.key))}`,
    'mongodb+srv://cluster.test/lettermill',
  ])('%s is good', (uri) => {
    expect(loadConfig({ MONGODB_URI: uri }).MONGODB_URI).toBe(uri);
    expect(() => requireMongoUri(uri)).not.toThrow();
  });

  const at = (query: string): string => `mongodb://a.test/?${query}`;
  const named = (option: string, value: string): string => at(`tls=true&${option}=${encodeURIComponent(value)}`);
  const without = (option: string, what: string): string => `MONGODB_URI (${option}) names a file without a ${what} in PEM form`;

  test.each([
    [at('tls=maybe'), 'MONGODB_URI: tls/ssl must be either "true" or "false"'],
    [at('sparkle=true'), 'MONGODB_URI: option sparkle is not supported'],
    [at(`tlsCAFile=${encodeURIComponent(CA)}`), 'MONGODB_URI names files for TLS and lacks tls=true'],
    [named('tlsCAFile', MISSING), `MONGODB_URI (tlsCAFile) names a file that cannot be read: ${MISSING} (ENOENT)`],
    [named('tlsCAFile', ODD), without('tlsCAFile', 'certificate')],
    [named('tlsCertificateKeyFile', CERT), without('tlsCertificateKeyFile', 'private key')],
    [named('tlsCertificateKeyFile', KEY), without('tlsCertificateKeyFile', 'certificate')],
    [
      named('tlsCertificateKeyFile', fileIn(dir, 'mixed.pem', one.cert + two.key)),
      "MONGODB_URI (tlsCertificateKeyFile) holds a key that is not its certificate's",
    ],
  ])('%s stops the start with one sentence', (uri, sentence) => {
    expect(() => requireMongoUri(uri)).toThrow(new Error(`Bad configuration:\n✖ ${sentence}`));
  });

  test('a password is in no sentence', () => {
    for (const uri of [
      'mongodb://user:hunter2@',
      'mongodb://user:hunter2@a.test:99999/',
      'mongodb://user:hunt%er2@a.test/',
      'mongodb://:hunter2@a',
    ]) {
      expect(() => requireMongoUri(uri)).toThrow('Bad configuration:\n✖ MONGODB_URI');
      expect(() => requireMongoUri(uri)).not.toThrow(/hunt/);
    }
  });

  test.each(['postgres://a.test/', 'mongodb://', 'mongodb://a b'])('%s is refused by name', (uri) => {
    expect(() => loadConfig({ MONGODB_URI: uri })).toThrow('→ at MONGODB_URI');
  });
});
