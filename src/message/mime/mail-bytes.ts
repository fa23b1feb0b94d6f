const UTF8_BYTES = 3;
const SHORT = 48;
const KEPT_BYTES = 1 << 20;

/** Buffers that are reused, so that messages need no allocation; a rare huge one gets its own. */
export class MailScratch {
  /** Buffer for a message that has none of its own. */
  kept = Buffer.allocUnsafeSlow(1 << 16);
  /** Buffer for converting text to UTF-8. */
  source = Buffer.allocUnsafeSlow(1 << 14);
}

/** A buffer in which one message is composed, 7-bit. The next message overwrites it, unless it has its own buffer: read it before anything is awaited. */
export class MailBytes {
  private bytes: Buffer;

  /** `length`: how much is written already. */
  constructor(
    private readonly scratch: MailScratch,
    private readonly own: Buffer | null = null,
    public length = 0,
  ) {
    this.bytes = own ?? scratch.kept;
  }

  /** Whether the message fits in the given buffer. */
  get fits(): boolean {
    return this.bytes === this.own;
  }

  /** Writes ASCII text unchanged. */
  text(text: string): void {
    this.reserve(text.length);
    if (text.length > SHORT) this.length += this.bytes.write(text, this.length, 'latin1');
    else for (let at = 0; at < text.length; at++) this.bytes[this.length++] = text.charCodeAt(at);
  }

  copy(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes any text in quoted-printable, after `column` characters of the line; returns the new column. */
  encode(text: string, column: number): number {
    const most = text.length * UTF8_BYTES;
    const { scratch } = this;
    if (most > scratch.source.length && most <= KEPT_BYTES) scratch.source = Buffer.allocUnsafeSlow(KEPT_BYTES);
    const { source } = scratch;
    const utf8 = most > source.length ? Buffer.from(text) : source.subarray(0, source.write(text));
    this.reserve(quotedPrintableBound(utf8.length));
    const from = this.length;
    this.length = writeQuotedPrintable(utf8, this.bytes, from, column);
    const lineBreak = this.bytes.subarray(from, this.length).lastIndexOf(LF);
    return lineBreak === -1 ? column + this.length - from : this.length - from - lineBreak - 1;
  }

  /** Returns what is written from an offset on: the memory itself, which the next message overwrites. */
  view(offset: number): Buffer {
    return this.bytes.subarray(offset, this.length);
  }

  /** Returns what is written from an offset on, one character a byte. */
  from(offset: number): string {
    return this.bytes.toString('latin1', offset, this.length);
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    if (this.own === null && larger.length <= KEPT_BYTES) this.scratch.kept = larger;
  }
}

/** Longest encoded line before its soft break; RFC 2045 6.7 allows 76 with the `=`. */
export const LINE = 75;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DOT = 0x2e;
const EQUALS = 0x3d;

/** Classes of bytes: a blank and a dot need encoding only in some places, the others always or never. */
const ENCODED = 0;
const LITERAL = 1;
const BLANK = 2;
const FULL_STOP = 3;
const LINE_BREAK = 4;

const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte));
const HIGH_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => '0123456789ABCDEF'.charCodeAt(byte >> 4));
const LOW_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) => '0123456789ABCDEF'.charCodeAt(byte & 15));
/** The space that an encoded byte needs; the first byte of a character counts all of it (RFC 3629 3), so that no break splits one. */
const ROOM = Uint8Array.from({ length: 256 }, (_, byte) => 3 * (byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4));

function kindOf(byte: number): number {
  if (byte === CR || byte === LF) return LINE_BREAK;
  if (byte === SPACE || byte === TAB) return BLANK;
  if (byte === DOT) return FULL_STOP;
  return byte > SPACE && byte < 0x7f && byte !== EQUALS ? LITERAL : ENCODED;
}

/** Returns an upper bound for the encoding of this many bytes: three characters a byte and a soft break at least every 60 of them. */
export function quotedPrintableBound(byteLength: number): number {
  return byteLength * 3 + (Math.ceil(byteLength / 20) + 1) * 3;
}

/**
 * Writes the UTF-8 text in `source` in quoted-printable (RFC 2045 6.7) into `out` from `start` on and returns where it ended; `column` is how much of its
 * line is written already. Every CR, LF and CRLF becomes CRLF, NUL is dropped, a blank at a line's end is encoded, and so is a dot at its beginning (no
 * relay can trip over it).
 */
export function writeQuotedPrintable(source: Uint8Array, out: Uint8Array, start: number, column: number): number {
  const length = source.length;
  let at = start;
  let lineEnd = at + LINE - column;
  for (let index = 0; index < length; index++) {
    const byte = source[index]!;
    const kind = KINDS[byte]!;
    if (kind === LITERAL || (kind > LITERAL && mayStand(kind, source[index + 1], lineEnd - at))) {
      if (at === lineEnd) {
        at = softBreak(out, at);
        lineEnd = at + LINE;
      }
      out[at++] = byte;
    } else if (kind === LINE_BREAK) {
      index = lastOfBreak(source, index);
      at = hardBreak(out, at);
      lineEnd = at + LINE;
    } else if (byte !== 0) {
      if (at + ROOM[byte]! > lineEnd) {
        at = softBreak(out, at);
        lineEnd = at + LINE;
      }
      at = writeEncoded(byte, out, at);
    }
  }
  return at;
}

/** Returns whether a byte needs no encoding here: a blank unless a break, a NUL or the end is next; a dot unless it begins a line. */
function mayStand(kind: number, next: number | undefined, roomLeft: number): boolean {
  if (kind === BLANK) return next !== undefined && (next > CR || next === TAB);
  return kind === FULL_STOP && roomLeft !== LINE && roomLeft !== 0;
}

function lastOfBreak(source: Uint8Array, index: number): number {
  return source[index] === CR && source[index + 1] === LF ? index + 1 : index;
}

function writeEncoded(byte: number, out: Uint8Array, at: number): number {
  out[at] = EQUALS;
  out[at + 1] = HIGH_DIGIT[byte]!;
  out[at + 2] = LOW_DIGIT[byte]!;
  return at + 3;
}

function softBreak(out: Uint8Array, at: number): number {
  out[at] = EQUALS;
  return hardBreak(out, at + 1);
}

function hardBreak(out: Uint8Array, at: number): number {
  out[at] = CR;
  out[at + 1] = LF;
  return at + 2;
}
