import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { ensureSearchAttributes } from '../../src/temporal/search-attributes';
import { createNamespace, testTemporalAddress } from '../support/servers';

const namespace = `queries_${process.pid}_${Date.now()}`;
const page = readFileSync(path.resolve(__dirname, '../../docs/operating.md'), 'utf8');
const [, table = ''] = /^\| to see[^\n]+\n[^\n]+\n((?:\|.+\n)+)/m.exec(page) ?? [];
const queries = [...table.matchAll(/^\|.+\| `(.+)`\s+\|$/gm)].map(([, query = '']) => query);

let connection: Connection;
let client: Client;

beforeAll(async () => {
  await createNamespace(namespace);
  connection = await Connection.connect({ address: testTemporalAddress() });
  client = new Client({ connection, namespace });
  await ensureSearchAttributes(client, namespace);
});
afterAll(() => connection.close());

test('the page for operators has queries', () => expect(queries.length).toBeGreaterThan(5));

test.each(queries)('Temporal understands %s', async (query) => {
  expect((await client.workflow.count(query)).count).toBe(0);
});
