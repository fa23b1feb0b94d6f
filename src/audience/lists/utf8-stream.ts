import { TextDecoder } from 'node:util';

const UTF_16: ReadonlyMap<number, string> = new Map([
  [0xfffe, 'utf-16le'],
  [0xfeff, 'utf-16be'],
]);
const MARK_BYTES = 2;
const NOTHING = Buffer.alloc(0);

/** Passes on the bytes of a file as UTF-8: a file that begins with a byte order mark of UTF-16 is converted, all others stay as they are. */
export class Utf8Stream {
  private decoder: TextDecoder | null = null;
  /** The beginning, until it is long enough to show a mark; null from then on. */
  private beginning: Buffer | null = NOTHING;

  take(chunk: Buffer): Buffer {
    if (!this.beginning) return this.converted(chunk);
    const bytes = Buffer.concat([this.beginning, chunk]);
    this.beginning = bytes.length < MARK_BYTES ? bytes : null;
    if (this.beginning) return NOTHING;
    const form = UTF_16.get(bytes.readUInt16BE(0));
    if (form !== undefined) this.decoder = new TextDecoder(form);
    return this.converted(bytes);
  }

  end(): Buffer {
    return this.decoder ? Buffer.from(this.decoder.decode()) : (this.beginning ?? NOTHING);
  }

  private converted(bytes: Buffer): Buffer {
    return this.decoder ? Buffer.from(this.decoder.decode(bytes, { stream: true })) : bytes;
  }
}
