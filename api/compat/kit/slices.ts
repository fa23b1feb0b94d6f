import { AppError, invalid, notFound } from '../../../src/platform/core';
import type { PageRequest, Position, Rows } from '../../../src/platform/core';
import type { Page } from '../../http/answers';

/** A part of a list, right after or right before the row with a given id. */
export interface Slice<T> {
  readonly rows: readonly T[];
  /** Whether there are more in the direction that was asked for. */
  readonly more: boolean;
}

/** The parts of a list that can be asked for. */
export interface Wanted {
  readonly limit: number;
  readonly after: string | null;
  readonly before: string | null;
}

export interface Listed<T> {
  readonly read: (page: PageRequest) => Promise<Page<T>>;
  readonly idOf: (row: T) => string;
  /** Resolves to where a row is. Without it, the row is searched for from the start of the list. */
  readonly positionOf?: (id: string) => Promise<Position>;
}

const DEFAULT_ROWS = 20;
const MOST_ROWS = 100;
/** Rows among which a neighbor is searched for. */
const MOST_SEARCHED = 10_000;

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Reads `limit`, `after` and `before`. Throws `validation_error`. */
export function wantedOf(query: Readonly<Record<string, unknown>>): Wanted {
  const { limit: given, after, before } = query;
  const limit = given === undefined ? DEFAULT_ROWS : Number(given);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_ROWS)
    throw invalid('limit', 'invalid_type', `Must be a whole number from 1 to ${MOST_ROWS}`);
  const wanted = { limit, after: textOf(after), before: textOf(before) };
  if (wanted.after !== null && wanted.before !== null) throw invalid('before', 'invalid_combination', 'Cannot be combined with after');
  return wanted;
}

/** Returns a slice of a list whose rows are all loaded. */
export function sliceIn<T>(rows: readonly T[], idOf: (row: T) => string, { limit, after, before }: Wanted): Slice<T> {
  const neighbor = after ?? before;
  const index = neighbor === null ? -1 : rows.findIndex((row) => idOf(row) === neighbor);
  if (neighbor !== null && index < 0) throw notFound('The row that `after` or `before` names was');
  if (before !== null) return { rows: rows.slice(Math.max(0, index - limit), index), more: index > limit };
  return { rows: rows.slice(index + 1, index + 1 + limit), more: rows.length > index + 1 + limit };
}

/** Resolves to a slice of a whole list, which is read no further than the slice needs. */
export async function sliceFrom<T>(list: Rows<T>, idOf: (row: T) => string, wanted: Wanted): Promise<Slice<T>> {
  const { limit, after, before } = wanted;
  const neighbor = after ?? before;
  const rows: T[] = [];
  // One more than the limit shows whether there are others.
  let missing = neighbor === null ? limit + 1 : Number.POSITIVE_INFINITY;
  for await (const { row } of list) {
    rows.push(row);
    if (idOf(row) !== neighbor) missing--;
    else missing = before === null ? limit + 1 : 0;
    if (missing === 0) break;
  }
  return sliceIn(rows, idOf, wanted);
}

/** Reads a list from its start until it has a row, and one page more. Resolves to its rows, and whether there are others after them. */
async function readUntil<T>({ read, idOf }: Listed<T>, id: string): Promise<{ readonly rows: readonly T[]; readonly isMore: boolean }> {
  const rows: T[] = [];
  let from: Position | null = null;
  for (;;) {
    if (rows.length >= MOST_SEARCHED) throw new AppError('not_found', `This id is not among the first ${MOST_SEARCHED} rows of the list`);
    const wasThere = rows.some((row) => idOf(row) === id);
    const page: Page<T> = await read({ limit: MOST_ROWS, after: from });
    rows.push(...page.rows);
    from = page.next;
    if (from === null || wasThere) return { rows, isMore: from !== null };
  }
}

/** Reads on after a row whose position is known, or from the start. */
async function readOn<T>({ read }: Listed<T>, limit: number, after: Position | null): Promise<Slice<T>> {
  const { rows, next } = await read({ limit, after });
  return { rows, more: next !== null };
}

/** Resolves to a slice of a list that is read page by page. Throws `not_found` where the neighbor is not in the list, or too far. */
export async function sliceOf<T>(list: Listed<T>, wanted: Wanted): Promise<Slice<T>> {
  const { limit, after, before } = wanted;
  const neighbor = after ?? before;
  if (neighbor === null) return readOn(list, limit, null);
  if (after !== null && list.positionOf) return readOn(list, limit, await list.positionOf(after));
  const { rows, isMore } = await readUntil(list, neighbor);
  const slice = sliceIn(rows, list.idOf, wanted);
  return after === null ? slice : { ...slice, more: slice.more || (isMore && slice.rows.length === limit) };
}
