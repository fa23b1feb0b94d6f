import { EventModel } from '../../src/events/model';
import type { Event } from '../../src/events/model';
import { newId } from '../../src/ids';
import { insertRows } from '../../src/mongo/insert-rows';
import { inTransaction } from '../../src/mongo/transaction';
import { startTestApp } from '../support/app';
import type { TestApp } from '../support/app';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** More than one command takes: so many large ones, or so many of any size. */
const LARGE = 600;
const MANY = 5_000;

const rowsOf = (name: string, length: number, characters: number): Event[] =>
  Array.from({ length }, () => ({
    _id: newId('evt'),
    projectId: app.keys.projectId,
    contactId: null,
    emailId: null,
    name,
    data: { text: 'x'.repeat(characters) },
    testMode: false,
    createdAt: new Date(),
    receivedAt: new Date(),
    depth: 0,
  }));

const stored = (name: string): Promise<number> => EventModel.countDocuments({ projectId: app.keys.projectId, name });

test('more rows than one command takes are stored all the same; of those that were there the positions are told', async () => {
  const rows = rowsOf('many.once', MANY, 10);
  expect(await insertRows(EventModel, [rows[3] as Event, rows[MANY - 1] as Event])).toEqual([]);
  expect(await insertRows(EventModel, rows)).toEqual([3, MANY - 1]);
  expect(await stored('many.once')).toBe(MANY);
});

test('in a transaction large rows are stored together or not at all', async () => {
  const rows = rowsOf('large.together', LARGE, 32_000);
  const failing = inTransaction(async (session) => {
    await insertRows(EventModel, rows, session);
    throw new Error('Not today');
  });
  await expect(failing).rejects.toThrow('Not today');
  expect(await stored('large.together')).toBe(0);
  await inTransaction((session) => insertRows(EventModel, rows, session));
  expect(await stored('large.together')).toBe(LARGE);
});

test('no rows are no command', async () => {
  expect(await insertRows(EventModel, [])).toEqual([]);
});
