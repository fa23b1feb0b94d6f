import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { STORY } from '../../../api/openapi/story';
import { VERSION } from '../../../src/platform/config';
import { anExampleServer, askAs, routesOf } from '../../support/calls/examples';
import type { Route } from '../../support/calls/examples';

const RECORDED = path.join(__dirname, '../../../api/openapi/answers.json');
const HOW = 'Record them anew: RECORD_EXAMPLES=1 npx jest test/api/meta/examples && npm run docs';

const server = anExampleServer();
let routes: ReadonlyMap<string, Route>;

beforeAll(async () => {
  routes = await routesOf(server);
});

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

/** The members and their types: what has to be the same in an answer and in its example. Rows of a list count once for each shape: chance decides how many some have. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Map(value.map(shapeOf).map((shape) => [JSON.stringify(shape), shape])).values()];
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
    const { status, type, text } = await askAs(server, routes.get(operationId) as Route, given, key);
    const expected = Object.keys((routes.get(operationId) as Route).responses).filter((code) => code.startsWith('2'));
    expect([operationId, expected.includes(String(status)), status < 300 ? '' : text]).toEqual([operationId, true, '']);
    answers[operationId] = shownOf(operationId, type, text);
  }
  if (process.env['RECORD_EXAMPLES'] === '1') writeFileSync(RECORDED, `${JSON.stringify(answers, null, 2)}\n`);
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as unknown;
  expect({ HOW, answers: shapeOf(answers) }).toEqual({ HOW, answers: shapeOf(recorded) });
});
