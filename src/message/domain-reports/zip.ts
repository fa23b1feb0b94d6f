import { inflateRawSync } from 'node:zlib';

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
export function firstInZip(zip: Buffer, fits: RegExp, most: number): Buffer | null {
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
