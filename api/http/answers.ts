import type { Readable } from 'node:stream';
import type { Position } from '../../src/platform/core';

export type Status = 200 | 201 | 202;

export interface Page<T> {
  readonly rows: readonly T[];
  /** The position of the last row when there are more. */
  readonly next: Position | null;
}

/** Resolves to a page with its rows as the API shows them. */
export async function paged<T, V>(page: Promise<Page<T>>, show: (row: T) => V): Promise<Page<V>> {
  const { rows, next } = await page;
  return { rows: rows.map((row) => show(row)), next };
}

/** An answer with a status or headers of its own. */
export class Reply<T> {
  constructor(
    readonly status: Status,
    readonly data: T,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** Returns an answer with a status, and perhaps headers, that the handler chooses. */
export const reply = <T>(status: Status, data: T, headers?: Readonly<Record<string, string>>): Reply<T> => new Reply(status, data, headers);

/** An answer without envelope, piped as it is made. */
export class Streamed {
  constructor(
    readonly stream: Readable,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

/** Resolves to the answer to a deletion, once it is done. */
export async function deleted(done: Promise<unknown>): Promise<{ readonly success: true }> {
  await done;
  return { success: true };
}
