import { EventModel } from '../../../../src/records/events/model';
import type { Event } from '../../../../src/records/events/model';
import { newId } from '../../../../src/platform/core/ids';
import { insertRows } from '../../../../src/platform/mongo/insert-rows';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject();

/** Together more than one command takes. */
const LARGE = 600;

const rowsOf = (name: string): Event[] =>
  Array.from({ length: LARGE }, () => ({
    _id: newId('evt'),
    projectId: app.keys.projectId,
    contactId: null,
    emailId: null,
    name,
    data: { text: 'x'.repeat(32_000) },
    testMode: false,
    createdAt: new Date(),
    receivedAt: new Date(),
    depth: 0,
  }));

const named = (name: string): Promise<number> => stored.events.count({ projectId: app.keys.projectId, name });

test('rows that are too large for one command are stored all the same; the positions of rows that were there are returned', async () => {
  const rows = rowsOf('large.once');
  expect(await insertRows(EventModel, [rows[3] as Event, rows[LARGE - 1] as Event])).toEqual([]);
  expect(await insertRows(EventModel, rows)).toEqual([3, LARGE - 1]);
  expect(await named('large.once')).toBe(LARGE);
});

test('large rows are stored together or not at all in a transaction', async () => {
  const rows = rowsOf('large.together');
  const failing = inTransaction(async (session) => {
    await insertRows(EventModel, rows, session);
    throw new Error('Not today');
  });
  await expect(failing).rejects.toThrow('Not today');
  expect(await named('large.together')).toBe(0);
  await inTransaction((session) => insertRows(EventModel, rows, session));
  expect(await named('large.together')).toBe(LARGE);
});

test('no rows are no command', async () => {
  expect(await insertRows(EventModel, [])).toEqual([]);
});
