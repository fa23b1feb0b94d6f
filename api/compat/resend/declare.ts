import { AppError } from '../../../src/platform/core';
import type { Ungrouped } from '../../http/endpoint';
import { foreign } from '../kit/declare';
import type { Foreign, Handle } from '../kit/declare';
import type { Endpoint } from '../../http/endpoint';
import { allRows, pageOf } from '../kit/operations';
import type { Asked } from '../../http/perform';
import type { Position } from '../../../src/platform/core';
import { sliceIn, sliceOf, wantedOf } from '../kit/slices';
import type { Slice } from '../kit/slices';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** Declares an operation of Resend's API; `route` is as Resend writes it. */
export function resend(route: `${Method} /${string}`, as: string, handle: Handle, limits?: Endpoint['limits']): Ungrouped {
  const [method, path] = route.split(' ') as [Method, string];
  return foreign(`${method} /compat/resend${path}`, as, handle, limits ? { limits } : {});
}

/** Declares an operation that has no counterpart, with what to do here. */
export const absent = (route: `${Method} /${string}`, instead: string): Ungrouped =>
  resend(route, 'listEmails', () => Promise.reject(new AppError('not_found', `There is no such operation here. ${instead}`)));

/** Writes a list as Resend does. */
export const listOf = <T>({ rows, more }: Slice<T>, show: (row: T) => unknown) => ({
  object: 'list' as const,
  has_more: more,
  data: rows.map(show),
});

/** Answers with a slice of a whole list of `/v1`. */
export async function wholeList<T>(request: Foreign, operationId: string, idOf: (row: T) => string, show: (row: T) => unknown) {
  const wanted = wantedOf(request.query);
  return listOf(sliceIn(await allRows<T>(operationId, request), idOf, wanted), show);
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
