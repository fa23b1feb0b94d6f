import { mapped } from '../../../src/platform/mongo';
import { declarationsFor } from '../kit/declare';
import type { Foreign } from '../kit/declare';
import { pageOf, rowsOf } from '../kit/operations';
import type { Asked } from '../../http/perform';
import type { Position, Rows } from '../../../src/platform/core';
import { sliceFrom, sliceOf, wantedOf } from '../kit/slices';
import type { Slice } from '../kit/slices';
import { resendDialect } from './dialect';

/** Declares operations of Resend's API, and those that have no counterpart. */
export const { declare: resend, absent } = declarationsFor(resendDialect);

/** Returns the id in a request's path, as operations of `/v1` take it. */
export const byId = ({ params }: Foreign): Asked => ({ params: { id: params['id'] } });

/** Writes a list as Resend does. */
export const listOf = <T>({ rows, more }: Slice<T>, show: (row: T) => unknown) => ({
  object: 'list' as const,
  has_more: more,
  data: rows.map(show),
});

interface Whole<T> {
  readonly operationId: string;
  readonly idOf: (row: T) => string;
  readonly show: (row: T) => unknown;
  /** Selects the rows that the other service has in its list; without it, all. */
  readonly isListed?: (row: T) => boolean;
}

async function* listed<T>(rows: Rows<T>, isListed: (row: T) => boolean): Rows<T> {
  for await (const positioned of rows) if (isListed(positioned.row)) yield positioned;
}

/** Answers with a slice of a whole list of `/v1`. */
export async function wholeList<T>(request: Foreign, { operationId, idOf, show, isListed = () => true }: Whole<T>) {
  const wanted = wantedOf(request.query);
  const rows = listed(await rowsOf<T>(operationId, request), isListed);
  const list = mapped(rows, (row) => ({ id: idOf(row), shown: show(row) }));
  const slice = await sliceFrom(list, ({ id }) => id, wanted);
  return listOf(slice, ({ shown }) => shown);
}

interface Paged<T> {
  readonly operationId: string;
  readonly asked?: Asked;
  readonly idOf: (row: T) => string;
  readonly show: (row: T) => unknown;
  readonly positionOf?: (id: string) => Promise<Position>;
}

/** Answers with a slice of a list of `/v1` that comes in pages. */
export async function pagedList<T>(request: Foreign, { operationId, asked = {}, idOf, show, positionOf }: Paged<T>) {
  const read = (page: Parameters<typeof pageOf>[3]) => pageOf<T>(operationId, request, asked, page);
  return listOf(await sliceOf({ read, idOf, ...(positionOf && { positionOf }) }, wantedOf(request.query)), show);
}
