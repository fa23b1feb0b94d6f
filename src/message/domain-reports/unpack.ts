import { gunzipSync } from 'node:zlib';
import { firstInZip } from './zip';

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

/** Returns the bytes of a report, whatever its type claims to be. Throws for a file that is damaged, or larger than a report. */
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
