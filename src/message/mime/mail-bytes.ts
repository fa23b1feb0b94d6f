import { quotedPrintableBound, writeQuotedPrintable } from './quoted-printable';

const LF = 0x0a;
const UTF8_BYTES = 3;
const SHORT = 48;
const KEPT_BYTES = 1 << 20;

/** Buffers that are reused, so that messages need no allocation; a rare huge one gets its own. */
export class MailScratch {
  /** Where a message is composed that has no buffer of its own. */
  kept = Buffer.allocUnsafeSlow(1 << 16);
  /** Where text is converted to UTF-8. */
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
