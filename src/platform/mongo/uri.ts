import os from 'node:os';
import mongoose from 'mongoose';
import type { MongoClient, MongoClientOptions } from 'mongodb';
import { badConfiguration } from '../config';
import { describeFailure } from '../log';
import { certificateIn, privateKeyIn, readNamed } from '../secrets';

const SETTING = 'MONGODB_URI';

/**
 * Throws a message when MONGODB_URI can never connect: an unknown option, options that exclude each other, a file that cannot be read. The
 * driver would retry forever without an error.
 */
export function requireMongoUri(uri: string): void {
  const { options } = clientOf(uri);
  const { tls, tlsCAFile, tlsCertificateKeyFile, tlsCertificateKeyFilePassword } = options as MongoClientOptions;
  if (!tls && (tlsCAFile ?? tlsCertificateKeyFile) !== undefined)
    throw badConfiguration(`${SETTING} names files for TLS and lacks tls=true`);
  if (tlsCAFile !== undefined) certificateIn(`${SETTING} (tlsCAFile)`, read('tlsCAFile', tlsCAFile));
  if (tlsCertificateKeyFile === undefined) return;
  const pem = read('tlsCertificateKeyFile', tlsCertificateKeyFile);
  const setting = `${SETTING} (tlsCertificateKeyFile)`;
  const key = privateKeyIn(setting, pem, tlsCertificateKeyFilePassword);
  if (!certificateIn(setting, pem).checkPrivateKey(key)) throw badConfiguration(`${setting} holds a key that is not its certificate's`);
}

/** Names the database of MONGODB_URI and its hosts for a person; nothing of the credentials. Throws as `requireMongoUri`. */
export function databaseIn(uri: string): string {
  const { dbName, hosts, srvHost } = clientOf(uri).options;
  return `${dbName} at ${srvHost ?? hosts.map(String).join(',')}`;
}

const read = (option: string, file: string): Buffer => readNamed({ setting: `${SETTING} (${option})`, file });

/** Lets the driver parse a URI, without connecting. What it says may quote what it was given, a password included. */
function clientOf(uri: string): MongoClient {
  try {
    return new mongoose.mongo.MongoClient(uri, { runtimeAdapters: { os } });
  } catch (error) {
    throw badConfiguration(`${SETTING}: ${String(describeFailure(error)['message'])}`);
  }
}
