export interface Decoded {
  /** The beginning, as much as was asked for. */
  readonly bytes: Buffer;
  /** Size of the whole decoded content. */
  readonly size: number;
}

const [TAB, LF, CR, BLANK, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];

const sextets = (alphabet: string): Int8Array => {
  const table = new Int8Array(256).fill(-1);
  for (let value = 0; value < alphabet.length; value++) table[alphabet.charCodeAt(value)] = value;
  return table;
};
const BASE64 = sextets('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');

/** Passes over what is none of its letters, and begins again after padding: some software encodes piece by piece. */
function base64(encoded: Buffer, most: number): Decoded {
  const bytes = Buffer.allocUnsafe(Math.min(most, Math.ceil((encoded.length * 3) / 4)));
  let [size, held, bits] = [0, 0, 0];
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at]!;
    const sextet = BASE64[byte]!;
    if (sextet === -1) {
      if (byte === EQUALS) held = bits = 0;
      continue;
    }
    held = ((held << 6) | sextet) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    if (size < bytes.length) bytes[size] = (held >> bits) & 0xff;
    size++;
  }
  return { bytes: bytes.subarray(0, size), size };
}

const NO_DIGIT = -1_000;

const hex = (byte = 0): number => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NO_DIGIT;
};

/** Returns the offset at which the text continues if the characters at `at` make the equals sign before it a soft break; null otherwise. */
function afterSoftBreak(encoded: Buffer, at: number): number | null {
  let next = at;
  while (isBlank(encoded[next])) next++;
  if (next >= encoded.length) return next;
  return encoded[next] === LF ? next + 1 : null;
}

/** Decodes quoted-printable. An equals sign that begins no sequence is kept. Blanks at the end of a line were added on the way. */
function quotedPrintable(encoded: Buffer, most: number): Decoded {
  const bytes = Buffer.allocUnsafe(encoded.length);
  let [size, blanksFrom] = [0, 0];
  for (let at = 0; at < encoded.length;) {
    const byte = encoded[at++]!;
    if (byte !== EQUALS) {
      if (byte === LF) size = endedLine(bytes, size, blanksFrom);
      bytes[size++] = byte;
      if (!isBlank(byte)) blanksFrom = size;
      continue;
    }
    const escaped = hex(encoded[at]) * 16 + hex(encoded[at + 1]);
    const next = escaped >= 0 ? at + 2 : afterSoftBreak(encoded, at);
    if (escaped >= 0 || next === null) bytes[size++] = escaped >= 0 ? escaped : EQUALS;
    at = next ?? at;
    blanksFrom = size;
  }
  return { bytes: bytes.subarray(0, Math.min(size, most)), size };
}

const isBlank = (byte: number | undefined): boolean => byte === BLANK || byte === TAB || byte === CR;

/** Takes blanks and what is left of a line break off the end of a line, and writes its CR again. */
function endedLine(bytes: Buffer, size: number, blanksFrom: number): number {
  const hadReturn = size > blanksFrom && bytes[size - 1] === CR;
  const end = Math.min(size, blanksFrom);
  if (hadReturn) bytes[end] = CR;
  return hadReturn ? end + 1 : end;
}

const UU_BEGIN = /^begin [0-7]{3,4} .{1,255}(?:\r?\n|$)/m;
const UU_END = /^end\r?$/;
const EXAMINED = 65_536;

/** Decodes the lines between `begin` and `end`; of what is no such file nothing. */
export function uuDecode(encoded: Buffer, most: number): Decoded {
  const begin = UU_BEGIN.exec(encoded.toString('latin1', 0, EXAMINED));
  const bytes = Buffer.allocUnsafe(begin ? Math.min(most, encoded.length) : 0);
  let size = 0;
  for (let at = begin ? begin.index + begin[0].length : encoded.length; at < encoded.length;) {
    const found = encoded.indexOf(LF, at);
    const end = found === -1 ? encoded.length : found;
    if (end - at <= 4 && UU_END.test(encoded.toString('latin1', at, end))) break;
    for (const byte of uuLine(encoded.subarray(at, end))) {
      if (size < bytes.length) bytes[size] = byte;
      size++;
    }
    at = end + 1;
  }
  return { bytes: bytes.subarray(0, size), size };
}

function uuLine(line: Buffer): readonly number[] {
  const value = (at: number): number => ((line[at] ?? BLANK) - BLANK) & 0x3f;
  const bytes: number[] = [];
  for (let at = 1; bytes.length < value(0); at += 4) {
    const four = (value(at) << 18) | (value(at + 1) << 12) | (value(at + 2) << 6) | value(at + 3);
    bytes.push(four >> 16, (four >> 8) & 0xff, four & 0xff);
  }
  return bytes.slice(0, value(0));
}

/** Decodes a Content-Transfer-Encoding, and keeps up to `most` bytes of the result. */
export function undoTransfer(encoding: string, encoded: Buffer, most: number): Decoded {
  if (encoding === 'base64') return base64(encoded, most);
  if (encoding === 'quoted-printable') return quotedPrintable(encoded, most);
  if (/^x-uu(?:encode|e)$|^uu(?:encode)?$/.test(encoding)) return uuDecode(encoded, most);
  return { bytes: encoded.subarray(0, most), size: encoded.length };
}
