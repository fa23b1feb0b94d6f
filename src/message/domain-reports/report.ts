import { oneLine } from '../reader';
import type { DMARC_POLICIES } from '../../rules/authentication';
import { gunzipSync, inflateRawSync } from 'node:zlib';

/** The treatment of mail by a receiver, or the one that the owner of its domain asks for. */
export type Disposition = (typeof DMARC_POLICIES)[number];

/** The DMARC policy of a domain, as the receiver saw it. */
export interface PublishedPolicy {
  readonly p: Disposition;
  readonly sp: Disposition | null;
  readonly pct: number | null;
  readonly adkim: 'r' | 's';
  readonly aspf: 'r' | 's';
}

/** Messages from one address with the same judgment. */
export interface DmarcRow {
  readonly ip: string;
  readonly messages: number;
  readonly disposition: Disposition;
  /** Passed, with a domain that aligns with From. */
  readonly dkim: boolean;
  readonly spf: boolean;
  readonly headerFrom: string;
  /** Signatures that passed, of any domain. */
  readonly signatures: readonly Signature[];
  /** The domain for which SPF passed. */
  readonly envelope: string | null;
}

export interface Signature {
  readonly domain: string;
  readonly selector: string;
}

interface Heading {
  /** Name of the organization, as it calls itself. */
  readonly organization: string;
  readonly reportId: string;
  readonly from: Date;
  readonly to: Date;
}

/** An aggregate report of DMARC (RFC 7489 appendix C, RFC 9990). */
export interface DmarcReport extends Heading {
  readonly kind: 'dmarc';
  readonly domain: string;
  readonly policy: PublishedPolicy;
  readonly rows: readonly DmarcRow[];
}

/** Sessions under one policy of one domain. */
export interface TlsPolicy {
  readonly domain: string;
  readonly type: string;
  readonly successful: number;
  readonly failed: number;
  readonly failures: readonly { readonly type: string; readonly sessions: number }[];
}

/** A report on TLS (RFC 8460). */
export interface TlsReport extends Heading {
  readonly kind: 'tls';
  readonly policies: readonly TlsPolicy[];
}

export type DomainReport = DmarcReport | TlsReport;

const NAME_LENGTH = 200;

/** Returns a text of a stranger as one line of limited length. */
export const nameIn = (text: string): string => oneLine(text, NAME_LENGTH);

/** Limit for a report after decompression: some 20,000 rows. */
const MOST_BYTES = 16 * 1_048_576;

const GZIP = Buffer.from([0x1f, 0x8b]);
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
const REPORT_FILE = /\.(?:xml|json)$/i;

const beginsWith = (bytes: Uint8Array, mark: Buffer): boolean => mark.equals(bytes.subarray(0, mark.length));

function unzipped(bytes: Uint8Array): Uint8Array {
  const file = firstInZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), REPORT_FILE, MOST_BYTES);
  if (!file) throw new Error('No report in the zip file');
  return file;
}

/** Unpacks a report by its content, not by its declared type. Throws if the file is damaged or larger than a report may be. */
export function unpacked(bytes: Uint8Array): Uint8Array {
  if (beginsWith(bytes, ZIP)) return unzipped(bytes);
  const plain = beginsWith(bytes, GZIP) ? gunzipSync(bytes, { maxOutputLength: MOST_BYTES }) : bytes;
  if (plain.length > MOST_BYTES) throw new Error('The report is too large');
  return plain;
}

/** Returns whether a file may be a report: packed, or text that begins as one. */
export const maybeReport = (bytes: Uint8Array): boolean => beginsWith(bytes, GZIP) || beginsWith(bytes, ZIP) || markOf(bytes) !== null;

/** Returns `<` of XML, `{` of JSON, or null. */
export function markOf(bytes: Uint8Array): '<' | '{' | null {
  const mark = Buffer.from(bytes.subarray(0, 256))
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()[0];
  return mark === '<' || mark === '{' ? mark : null;
}

/** Heads of a zip file (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3): each begins with its mark. */
const END = Buffer.from('PK\x05\x06', 'latin1');
const LISTED = 0x02014b50;
const LOCAL = 0x04034b50;
const [END_BYTES, LISTED_BYTES, LOCAL_BYTES] = [22, 46, 30];
const [STORED, DEFLATED] = [0, 8];
const MOST_FILES = 100;

/**
 * Returns the bytes of the first file in a zip file whose name fits; null if there is none. Throws for one that is damaged, encrypted, or larger than `most` bytes:
 * Node's inflater stops there, whatever length the file claims. Libraries trust the claim, or continue after it.
 */
function firstInZip(zip: Buffer, fits: RegExp, most: number): Buffer | null {
  const end = zip.lastIndexOf(END);
  if (end === -1 || end + END_BYTES > zip.length) throw new Error('Not a zip file');
  let at = zip.readUInt32LE(end + 16);
  for (let left = Math.min(zip.readUInt16LE(end + 10), MOST_FILES); left > 0; left--) {
    if (zip.readUInt32LE(at) !== LISTED) throw new Error('Damaged list of files');
    const name = zip.subarray(at + LISTED_BYTES, at + LISTED_BYTES + zip.readUInt16LE(at + 28)).toString('latin1');
    if (fits.test(name)) return contentAt(zip, at, most);
    at += LISTED_BYTES + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return null;
}

function contentAt(zip: Buffer, listed: number, most: number): Buffer {
  const isEncrypted = (zip.readUInt16LE(listed + 8) & 1) === 1;
  const method = zip.readUInt16LE(listed + 10);
  const local = zip.readUInt32LE(listed + 42);
  if (isEncrypted || zip.readUInt32LE(local) !== LOCAL) throw new Error('Encrypted or damaged');
  const begin = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const packed = zip.subarray(begin, begin + zip.readUInt32LE(listed + 20));
  if (method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: most });
  if (method !== STORED || packed.length > most) throw new Error('Unsupported compression, or too large');
  return packed;
}
