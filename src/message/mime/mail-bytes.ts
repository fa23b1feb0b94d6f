import { quotedPrintableBound, writeQuotedPrintable } from './quoted-printable';

const LF = 0x0a;
const UTF8_BYTES = 3;
const SHORT = 48;
const KEPT_BYTES = 1 << 20;

/** The kept room spares each message the allocation of all its parts; a rare huge one gets its own. */
let kept = Buffer.allocUnsafeSlow(1 << 16);
let source = Buffer.allocUnsafeSlow(1 << 14);

/** Where one message is put together, 7-bit. The next one is written over it, unless it has a room of its own: read it before anything is awaited. */
export class MailBytes {
  private bytes: Buffer;

  /** `length`: so much is written already. */
  constructor(
    private readonly own: Buffer | null = null,
    public length = 0,
  ) {
    this.bytes = own ?? kept;
  }

  /** Whether all of it stands in the room that it was given. */
  get fits(): boolean {
    return this.bytes === this.own;
  }

  /** Text in ASCII, as it is. */
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

  /** Any text in quoted-printable, where `column` characters of the line are written; answers how many are then. */
  encode(text: string, column: number): number {
    const most = text.length * UTF8_BYTES;
    if (most > source.length && most <= KEPT_BYTES) source = Buffer.allocUnsafeSlow(KEPT_BYTES);
    const utf8 = most > source.length ? Buffer.from(text) : source.subarray(0, source.write(text));
    this.reserve(quotedPrintableBound(utf8.length));
    const from = this.length;
    this.length = writeQuotedPrintable(utf8, this.bytes, from, column);
    const lineBreak = this.bytes.subarray(from, this.length).lastIndexOf(LF);
    return lineBreak === -1 ? column + this.length - from : this.length - from - lineBreak - 1;
  }

  /** What is written from an offset on, one character a byte. */
  from(offset: number): string {
    return this.bytes.toString('latin1', offset, this.length);
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
    if (this.own === null && larger.length <= KEPT_BYTES) kept = larger;
  }
}
