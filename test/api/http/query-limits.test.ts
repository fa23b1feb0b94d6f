import mongoose from 'mongoose';
import { z } from 'zod';
import { endpoint, group, listEndpoint } from '../../../api/http/endpoint';
import { ContactModel } from '../../../src/audience/contacts/model';
import { boundOthers } from '../../../src/platform/mongo/connect';
import { findBytes } from '../../../src/platform/mongo/read-rows';
import { inTransaction } from '../../../src/platform/mongo/transaction';
import { servedBeside, aProject } from '../../support/platform/app';
import { eventually } from '../../support/platform/platform';
import { stored } from '../../support/data/stored';
import { insertPeople } from '../../support/data/people';

const ROWS = 2_000;
const idAt = (n: number): string => `ctc_${String(n).padStart(6, '0')}`;
/** Takes some ten milliseconds a row, in which nothing is computed, and finds none. It names projects, as a query of the product does. */
const SLOW = {
  projectId: { $in: [/^/] },
  $expr: { $function: { body: 'function () { sleep(10); return false; }', args: [], lang: 'js' } },
};
/** Long enough to see a query that runs. */
const ANSWER_MS = 1_500;
/** Without a limit, a query takes twice as long. */
const ENDED_MS = 10_000;

/** Every way in which a query is made, here one that takes long. */
const QUERIES: Readonly<Record<string, () => Promise<unknown>>> = {
  'a find of mongoose': () => stored.contacts.all(SLOW),
  'a find of the driver': () => stored.contacts.collection.find(SLOW).toArray(),
  'a look for one': () => stored.contacts.one(SLOW),
  'an aggregation': () => stored.contacts.collection.aggregate([{ $match: SLOW }]).toArray(),
  'a count': () => stored.contacts.count(SLOW),
  'distinct values': () => stored.contacts.distinct('email', SLOW),
  'a find in a transaction': () => inTransaction((session) => ContactModel.find(SLOW, null, { session }).lean()),
};

let work: () => Promise<unknown>;
/** What the handler of the last request came to. */
let outcome: Promise<unknown>;
const handle = async () => {
  const working = Promise.resolve(work());
  outcome = working.catch((error: unknown) => error);
  await working;
  return { done: true };
};

/** Rows of which more than what an answer begins with are there at once; the next ones take long. */
async function* longList() {
  for (let n = 0; n < 3; n++) yield { row: { done: true, text: 'x'.repeat(1_048_576) }, position: { at: new Date(), id: String(n) } };
  outcome = work().catch((error: unknown) => error);
  await outcome;
}

const common = { summary: 'For tests', response: z.object({ done: z.boolean() }) };
const endpoints = group('Tests', [
  endpoint('GET /v1/short', { ...common, operationId: 'readShortly', limits: { answerMs: ANSWER_MS }, handle }),
  endpoint('GET /v1/long', { ...common, operationId: 'readLong', handle }),
  listEndpoint('GET /v1/list', {
    ...common,
    operationId: 'readList',
    response: z.object({ done: z.boolean(), text: z.string() }),
    list: 'whole',
    handle: longList,
  }),
  endpoint('POST /v1/by-keys', { ...common, operationId: 'findByKeys', limits: { hot: true }, handle }),
  endpoint('POST /v1/written', { ...common, operationId: 'write', limits: { answerMs: ANSWER_MS }, handle }),
]);

const app = aProject();
const served = servedBeside(app, endpoints);
const api = (key?: string | null) => served.api(key);

beforeAll(async () => {
  await insertPeople(app.keys.projectId, ROWS, (n) => ({ _id: idAt(n) }));
});

/** How many operations on contacts mongod has under way. */
async function running(): Promise<number> {
  const { db } = mongoose.connection;
  const { inprog } = (await db?.admin().command({ currentOp: 1, ns: `${db.databaseName}.contacts`, active: true })) as {
    inprog: unknown[];
  };
  return inprog.length;
}
const untilRunning = () => eventually('the query runs', async () => (await running()) > 0);
const untilEnded = () => eventually('the query is ended', async () => (await running()) === 0, ENDED_MS);

describe.each(Object.entries(QUERIES))('%s', (_name, query) => {
  test('ends in the database with the time of its request', async () => {
    work = query;
    const asked = api()
      .get('/v1/short')
      .then((answer) => answer);
    await untilRunning();
    const { status, body, headers } = await asked;
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(headers).toHaveProperty('retry-after');
    await untilEnded();
  });
});

test.each(['a find of the driver', 'an aggregation', 'distinct values'])(
  '%s of a request that has no scope ends with the limit of the process',
  async (name) => {
    work = QUERIES[name] as () => Promise<unknown>;
    boundOthers(ANSWER_MS);
    const asked = api()
      .post('/v1/by-keys')
      .then((answer) => answer);
    await untilRunning();
    const { status, body } = await asked;
    boundOthers(null);
    expect([status, body.code]).toEqual([503, 'unavailable']);
    await untilEnded();
  },
);

test('rows that are read as bytes are bounded as others are', async () => {
  boundOthers(ANSWER_MS);
  const reading = findBytes(ContactModel, { filter: SLOW, limit: 1 });
  await expect(reading).rejects.toMatchObject({ codeName: 'MaxTimeMSExpired' });
  boundOthers(null);
});

test('a query ends when its client goes away', async () => {
  work = () => stored.contacts.all(SLOW);
  const leaving = new AbortController();
  const asked = fetch(`${served.url}/v1/long`, { headers: { authorization: `Bearer ${app.keys.secret}` }, signal: leaving.signal });
  await untilRunning();
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await untilEnded();
  expect(await outcome).toMatchObject({ code: 'unavailable' });
});

test('a query of the rest of a long list ends when its client goes away', async () => {
  work = () => stored.contacts.all(SLOW);
  const leaving = new AbortController();
  const asked = await fetch(`${served.url}/v1/list`, { headers: { authorization: `Bearer ${app.keys.secret}` }, signal: leaving.signal });
  expect(asked.status).toBe(200);
  void asked.text().catch(() => undefined);
  await untilRunning();
  leaving.abort();
  await untilEnded();
  expect(await outcome).toMatchObject({ code: 'unavailable' });
});

test('a request that writes goes on without its client', async () => {
  work = () => ContactModel.find(SLOW, {}, { hint: { _id: 1 }, min: { _id: idAt(0) }, max: { _id: idAt(120) } }).lean();
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${app.keys.secret}` };
  const asked = fetch(`${served.url}/v1/written`, { method: 'POST', headers, signal: leaving.signal });
  await untilRunning();
  leaving.abort();
  await expect(asked).rejects.toThrow();
  expect(await outcome).toEqual([]);
});

test('what a request leaves behind is not bounded by it', async () => {
  let left: Promise<unknown> = Promise.resolve();
  work = () => {
    left = new Promise((resolve) => setTimeout(resolve, ANSWER_MS + 100)).then(() => stored.contacts.count());
    return Promise.resolve();
  };
  await api().get('/v1/short').expect(200);
  expect(await left).toBe(ROWS);
});
