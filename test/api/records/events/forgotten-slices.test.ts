import { fanOutActivities } from '../../../../activities/fan-out';
import type { Outcome } from '../../../../src/records/emails/attempts';
import { storeForgottenSlices } from '../../../../src/records/events/forgotten-slices';
import { newId } from '../../../../src/platform/core/ids';
import { databaseNow } from '../../../../src/platform/mongo/clock';
import { acceptance, eventsOfAccepted, newerFirst, onTheWire, recordAccepted } from '../../../support/data/accepted-mail';
import type { ListedEvent } from '../../../support/data/accepted-mail';
import { newProject } from '../../../support/data/projects';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject();
const MINUTE_MS = 60_000;
const AT = new Date(Math.floor(Date.now() / 1000) * 1000 - MINUTE_MS);

let projectId: string;
let key: string;
let now: number;

beforeEach(async () => {
  ({ projectId, secret: key } = await newProject('Fresh'));
  now = (await databaseNow()).getTime();
  await sweptLately();
});
afterEach(() => jest.restoreAllMocks());

/** The first look of all goes back a day, in many steps. */
async function sweptLately(): Promise<void> {
  const upTo = [5, 65].map((minutes) => new Date(now - minutes * MINUTE_MS)) as [Date, Date];
  await stored.tallyMarks.remove();
  await stored.tallyMarks.make([
    { _id: 'slices', upTo: upTo[0] },
    { _id: 'slices-again', upTo: upTo[1] },
  ]);
}

const countOf = async (name: string): Promise<number> =>
  (await app.api(key).get(`/v1/events/${name}/usage`).expect(200)).body.data.count as number;
const listed = async (): Promise<ListedEvent[]> => (await app.api(key).get('/v1/events?limit=100').expect(200)).body.data as ListedEvent[];
const wanted = (finished: readonly Outcome[]): ListedEvent[] =>
  finished.flatMap(({ email }) => eventsOfAccepted(email, AT)).sort(newerFirst);
const sweepAfter = (ms: number): Promise<number> => storeForgottenSlices(new Date(now + ms));

/** Messages of a worker that was lost when it had written their rows, and not their slice; it had made that at `madeAt`, by its clock. */
async function leftBehind(madeAt: number, count = 8): Promise<readonly Outcome[]> {
  const emails = await onTheWire(
    projectId,
    Array.from({ length: count }, () => ({ contactId: null, createdAt: AT })),
  );
  const finished = emails.map((email) => acceptance(email, AT));
  await recordAccepted(app.core, finished);
  await stored.eventGroups.remove({ projectId });
  await stored.emails.collection.updateMany({ projectId }, { $set: { slice: newId('evg', madeAt) } });
  return finished;
}

test('a slice that its worker did not live to store is stored by the sweep, counted anew', async () => {
  const finished = await leftBehind(now - MINUTE_MS);
  expect([await countOf('email.sent'), await listed()]).toEqual([0, []]);
  await fanOutActivities(app.core, null).sweepEventCounts();
  expect([await countOf('email.sent'), await listed()]).toEqual([8, wanted(finished)]);
  expect(await sweepAfter(2 * MINUTE_MS)).toBe(0);
});

test('it is dated by the last of its messages', async () => {
  await leftBehind(now - MINUTE_MS, 2);
  const [first, second] = await stored.emails.all({ projectId }, { _id: 1 });
  const [sentAt, createdAt] = [5, 7].map((ms) => new Date(AT.getTime() + ms)) as [Date, Date];
  await stored.emails.change(first?._id ?? '', { sentAt });
  const dated = async (): Promise<unknown> => (await stored.eventGroups.all({ projectId })).map((row) => row.createdAt);
  await sweepAfter(0);
  expect(await dated()).toEqual([sentAt]);
  await stored.emails.collection.updateOne({ _id: second?._id as never }, { $set: { createdAt } });
  await Promise.all([stored.eventGroups.remove({ projectId }), sweptLately()]);
  await sweepAfter(0);
  expect(await dated()).toEqual([createdAt]);
});

test.each([10, 59])(
  'a slice is found that was made by a clock %i minutes behind, within an hour of its making, and once',
  async (behind) => {
    await sweepAfter(0);
    const finished = await leftBehind(now - behind * MINUTE_MS);
    for (let after = 1; after <= 60 - behind; after += 7) expect(await sweepAfter(after * MINUTE_MS)).toBe(0);
    expect(await sweepAfter((62 - behind) * MINUTE_MS)).toBe(1);
    expect([await countOf('email.sent'), await listed()]).toEqual([8, wanted(finished)]);
    expect(await sweepAfter(64 * MINUTE_MS)).toBe(0);
  },
);

test('a slice is found that was made by a clock an hour ahead', async () => {
  await sweepAfter(0);
  await leftBehind(now + 60 * MINUTE_MS);
  expect(await sweepAfter(62 * MINUTE_MS)).toBe(1);
});

test('after a long pause slices are looked at in steps and in pages', async () => {
  await stored.tallyMarks.remove();
  const count = 1_200;
  await leftBehind(now, count);
  const rows = await stored.emails.all({ projectId });
  const madeAt = (n: number): number => now - (5 * 60 - (n % 2)) * MINUTE_MS + n;
  await stored.emails.collection.bulkWrite(
    rows.map(({ _id }, n) => ({ updateOne: { filter: { _id: _id }, update: { $set: { slice: newId('evg', madeAt(n)) } } } })),
  );
  const [marks, looks] = [jest.spyOn(stored.tallyMarks.collection, 'updateOne'), jest.spyOn(stored.eventGroups.collection, 'find')];
  expect(await sweepAfter(0)).toBe(count);
  const pages = looks.mock.calls.map(([filter]) => (filter as unknown as { _id: { $in: string[] } })._id.$in.length);
  expect(Math.max(...pages)).toBeLessThan(count / 2);
  expect(marks.mock.calls.length).toBeGreaterThan(2 * 20 * 6);
  expect(await countOf('email.sent')).toBe(count);
  expect(await sweepAfter(MINUTE_MS)).toBe(0);
});

describe('where one fails', () => {
  test.each(['slices', 'counts'] as const)(
    'of the two that the sweep does, %s, the other is done, and the failure is known',
    async (failing) => {
      await leftBehind(now - MINUTE_MS);
      const before = await stored.tallyMarks.all();
      const { collection } = failing === 'slices' ? stored.emails : stored.eventGroups;
      jest.spyOn(collection, 'aggregate').mockImplementation(() => {
        throw new Error('connection closed');
      });
      await expect(fanOutActivities(app.core, null).sweepEventCounts()).rejects.toThrow('connection closed');
      jest.restoreAllMocks();
      const moved = (await stored.tallyMarks.all()).filter(
        ({ _id, upTo }) => upTo.getTime() !== before.find((mark) => mark._id === _id)?.upTo.getTime(),
      );
      expect(moved.map(({ _id }) => _id).sort()).toEqual(failing === 'slices' ? ['all'] : ['slices', 'slices-again']);
    },
  );
});
