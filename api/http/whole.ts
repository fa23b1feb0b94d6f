import { Readable, pipeline } from 'node:stream';
import type { Response } from 'express';
import { jsonText, readWhileSent } from '../../src/platform/core';
import type { Positioned, Position, Rows } from '../../src/platform/core';
import { MEBIBYTE } from './pieces';

/** Rows that need sorting are kept in memory until all have been read. A list above this size is sent in the order in which it is read. */
const ARRANGED_BYTES = 8 * MEBIBYTE;
/** A longer answer is sent while it is read: eight of them at once would take more memory than all else that the process does. */
const BEGUN_BYTES = MEBIBYTE;
/** A client that reads nothing of a longer answer for this long is disconnected: others wait for its place. */
const IDLE_CLIENT_MS = 30_000;

interface Bounds<W> {
  /** Infinite where the list is not asked for in pages. */
  readonly limit: number;
  readonly check: (row: W) => unknown;
  readonly arrange?: ((a: W, b: W) => number) | undefined;
  readonly cursorOf: (next: Position | null) => string | null;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
}

interface Taken<W> {
  readonly row: W;
  readonly json: Buffer;
}

/** Rows until they are as many as an answer may hold. */
class Fitting<W> {
  /** Position at which the list continues if it has more rows; known when the last row is taken. */
  next: Position | null = null;

  constructor(
    private readonly rows: Rows<W>,
    private readonly bounds: Bounds<W>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Taken<W>> {
    let count = 0;
    let last: Position | null = null;
    for await (const { row, position } of this.rows as AsyncIterable<Positioned<W>>) {
      if (count === this.bounds.limit) {
        this.next = last;
        return;
      }
      yield { row, json: Buffer.from(jsonText(this.bounds.check(row))) };
      count++;
      last = position;
    }
  }
}

async function* arranged<W>(fitting: Fitting<W>, arrange: (a: W, b: W) => number): AsyncGenerator<Taken<W>> {
  const taken: Taken<W>[] = [];
  let bytes = 0;
  for await (const one of fitting) {
    taken.push(one);
    bytes += one.json.length;
    if (bytes > ARRANGED_BYTES) yield* taken.splice(0);
  }
  yield* bytes > ARRANGED_BYTES ? taken : taken.sort((a, b) => arrange(a.row, b.row));
}

const COMMA = Buffer.from(',');

/** Yields the answer in pieces. The cursor of a page is next to the array, as in other lists. */
async function* bodyOf<W>(rows: Rows<W>, bounds: Bounds<W>): AsyncGenerator<Buffer> {
  const fitting = new Fitting(rows, bounds);
  let first = true;
  yield Buffer.from('{"success":true,"data":{"data":[');
  for await (const { json } of bounds.arrange ? arranged(fitting, bounds.arrange) : fitting) {
    if (!first) yield COMMA;
    first = false;
    yield json;
  }
  const member = Number.isFinite(bounds.limit) ? `,"nextCursor":${JSON.stringify(bounds.cursorOf(fitting.next))}` : '';
  yield Buffer.from(`]${member}}${member}}`);
}

/** Reads the rest of an answer, each piece within the time of a request. */
async function* bounded(rest: AsyncGenerator<Buffer>, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const piece = await readWhileSent(signal, () => rest.next());
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    await rest.return(undefined);
  }
}

/** An answer whose beginning is read. */
export interface WholeAnswer {
  readonly begun: readonly Buffer[];
  /** The part that is still to be read; null if there is none. */
  readonly rest: AsyncGenerator<Buffer> | null;
}

/** Reads a list up to the limit of one answer, or until the size from which it is sent while it is read. */
export async function wholeAnswer<W>(rows: Rows<W>, bounds: Bounds<W>): Promise<WholeAnswer> {
  const body = bodyOf(rows, bounds);
  const begun: Buffer[] = [];
  let bytes = 0;
  while (bytes < BEGUN_BYTES) {
    const piece = await body.next();
    if (piece.done) return { begun, rest: null };
    begun.push(piece.value);
    bytes += piece.value.length;
  }
  return { begun, rest: bounded(body, bounds.signal) };
}

/** Sends an answer; a failure after its beginning cuts the connection. */
export function sendWhole({ begun, rest }: WholeAnswer, res: Response, failed: (error: unknown) => void): void {
  res.status(200).set('Content-Type', 'application/json; charset=utf-8');
  if (!rest) {
    const body = Buffer.concat(begun);
    res.set('Content-Length', String(body.length)).end(body);
    return;
  }
  res.setTimeout(IDLE_CLIENT_MS, () => res.destroy());
  const pieces = async function* () {
    yield* begun;
    yield* rest;
  };
  pipeline(Readable.from(pieces(), { objectMode: true, highWaterMark: 1 }), res, (error) => {
    if (error) failed(error);
  });
}
