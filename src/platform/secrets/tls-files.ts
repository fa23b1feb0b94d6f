import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { badConfiguration } from '../config';

/** A file that a setting names. */
export interface NamedFile {
  readonly setting: string;
  readonly file: string;
}

/** Returns what a file holds. Throws a sentence that names the setting when it cannot be read. */
export function readNamed({ setting, file }: NamedFile): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw badConfiguration(`${setting} names a file that cannot be read: ${file} (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}

/** Returns the first certificate of a file. Throws a sentence that names the setting when there is none. */
export function certificateIn(setting: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw badConfiguration(`${setting} names a file without a certificate in PEM form`);
  }
}

/** Returns the private key of a file. Throws a sentence that names the setting when there is none, or the pass phrase does not open it. */
export function privateKeyIn(setting: string, pem: Buffer, passphrase?: string): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  } catch {
    throw badConfiguration(
      `${setting} names a file without a private key in PEM form${passphrase === undefined ? '' : ' that the password opens'}`,
    );
  }
}

/** A certificate and its private key, in PEM form. */
export interface KeyPair {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads both. Throws a sentence that names the setting when one is not what it should be, or the key is another certificate's. */
export function keyPairIn(certificate: NamedFile, privateKey: NamedFile): KeyPair {
  const cert = readNamed(certificate);
  const key = readNamed(privateKey);
  const belongs = certificateIn(certificate.setting, cert).checkPrivateKey(privateKeyIn(privateKey.setting, key));
  if (!belongs) throw badConfiguration(`${privateKey.setting} is not the key of ${certificate.setting}`);
  return { cert, key };
}
