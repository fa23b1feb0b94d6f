import { AppError } from '../../../src/platform/core';
import type { Endpoint, Ungrouped } from '../../http/endpoint';
import { foreign } from '../kit/declare';
import type { Handle } from '../kit/declare';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Declares an operation of Postmark's API; `route` is as Postmark writes it. */
export function postmark(route: `${Method} /${string}`, as: string, handle: Handle, limits?: Endpoint['limits']): Ungrouped {
  const [method, path] = route.split(' ') as [Method, string];
  return foreign(`${method} /compat/postmark${path}`, as, handle, {
    keyHeader: 'x-postmark-server-token',
    ...(limits && { limits }),
  });
}

/** Declares an operation that has no counterpart, with what to do here. */
export const absent = (route: `${Method} /${string}`, instead: string): Ungrouped =>
  postmark(route, 'listEmails', () => Promise.reject(new AppError('not_found', `There is no such operation here. ${instead}`)));
