import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { PassThrough, Transform, pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { AppError, RawJson, invalid } from '../../src/platform/core';
import { bodyFault } from './errors';
import { dotted } from './issues';
import { scanJson } from './json-guard';

/** `admitted` resolves when a body of the given size in bytes may be parsed. */
export type ReadBody = (req: Request, res: Response, admitted?: (bytes: number) => Promise<void>) => Promise<unknown>;

const mediaType = (incoming: IncomingMessage): string =>
  (incoming.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (type: string): boolean => type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

const hasBody = (incoming: IncomingMessage): boolean =>
  incoming.headers['transfer-encoding'] !== undefined || Number(incoming.headers['content-length'] ?? 0) > 0;

const unsupported = (message: string): AppError => new AppError('unsupported_media_type', message);
const tooLarge = (limit: number): AppError => new AppError('payload_too_large', `The body may have at most ${limit} bytes`);

function requireJson(incoming: IncomingMessage): void {
  const charset = CHARSET.exec(incoming.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (!isJson(mediaType(incoming))) throw unsupported('Send the body as application/json');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii')
    throw unsupported('Send the body in UTF-8');
}

/** Escaped in JSON, half of a surrogate pair is a character that no other encoding can hold: it would come back as another one. */
const HALF_A_PAIR = /\\u[dD][89a-fA-F]/;
const wellFormed = (_key: string, value: unknown): unknown => (typeof value === 'string' ? Buffer.from(value).toString() : value);

/** Only an exponent or hundreds of digits make a number infinite. */
const MAY_BE_INFINITE = /\d[eE]\+?\d{3}|\d{200}/;

/** Returns the path of a number beyond the range of a double, such as 1e400: it is read as infinite, which no answer could show. Null if there is none. */
function infiniteAt(value: unknown): readonly string[] | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : [];
  if (typeof value !== 'object' || value === null) return null;
  for (const key of Object.keys(value)) {
    const path = infiniteAt((value as Content)[key]);
    if (path) return [key, ...path];
  }
  return null;
}

const notJson = (): AppError => invalid('', 'invalid_json', 'The body is not JSON');

const TEXT_OR_HOLDER = /^["[{]/;

function parse(bytes: Buffer, verbatim: string | null): unknown {
  if (!isUtf8(bytes)) throw notJson();
  const { excess, members } = scanJson(bytes, verbatim);
  if (excess) throw invalid('', 'too_big', excess);
  const text = bytes.toString('utf8');
  let body: unknown;
  try {
    body = JSON.parse(text, HALF_A_PAIR.test(text) ? wellFormed : undefined);
  } catch {
    throw notJson();
  }
  if (verbatim !== null) putRaw(body as Content, verbatim, members);
  const infinite = MAY_BE_INFINITE.test(text) ? infiniteAt(body) : null;
  if (infinite) throw invalid(dotted(infinite), 'too_big', 'This number is too large');
  return body;
}

/** An object that may have a content by language. */
interface Content {
  [member: string]: unknown;
  readonly variants?: Readonly<Record<string, Content>>;
}

/** Replaces texts, lists and objects by their JSON as it was written, in the body and in its variants. */
function putRaw(body: Content, name: string, members: ReadonlyMap<string | null, string>): void {
  for (const [language, text] of members) {
    const holder = language === null ? body : body.variants?.[language];
    if (holder && TEXT_OR_HOLDER.test(text)) holder[name] = new RawJson(text);
  }
}

/** Reads the body with a parser of Express. Rejects with the body's fault. */
export const parsedBy = (parser: RequestHandler, req: Request, res: Response): Promise<void> =>
  new Promise((resolve, reject) => {
    void parser(req, res, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyFault(error));
    });
  });

/**
 * Limits for reading the rest of a body that is too large: a client that finishes it within them sees the refusal, on a connection that
 * stays open.
 */
const READ_ON_BYTES = 8 * 1_048_576;
const READ_ON_MS = 5_000;

/** Rejects, and closes the connection, when a body that is too large does not end in time; one that ends is refused by its reader. */
const endless = (req: Request, limit: number): Promise<never> =>
  new Promise((_, reject) => {
    const refuse = (): void => reject(new AppError('payload_too_large', tooLarge(limit).message, [], { headers: { Connection: 'close' } }));
    let timer: NodeJS.Timeout | undefined;
    let bytes = 0;
    const limitTime = (soFar: number): void => {
      if (soFar > limit) timer ??= setTimeout(refuse, READ_ON_MS).unref();
    };
    limitTime(Number(req.headers['content-length'] ?? 0));
    req.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      limitTime(bytes);
      if (bytes > limit + READ_ON_BYTES) refuse();
    });
    req.once('end', () => clearTimeout(timer));
  });

/**
 * Reads a JSON body of at most `limit` bytes, also when it came compressed. No body at all counts as `{}`. Its member `verbatim`, and
 * that of each of its `variants`, becomes a `RawJson` when it is a text, a list or an object.
 */
export function jsonReader(limit: number, verbatim: string | null = null): ReadBody {
  const readBytes = express.raw({ limit, type: () => true });
  return async (req, res, admitted) => {
    if (!hasBody(req)) return {};
    // Some clients announce chunks, and send none.
    if (req.headers['content-type'] !== undefined || req.headers['content-length'] !== undefined) requireJson(req);
    await Promise.race([parsedBy(readBytes, req, res), endless(req, limit)]);
    const bytes: unknown = req.body;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) return {};
    requireJson(req);
    await admitted?.(bytes.length);
    return parse(bytes, verbatim);
  };
}

/** Returns the body as a stream that fails with `payload_too_large` past `limit` bytes. Throws when its type is none of `types`. */
export function streamOf(incoming: IncomingMessage, types: readonly string[], limit: number): Readable {
  if (!types.includes(mediaType(incoming))) throw unsupported(`Send the body as ${types.join(' or ')}`);
  if (incoming.headers['content-encoding'] !== undefined) throw unsupported('Send the body without Content-Encoding');
  if (Number(incoming.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  let seen = 0;
  const cap = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > limit) done(tooLarge(limit));
      else done(null, chunk);
    },
  });
  return pipeline(incoming, cap, new PassThrough(), () => undefined);
}
