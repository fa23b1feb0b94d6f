import { z } from 'zod';
import type { Context } from '../../src/platform/core';
import type { Page } from './answers';
import type { Endpoint } from './endpoint';
import { nextCursor } from './input';
import type { Input } from './input';

/** Returns the schema of the payload: of all rows in a list, unless they are checked one by one. */
export const payloadSchema = ({ form: { list }, response }: Endpoint): z.ZodType =>
  list && list !== 'whole' ? z.array(response) : response;

/** Returns the body of a success, its payload checked by `schema`. `input` is null in a replay, which is never of a list. */
export function successBody(endpoint: Endpoint, schema: z.ZodType, ctx: Context | null, input: Input | null, data: unknown): unknown {
  const { list, bare } = endpoint.form;
  const checked = (payload: unknown): unknown => (endpoint.limits?.hot ? payload : z.parse(schema, payload));
  if (bare) return checked(data);
  if (!list || !ctx || !input) return { success: true, data: checked(data) };
  const page = data as Page<unknown>;
  const [rows, next] = [checked(page.rows), nextCursor(endpoint, ctx, input, page.next)];
  return { success: true, data: list === 'inner' ? { data: rows, nextCursor: next } : rows, nextCursor: next };
}
