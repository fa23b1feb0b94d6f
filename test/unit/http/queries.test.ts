import type { Endpoint } from '../../../api/http/endpoint';
import { readInput } from '../../../api/http/input';
import { extensions, rooms } from '../../../api/rooms';
import { AppError } from '../../../src/platform/core/errors';

const meta = { health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' } as const), document: () => ({}) };
const incoming = { headers: {}, rawHeaders: [] } as never;

function refusesUnknown(endpoint: Endpoint): boolean {
  try {
    readInput(endpoint, null, { incoming, params: {}, query: { utm_source: 'mail' }, body: undefined });
    return false;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.details.some(({ path }) => path === 'utm_source');
  }
}

test('no operation refuses a query parameter that it does not know', () => {
  const endpoints = [...rooms(meta), ...extensions(() => ({}) as never)];
  expect(endpoints.filter(refusesUnknown).map(({ operationId }) => operationId)).toEqual([]);
});
