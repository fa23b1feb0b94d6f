import type { Event } from '../../../../src/records/events/model';
import { newId } from '../../../../src/platform/core/ids';
import { acceptance, onTheWire, recordAccepted } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { queryPlans } from '../../../support/checks/query-plans';
import { rowsOf } from '../../../support/calls/lists';
import { stored } from '../../../support/data/stored';

const MINUTE_MS = 60_000;

const app = aProject();

interface Feed {
  readonly data: readonly { readonly eventId: string; readonly name: string }[];
  readonly next: string;
}
const feed = async (query: object = {}, key?: string): Promise<Feed> =>
  (await app.api(key).get('/v1/events/feed').query(query).expect(200)).body.data as Feed;

/** Reads on until nothing comes. Resolves to the ids, and to where it goes on. */
async function readOn(query: object): Promise<{ readonly ids: string[]; readonly next: string }> {
  const ids: string[] = [];
  for (let { data, next } = await feed(query); ; { data, next } = await feed({ ...query, from: undefined, after: next })) {
    ids.push(...data.map(({ eventId }) => eventId));
    if (data.length === 0) return { ids, next };
  }
}

/** Stores an event of the caller's that was received so many milliseconds ago. */
async function received(ago: number, change: Partial<Event> = {}): Promise<string> {
  const receivedAt = new Date(Date.now() - ago);
  const row = { _id: newId('evt'), projectId: app.keys.projectId, contactId: null, emailId: null, name: 'order.placed', data: null };
  await stored.events.collection.insertOne({ ...row, testMode: false, createdAt: receivedAt, receivedAt, depth: 0, ...change } as never);
  return change._id ?? row._id;
}

/** Begins where the events of earlier tests end. */
const fromNow = async (): Promise<string> => (await readOn({})).next;

describe('the feed', () => {
  test('has events in the order of their receipt, whenever they happened, and says where to go on', async () => {
    const after = await fromNow();
    const [late, early] = [await received(2 * MINUTE_MS, { createdAt: new Date(0) }), await received(3 * MINUTE_MS)];
    const first = await feed({ after, limit: 1 });
    expect(first.data).toEqual([expect.objectContaining({ eventId: early, name: 'order.placed', projectId: app.keys.projectId })]);
    const second = await feed({ after: first.next, limit: 1 });
    expect(second.data).toEqual([expect.objectContaining({ eventId: late, createdAt: '1970-01-01T00:00:00.000Z' })]);
    const third = await feed({ after: second.next });
    expect(third).toEqual({ data: [], next: second.next });
  });

  test('skips none of the same millisecond', async () => {
    const receivedAt = new Date(Date.now() - 2 * MINUTE_MS);
    const after = await fromNow();
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await received(0, { receivedAt }));
    expect((await readOn({ after, limit: 2 })).ids).toEqual(ids);
  });

  test('skips none that is stored after a later one: it waits for what may still come', async () => {
    const after = await fromNow();
    const later = await received(MINUTE_MS);
    const waiting = await feed({ after });
    expect(waiting).toEqual({ data: [], next: after });
    const earlier = await received(MINUTE_MS + 20_000);
    await stored.events.change(later, { receivedAt: new Date(Date.now() - 91_000) });
    await stored.events.change(earlier, { receivedAt: new Date(Date.now() - 95_000) });
    expect((await readOn({ after: waiting.next })).ids).toEqual([earlier, later]);
  });

  test('begins at an instant of receipt, or at the oldest event', async () => {
    const at = new Date(Date.now() - 400 * 24 * 60 * MINUTE_MS);
    const ids = [];
    for (const ms of [0, 1_000, 2_000]) ids.push(await received(0, { receivedAt: new Date(at.getTime() + ms) }));
    expect((await feed({ limit: 3 })).data.map(({ eventId }) => eventId)).toEqual(ids);
    const second = { from: new Date(at.getTime() + 1_000).toISOString(), limit: 2 };
    expect((await feed(second)).data.map(({ eventId }) => eventId)).toEqual(ids.slice(1));
    expect((await feed({ from: new Date(Date.now() + MINUTE_MS).toISOString() })).data).toEqual([]);
  });

  test('takes no cursor of another project, of another list, or of its own making, and no two beginnings', async () => {
    const { next } = await feed({}, app.otherKeys.secret);
    for (const after of [next, 'AAAA']) {
      const { body } = await app.api().get('/v1/events/feed').query({ after }).expect(422);
      expect(body.details).toEqual([expect.objectContaining({ path: 'after', code: 'invalid_cursor' })]);
    }
    const own = await feed();
    const { body } = await app.api().get('/v1/events/feed').query({ after: own.next, from: '2026-01-01T00:00:00Z' }).expect(422);
    expect(body.details).toEqual([expect.objectContaining({ path: 'from', code: 'invalid_combination' })]);
  });

  test('has nothing of another project', async () => {
    await received(2 * MINUTE_MS, { projectId: app.otherKeys.projectId });
    const { ids } = await readOn({});
    const rows = await stored.events.all({ projectId: app.otherKeys.projectId });
    expect(rows.filter(({ _id }) => ids.includes(_id))).toEqual([]);
  });
});

describe('what rows of messages hold', () => {
  const OF_OTHER = () => ({ projectId: app.otherKeys.projectId });
  const key = () => app.otherKeys.secret;

  beforeAll(async () => {
    for (const source of ['campaign', 'transactional'] as const) {
      const emails = await onTheWire(
        app.otherKeys.projectId,
        Array.from({ length: 6 }, () => ({ source, ...(source === 'transactional' && { holdsQueued: 'at_once' }) })),
      );
      const now = new Date();
      await recordAccepted(
        app.core,
        emails.map((email) => acceptance(email, now)),
      );
      const late = await onTheWire(app.otherKeys.projectId, [{ source, createdAt: new Date(Date.now() - 60 * MINUTE_MS) }, { source }]);
      await recordAccepted(
        app.core,
        late.map((email) => acceptance(email, new Date(Date.now() - 50 * MINUTE_MS))),
      );
    }
    // As if all of it had been recorded some minutes ago, some of it in the same millisecond.
    const ago = (minutes: number): Date => new Date(Date.now() - minutes * MINUTE_MS);
    await stored.emails.changeAll({ ...OF_OTHER(), recordedAt: { $exists: true } }, { recordedAt: ago(5) });
    await stored.emails.changeAll({ ...OF_OTHER(), recordedAt: { $exists: false } }, { createdAt: ago(7), sentAt: ago(4) });
    for (const minutes of [3, 4, 5, 6, 7]) await received(minutes * MINUTE_MS, OF_OTHER());
  });

  test.each([1, 2, 3, 7, 100])('is in it once, with pages of %d', async (limit) => {
    const ids: string[] = [];
    for (let page = await feed({ limit }, key()); page.data.length > 0; page = await feed({ limit, after: page.next }, key())) {
      ids.push(...page.data.map(({ eventId }) => eventId));
    }
    const listed = await rowsOf<{ eventId: string }>(app.api(key()), '/v1/events');
    expect(listed.length).toBeGreaterThan(40);
    expect([...ids].sort()).toEqual(listed.map(({ eventId }) => eventId).sort());
  });

  test('is read along indexes', async () => {
    const plans = await queryPlans(['events', 'emails'], () => feed({ limit: 5 }, key()));
    expect(plans.map(({ plan }) => plan.slice(0, 6))).toEqual(['IXSCAN', 'IXSCAN', 'IXSCAN', 'IXSCAN']);
  });
});
