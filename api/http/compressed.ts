import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { AppError } from '../../src/platform/core';

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
  private etag: string | null = null;

  constructor(private readonly read: () => Buffer) {}

  /** Resolves to what goes to a client that sent this `Accept-Encoding` (RFC 9110, 12.5.3). */
  async answerTo(acceptEncoding: string | undefined): Promise<Sent> {
    this.plain ??= this.read();
    // Weak: the same tag names the bytes with and without compression.
    this.etag ??= `W/"${createHash('sha256').update(this.plain).digest('base64url')}"`;
    const headers = { Vary: 'Accept-Encoding', ETag: this.etag };
    if (!takesGzip(acceptEncoding ?? '')) return { bytes: this.plain, headers };
    return { bytes: await (this.gzipped ??= compress(this.plain)), headers: { ...headers, 'Content-Encoding': 'gzip' } };
  }
}

/** Sends them, or 304 to a client that has them already (RFC 9110, 13.1.2), which Express finds out by the tag. */
export async function sendCompressed(content: Compressed, type: string, caching: string, req: Request, res: Response): Promise<void> {
  const { bytes, headers } = await content.answerTo(req.get('accept-encoding'));
  res
    .type(type)
    .set({ ...headers, 'Cache-Control': caching })
    .send(bytes);
}

/** Throws `method_not_allowed` for a request that does more than read. */
export function requireReading({ method }: Request): void {
  if (method !== 'GET' && method !== 'HEAD') throw new AppError('method_not_allowed', 'Only GET', [], { headers: { Allow: 'GET, HEAD' } });
}
