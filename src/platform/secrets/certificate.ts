import { generateKeyPairSync, randomBytes, sign, X509Certificate, createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { badConfiguration } from '../config';

/** Encodes a length in the shortest form: some readers accept no other. */
function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
};
const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const text = (tag: number, value: string) => der(tag, Buffer.from(value));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALT_NAME = oid('551d11');
const TRUE = der(0x01, Buffer.from([0xff]));

const nameOf = (name: string) => sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, name))));
const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
const serial = () => der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));

/** A private key and a certificate for it, both in PEM form. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Signer {
  readonly name: string;
  readonly key: KeyObject;
}

/** Creates a key and a certificate for it (RFC 5280), signed by `by`, or self-signed. */
export function makeCertificate(name: string, extensions: Buffer, by?: Signer): Certificate & { readonly privateKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = by ?? { name, key: privateKey };
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial(),
    ECDSA_WITH_SHA256,
    nameOf(signer.name),
    sequence(text(0x17, '200101000000Z'), text(0x17, '491231235959Z')),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', toBeSigned, signer.key);
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  return { privateKey, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pemOf(certificate) };
}

/** Extension of a certificate that signs others. */
export const authorityOnly = sequence(BASIC_CONSTRAINTS, TRUE, der(0x04, sequence(TRUE)));
/** Returns the host names, and IPv4 addresses, that a certificate is for. */
export const hostsOf = (names: readonly string[], addresses: readonly (readonly number[])[] = []): Buffer =>
  sequence(
    SUBJECT_ALT_NAME,
    der(0x04, sequence(...names.map((name) => text(0x82, name)), ...addresses.map((address) => der(0x87, Buffer.from(address))))),
  );

/** Returns the extensions of a certificate, together. */
export const extensionsOf = (...parts: readonly Buffer[]): Buffer => sequence(...parts);

/** Creates a self-signed certificate for a host. */
export const selfSigned = (host: string): Certificate => makeCertificate(host, extensionsOf(hostsOf([host])));

/** Creates a self-signed certificate for this machine, by name and by address. */
export const localCertificate = (host: string): Certificate => makeCertificate(host, extensionsOf(hostsOf([host], [[127, 0, 0, 1]])));

/** A file that a setting names. */
interface NamedFile {
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
interface KeyPair {
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
