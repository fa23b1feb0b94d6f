import type { Endpoint } from '../../../api/http/endpoint';
import { readInput } from '../../../api/http/input';
import { keysAt } from '../../../api/http/known-keys';
import { extensions, otherEndpoints, rooms } from '../../../api/rooms';
import { AppError } from '../../../src/platform/core/errors';

const meta = { health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' } as const), document: () => ({}) };
const endpoints = [...rooms(meta), ...extensions(() => ({}) as never), ...otherEndpoints];

/** What zod says when it is left to itself. */
const RAW = /: Invalid |: Required$|expected|, received|Unrecognized|Too (small|big)|undefined|NaN|\bint\b/;

const JUNK: readonly unknown[] = [null, true, 7, -1, 1.5, 1e12, '', 'x', 'a\nb', 'x'.repeat(5_000), [], [null], [7], ['x'], {}, { x: 1 }];

/** The name at each place that a body has, to the second level, with junk as its value. */
function* junkBodies({ request }: Endpoint): Generator<unknown> {
  yield* JUNK;
  if (!request?.body) return;
  for (const key of keysAt(request.body, [])) {
    for (const value of JUNK) yield { [key]: value };
    for (const inner of keysAt(request.body, [key])) for (const value of JUNK) yield { [key]: { [inner]: value } };
    for (const inner of keysAt(request.body, [key, 0])) for (const value of JUNK) yield { [key]: [{ [inner]: value }] };
  }
}

const incoming = { headers: {}, rawHeaders: [] } as never;

function faultsOf(
  endpoint: Endpoint,
  raw: { readonly params?: unknown; readonly query?: unknown; readonly body?: unknown },
): readonly string[] {
  try {
    readInput(endpoint, null, { incoming, params: {}, query: {}, body: undefined, ...raw });
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details.map(({ path, message }) => `${endpoint.operationId} ${path}: ${message}`);
  }
}

test.each(endpoints.map((endpoint) => [endpoint.operationId, endpoint] as const))('%s never says what zod says', (_name, endpoint) => {
  const texts = new Set<string>();
  const note = (faults: readonly string[]) => faults.forEach((fault) => texts.add(fault.replaceAll(/x{9,}/g, 'x')));
  for (const body of junkBodies(endpoint)) note(faultsOf(endpoint, { body }));
  const queries = [...(endpoint.request?.query ? keysAt(endpoint.request.query, []) : []), 'limit', 'cursor'];
  for (const name of queries)
    for (const value of ['', 'x', '-1', '1.5', 'true', ['a', 'b']]) note(faultsOf(endpoint, { query: { [name]: value } }));
  const params = endpoint.request?.params ? keysAt(endpoint.request.params, []) : [];
  for (const name of params) for (const value of ['', ' ', '@', 'x'.repeat(500)]) note(faultsOf(endpoint, { params: { [name]: value } }));
  expect([...texts].filter((text) => RAW.test(text))).toEqual([]);
});
