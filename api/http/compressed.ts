import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const compress = promisify(gzip);
const NAMES_GZIP = /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i;

const takesGzip = (acceptEncoding: string): boolean => acceptEncoding.split(',').some((part) => NAMES_GZIP.test(part));

interface Sent {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes that many ask for and that stay the same: compressed once, at the first request. */
export class Compressed {
  private plain: Buffer | null = null;
  private gzipped: Promise<Buffer> | null = null;

  constructor(private readonly read: () => Buffer) {}

  /** Resolves to what goes to a client that sent this `Accept-Encoding` (RFC 9110, 12.5.3). */
  async answerTo(acceptEncoding: string | undefined): Promise<Sent> {
    this.plain ??= this.read();
    const headers = { Vary: 'Accept-Encoding' };
    if (!takesGzip(acceptEncoding ?? '')) return { bytes: this.plain, headers };
    return { bytes: await (this.gzipped ??= compress(this.plain)), headers: { ...headers, 'Content-Encoding': 'gzip' } };
  }
}
