import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { STORY } from '../../../api/openapi/story';
import type { Given } from '../../../api/openapi/story';
import { VERSION } from '../../../src/platform/config';
import { anExampleServer } from '../../support/calls/examples';

const RECORDED = path.join(__dirname, '../../../api/openapi/answers.json');
const HOW = 'Record them anew: RECORD_EXAMPLES=1 npx jest test/api/meta/examples && npm run docs';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly example?: unknown }[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>>;
}
interface Route extends Operation {
  readonly method: string;
  readonly path: string;
}

const server = anExampleServer();
let routes: ReadonlyMap<string, Route>;

beforeAll(async () => {
  const { body } = await server.app.api(null).get('/v1/openapi.json').expect(200);
  const found = Object.entries(body.paths as Record<string, Record<string, Operation>>).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Route] => [
      operation.operationId,
      { ...operation, method, path: template },
    ]),
  );
  routes = new Map(found);
});

const urlOf = (template: string, { path: params = {}, query = {} }: Given): string => {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
};

async function ask(operationId: string, given: Given, key: string): Promise<{ status: number; type: string; text: string }> {
  const route = routes.get(operationId) as Route;
  const body = given.file ?? (given.body === undefined ? undefined : JSON.stringify(given.body));
  const response = await fetch(server.url + urlOf(route.path, given), {
    method: route.method.toUpperCase(),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': given.file === undefined ? 'application/json' : 'text/csv' }),
    },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
}

/** As it is shown: with one instant, and without what is another each time. */
const tidy = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-23T09:30:00.000Z')
    .replaceAll(/p=[A-Za-z0-9+/=]{60,}(?:\\?" \\?"[A-Za-z0-9+/=]+)?/g, 'p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A')
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')
    .replaceAll(/\bsk_[0-9a-z]{52}\b/g, `sk_${'0'.repeat(52)}`);

const shownOf = (operationId: string, type: string, text: string): unknown => {
  if (operationId === 'getOpenApi') return { openapi: '3.1.0', info: { title: 'Lettermill API', version: VERSION }, paths: {} };
  return type.startsWith('application/json') ? JSON.parse(tidy(text)) : tidy(text);
};

/** The members and their types: what has to be the same in an answer and in its example. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}

test('there is an example of every operation, and none of what is no operation', () => {
  expect(STORY.map(([operationId]) => operationId).sort()).toEqual([...routes.keys()].sort());
});

test('every example works as it stands, and is answered as it says', async () => {
  const key = await server.begin();
  const answers: Record<string, unknown> = {};
  for (const [operationId, given] of STORY) {
    const { status, type, text } = await ask(operationId, given, key);
    const expected = Object.keys((routes.get(operationId) as Route).responses).filter((code) => code.startsWith('2'));
    expect([operationId, status, status < 300 ? '' : text]).toEqual([operationId, Number(expected.at(-1)), '']);
    answers[operationId] = shownOf(operationId, type, text);
  }
  if (process.env['RECORD_EXAMPLES'] === '1') writeFileSync(RECORDED, `${JSON.stringify(answers, null, 2)}\n`);
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as unknown;
  expect({ HOW, answers: shapeOf(answers) }).toEqual({ HOW, answers: shapeOf(recorded) });
});
