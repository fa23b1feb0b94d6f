import os from 'node:os';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo, mongoAnswers, requireMongoUri } from '../../../../src/platform/mongo/connect';
import { makeAuthority } from '../../../support/servers/certificates';
import { testDatabase } from '../../../support/run/database';
import { testMongoUri } from '../../../support/run/servers';
import { tlsProxy } from '../../../support/servers/tls-proxies';
import type { Door, TlsProxy } from '../../../support/servers/tls-proxies';
import { fileIn, aFolder } from '../../../support/run/folder';

const dir = aFolder();
const [authority, stranger] = [makeAuthority('The test'), makeAuthority('A stranger')];
const client = authority.issue('api');
const CA = fileIn(dir, 'ca.pem', authority.cert);
const CLIENT = fileIn(dir, 'client.pem', client.cert + client.key);
const OTHER_CA = fileIn(dir, 'stranger.pem', stranger.cert);

let proxy: TlsProxy | null = null;

afterEach(async () => {
  await disconnectMongo();
  await proxy?.close();
  proxy = null;
});

/** MONGODB_URI for the mongod of the tests behind a door of this kind. */
async function uriAt(door: Door, options: Readonly<Record<string, string>>): Promise<string> {
  const uri = new URL(testMongoUri(testDatabase()));
  proxy = await tlsProxy(door, Number(uri.port));
  uri.host = `localhost:${proxy.port}`;
  // The mongod knows itself by an address without TLS: its clients are not to go there.
  uri.search = new URLSearchParams({ directConnection: 'true', serverSelectionTimeoutMS: '500', ...options }).toString();
  requireMongoUri(uri.href);
  return uri.href;
}

const DOOR: Door = { as: authority.issue('localhost') };

test('a MONGODB_URI with TLS, and a certificate of our own, is connected by', async () => {
  const options = { tls: 'true', tlsCAFile: CA, tlsCertificateKeyFile: CLIENT };
  await connectMongo(await uriAt({ ...DOOR, clientsOf: authority }, options));
  expect(await mongoAnswers()).toBe(true);
});

test.each([
  ['a server that somebody else vouches for', DOOR, { tls: 'true', tlsCAFile: OTHER_CA }],
  ['a server that wants a certificate', { ...DOOR, clientsOf: authority }, { tls: 'true', tlsCAFile: CA }],
  ['a server that wants TLS', DOOR, {}],
] as const)('%s is not connected to', async (_name, door, options) => {
  const refused = new mongoose.mongo.MongoClient(await uriAt(door, options), { runtimeAdapters: { os } });
  await expect(refused.connect()).rejects.toMatchObject({ name: 'MongoServerSelectionError' });
});
