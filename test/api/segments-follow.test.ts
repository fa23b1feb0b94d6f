import fc from 'fast-check';
import type { ClientSession } from 'mongoose';
import { EmailModel } from '../../src/emails/model';
import { emit, emitOnce } from '../../src/events/emit';
import { listeningOf } from '../../src/events/listeners';
import { EventModel } from '../../src/events/model';
import { inTransaction } from '../../src/mongo/transaction';
import { optOut } from '../../src/contacts/service';
import { foldCounts } from '../../src/segments/counts';
import { complete } from '../../src/segments/fill';
import { followSegments } from '../../src/segments/follow';
import { settle } from '../../src/segments/settle';
import { planned } from '../../src/segments/plan';
import { SegmentModel } from '../../src/segments/model';
import { sweepSegments } from '../../src/segments/sweep';
import { addMembers, removeMembers } from '../../src/segments/static';
import { startTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { storeEmails } from '../support/email-rows';
import { startFanOutLoop } from '../support/fan-out-loop';
import type { FanOutLoop } from '../support/fan-out-loop';
import { eventually } from '../support/platform';
import { all, memberOf, notMemberOf, plan, segmentCalls } from '../support/segment-calls';

let app: TestApp;
let loop: FanOutLoop;
let projectId: string;

beforeAll(async () => {
  app = await startTestApp();
  projectId = app.keys.projectId;
  loop = startFanOutLoop(app.core, [followSegments]);
});
afterAll(async () => {
  await loop.stop();
  await app.close();
});

const { api, contact, dynamic, fixed, freshAddress, get, members, patch, told } = segmentCalls(() => app);

let next = 0;
const fresh = (): string => `value-${next++}`;
const isMember = async (segmentId: string, contactId: string): Promise<boolean> => (await members(segmentId)).includes(contactId);
const follows = (segmentId: string, contactId: string, expected: boolean): Promise<unknown> =>
  eventually(`${contactId} is ${expected ? 'in' : 'out'}`, async () => (await isMember(segmentId, contactId)) === expected, 5_000);
const toldOf = async (...segmentIds: string[]) =>
  (await told({ 'data.segmentId': { $in: segmentIds } })).map(([name, contactId]) => [name, contactId]);
const tell = (contactId: string, name: string, more: object = {}): Promise<unknown> =>
  inTransaction((session) => emit(session, [{ projectId, name, contactId, testMode: false, at: new Date(), ...more }]));
/** Compares all segments with all contacts, as the schedule does. */
const sweep = (aheadMs = 0): Promise<number> =>
  sweepSegments(app.core, { clock: () => new Date(Date.now() + aheadMs), signal: new AbortController().signal, beat: () => undefined });

describe('a contact', () => {
  test('enters and leaves by what changes, and each change is told once, with the name', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value)), 'On the plan');
    const email = freshAddress();
    const id = await contact(email, { data: { plan: value } });
    await follows(segmentId, id, true);
    await contact(email, { firstName: 'Ada' });
    await contact(email, { data: { plan: 'none' } });
    await follows(segmentId, id, false);
    await contact(email, { data: { plan: value } });
    await follows(segmentId, id, true);
    await loop.quiet();
    expect(await toldOf(segmentId)).toEqual([
      ['segment.entered', id],
      ['segment.exited', id],
      ['segment.entered', id],
    ]);
    const [event] = await EventModel.find({ 'data.segmentId': segmentId }).lean();
    expect(event).toMatchObject({ data: { segmentId, name: 'On the plan' }, projectId, testMode: false });
    await foldCounts();
    expect((await get(segmentId)).memberCount).toBe(1);
  });

  test('is followed when it opts out, by a link or in bulk', async () => {
    const { segmentId } = await dynamic(all({ field: 'subscribed', operator: 'equals', value: false }));
    const [a, b] = [await contact(freshAddress()), await contact(freshAddress())];
    await inTransaction((session) => optOut(session, a, false, new Date()));
    await api()
      .post('/v1/contacts/bulk')
      .send({ action: 'unsubscribe', contactIds: [b] })
      .expect(200);
    await Promise.all([follows(segmentId, a, true), follows(segmentId, b, true)]);
    await api()
      .post('/v1/contacts/bulk')
      .send({ action: 'subscribe', contactIds: [b] })
      .expect(200);
    await follows(segmentId, b, false);
  });

  test('who is new belongs at once where nothing may have happened', async () => {
    const name = fresh();
    const { segmentId } = await dynamic(all({ field: `event.${name}`, operator: 'notTriggered' }));
    const id = await contact(freshAddress());
    await follows(segmentId, id, true);
    await tell(id, name);
    await follows(segmentId, id, false);
  });

  test('takes along whether a test key, or an import that starts nothing, was the cause', async () => {
    const name = fresh();
    const { segmentId } = await dynamic(all({ field: `event.${name}`, operator: 'triggered' }, plan(name)));
    const id = await contact(freshAddress());
    await tell(id, name, { depth: 3 });
    const email = freshAddress();
    await app
      .api(app.keys.test)
      .post('/v1/contacts')
      .send({ email, data: { plan: name } });
    const tested = await contact(email);
    await tell(tested, name, { depth: 4, enrols: false });
    await follows(segmentId, tested, true);
    expect(await EventModel.findOne({ contactId: tested, 'data.segmentId': segmentId }).lean()).toMatchObject({ depth: 4, enrols: false });
    const value = fresh();
    const other = await dynamic(all(plan(value)));
    await app
      .api(app.keys.test)
      .post('/v1/contacts')
      .send({ email, data: { plan: value } })
      .expect(200);
    await follows(other.segmentId, tested, true);
    expect(await EventModel.findOne({ contactId: tested, 'data.segmentId': other.segmentId }).lean()).toMatchObject({
      testMode: true,
      data: { testMode: true },
    });
  });

  test('test mode and what belongs to others counts for nothing', async () => {
    const name = fresh();
    const { segmentId } = await dynamic(all({ field: `event.${name}`, operator: 'triggered' }));
    const id = await contact(freshAddress());
    await tell(id, name, { testMode: true });
    await inTransaction((session) =>
      emit(session, [{ projectId: app.otherKeys.projectId, name, contactId: id, testMode: false, at: new Date() }]),
    );
    await loop.quiet();
    expect(await members(segmentId)).toEqual([]);
  });

  test('is counted by how often something happened', async () => {
    const name = fresh();
    const { segmentId } = await dynamic(all({ field: `event.${name}`, operator: 'countAtLeast', value: 3 }));
    const id = await contact(freshAddress());
    await tell(id, name);
    await tell(id, name);
    await loop.quiet();
    expect(await members(segmentId)).toEqual([]);
    await tell(id, name);
    await follows(segmentId, id, true);
  });
});

describe('what becomes of e-mails', () => {
  test('counts when the ledger holds it, which is after it is told', async () => {
    const { segmentId } = await dynamic(all({ field: 'email.delivered', operator: 'triggered' }));
    const id = await contact(freshAddress());
    const [email] = await storeEmails(projectId, { contactId: id });
    const emailId = email?._id ?? '';
    await emitOnce([{ id: `evt_${fresh()}`, projectId, name: 'email.delivered', contactId: id, emailId, testMode: false, at: new Date() }]);
    await EmailModel.updateOne({ _id: emailId }, { $set: { deliveredAt: new Date() } });
    await follows(segmentId, id, true);
    expect(await toldOf(segmentId)).toEqual([['segment.entered', id]]);
  });
});

describe('segments that ask about segments', () => {
  test('change with them, in one step, and are never seen in between', async () => {
    const value = fresh();
    const vip = await dynamic(all(plan(value)));
    const others = await dynamic(all(notMemberOf(vip.segmentId), { field: 'firstName', operator: 'equals', value }));
    const nested = await dynamic(all(memberOf(vip.segmentId)));
    const id = await contact(freshAddress(), { firstName: value, data: { plan: value } });
    await follows(nested.segmentId, id, true);
    await loop.quiet();
    expect(await toldOf(vip.segmentId, others.segmentId, nested.segmentId)).toEqual([
      ['segment.entered', id],
      ['segment.entered', id],
    ]);
    expect(await members(others.segmentId)).toEqual([]);
    const { body } = await api().get(`/v1/contacts/${id}`);
    await contact(body.data.email as string, { data: { plan: null } });
    await follows(others.segmentId, id, true);
    expect([await members(vip.segmentId), await members(nested.segmentId)]).toEqual([[], []]);
  });

  test('follow a static one', async () => {
    const list = await fixed();
    const { segmentId } = await dynamic(all(memberOf(list.segmentId)));
    const email = freshAddress();
    const id = await contact(email);
    await api()
      .post(`/v1/segments/${list.segmentId}/members`)
      .send({ emails: [email] })
      .expect(200);
    await follows(segmentId, id, true);
    await api().delete(`/v1/segments/${list.segmentId}/members/${id}`).expect(200);
    await follows(segmentId, id, false);
    expect(await toldOf(segmentId)).toEqual([
      ['segment.entered', id],
      ['segment.exited', id],
    ]);
  });
});

describe('many at once', () => {
  test('200 changes of 20 contacts: members are those who match, and what is told alternates', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value)));
    const emails = Array.from({ length: 20 }, freshAddress);
    await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        contact(emails[n % 20] ?? '', { data: { plan: (n * 7 + Math.floor(n / 20)) % 2 ? value : 'none', n } }),
      ),
    );
    const second = startFanOutLoop(app.core, [followSegments]);
    await Promise.all([sweep(90_000), sweep(90_000), loop.quiet()]);
    await second.stop();
    await loop.quiet();
    const { body } = await api()
      .post('/v1/segments/preview')
      .send({ conditions: all(plan(value)) });
    const inside = await members(segmentId);
    expect(inside).toHaveLength(body.data.count as number);
    const byContact = new Map<string, string[]>();
    for (const [name, contactId] of await told({ 'data.segmentId': segmentId })) {
      byContact.set(contactId ?? '', [...(byContact.get(contactId ?? '') ?? []), name]);
    }
    for (const [contactId, names] of byContact) {
      expect(names).toEqual(names.map((_, index) => (index % 2 === 0 ? 'segment.entered' : 'segment.exited')));
      expect(names.at(-1)).toBe(inside.includes(contactId) ? 'segment.entered' : 'segment.exited');
    }
    await foldCounts();
    expect((await get(segmentId)).memberCount).toBe(inside.length);
  });

  test('an event that is handed on many times is one change', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all({ field: `event.${value}`, operator: 'triggered' }));
    const id = await contact(freshAddress());
    await loop.quiet();
    await tell(id, value);
    const event = await EventModel.findOne({ name: value }).lean();
    const { version } = await listeningOf(projectId);
    await Promise.all(Array.from({ length: 10 }, () => followSegments.handle(app.core, event as never, version)));
    expect(await toldOf(segmentId)).toEqual([['segment.entered', id]]);
  });

  test('a look that is out of date never comes after one that is not', async () => {
    const value = fresh();
    const segment = await dynamic(all(plan(value)));
    const { segmentId } = segment;
    const email = freshAddress();
    const id = await contact(email, { data: { plan: value } });
    await follows(segmentId, id, true);
    await loop.quiet();
    const order = [planned({ _id: segmentId, revision: 1, conditions: segment.conditions as Record<string, unknown> })];
    const judge = async (session: ClientSession): Promise<number> =>
      settle(session, projectId, [id], order, { testMode: false, at: new Date() });
    await contact(email, { data: { plan: 'none' } });
    await loop.quiet();
    expect(await members(segmentId)).toEqual([]);
    await contact(email, { data: { plan: value } });
    let tries = 0;
    await inTransaction(async (session) => {
      await judge(session);
      if (tries++ > 0) return;
      await contact(email, { data: { plan: 'none' } });
      // A second judgement of the same contact cannot end before this one, which has not seen the change.
      const second = inTransaction(judge, 0).then(
        () => 'ended',
        () => 'refused',
      );
      expect(await second).toBe('refused');
    });
    await loop.quiet();
    expect(await members(segmentId)).toEqual([]);
  });

  test('what changes while members are computed is not lost', async () => {
    const [one, two] = [fresh(), fresh()];
    const emails = Array.from({ length: 30 }, freshAddress);
    const ids = await Promise.all(emails.map((email, n) => contact(email, { data: { plan: n % 2 ? one : two } })));
    const { segmentId } = await dynamic(all(plan(one)));
    await Promise.all([
      patch(segmentId, { conditions: all(plan(two)) }),
      ...emails.map((email, n) => contact(email, { data: { plan: n % 3 ? one : two } })),
      patch(segmentId, { conditions: { logic: 'or', groups: [{ filters: [plan(two)] }, { filters: [plan('nobody')] }] } }),
    ]);
    await loop.quiet();
    await patch(segmentId, { conditions: all(plan(two)) });
    const expected = ids.filter((_, n) => n % 3 === 0).sort();
    await eventually(
      'members are those who match',
      async () => JSON.stringify(await members(segmentId)) === JSON.stringify(expected),
      5_000,
    );
    expect((await get(segmentId)).memberCount).toBe(expected.length);
  });

  test('a deleted contact is in nothing, however the deletion and its changes fall', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value)));
    for (let round = 0; round < 10; round++) {
      const id = await contact(freshAddress(), { data: { plan: value } });
      await api().delete(`/v1/contacts/${id}`).expect(200);
    }
    await loop.quiet();
    expect(await members(segmentId)).toEqual([]);
    await foldCounts();
    expect((await get(segmentId)).memberCount).toBe(0);
  });
});

describe('time', () => {
  test('lets contacts enter and leave, once, with those that ask about them, and is looked at every minute', async () => {
    const name = fresh();
    const recent = await dynamic(all({ field: `event.${name}`, operator: 'triggeredWithin', value: 10, unit: 'minutes' }));
    const lapsed = await dynamic(all({ field: `event.${name}`, operator: 'triggered' }, notMemberOf(recent.segmentId)));
    const id = await contact(freshAddress());
    await tell(id, name);
    await follows(recent.segmentId, id, true);
    await loop.quiet();
    expect(await sweep(9 * 60_000)).toBe(0);
    await Promise.all([sweep(11 * 60_000), sweep(11 * 60_000)]);
    expect([await members(recent.segmentId), await members(lapsed.segmentId)]).toEqual([[], [id]]);
    await sweep(13 * 60_000);
    expect(await toldOf(recent.segmentId, lapsed.segmentId)).toEqual([
      ['segment.entered', id],
      ['segment.exited', id],
      ['segment.entered', id],
    ]);
    const { sweepAt } = (await SegmentModel.findById(recent.segmentId).lean()) ?? {};
    expect(sweepAt?.getTime()).toBeLessThan(Date.now() + 15 * 60_000);
  });

  test('a contact becomes old enough', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value), { field: 'createdAt', operator: 'olderThan', value: 20, unit: 'minutes' }));
    const id = await contact(freshAddress(), { data: { plan: value } });
    await loop.quiet();
    expect(await members(segmentId)).toEqual([]);
    await sweep(21 * 60_000);
    expect(await members(segmentId)).toEqual([id]);
    expect(await toldOf(segmentId)).toEqual([['segment.entered', id]]);
  });
});

describe('refresh and recovery', () => {
  test('a refresh finds what was missed, tells of it, and counts', async () => {
    const value = fresh();
    const id = await contact(freshAddress(), { data: { plan: value } });
    const { segmentId } = await dynamic(all(plan(value)));
    const missed = { _id: `${segmentId}:ctc_gone`, projectId, segmentId, contactId: 'ctc_gone', enteredAt: new Date() };
    await SegmentModel.db.collection('segment_members').insertOne(missed as never);
    await SegmentModel.db.collection('segment_members').deleteOne({ _id: `${segmentId}:${id}` as never });
    await SegmentModel.updateOne({ _id: segmentId }, { $set: { memberCount: 77 } });
    const { body } = await api().post(`/v1/segments/${segmentId}/refresh`).expect(200);
    expect(body.data).toMatchObject({ segmentId, memberCount: 1 });
    expect(await members(segmentId)).toEqual([id]);
    expect(await toldOf(segmentId)).toEqual([['segment.entered', id]]);
    const list = await fixed();
    await SegmentModel.updateOne({ _id: list.segmentId }, { $set: { memberCount: 5 } });
    expect((await api().post(`/v1/segments/${list.segmentId}/refresh`).expect(200)).body.data).toMatchObject({ memberCount: 0 });
  });

  test('a computation whose process died is finished by the sweep, silently', async () => {
    const value = fresh();
    const id = await contact(freshAddress(), { data: { plan: value } });
    const { segmentId } = await dynamic(all(plan('nobody')));
    const dead = { conditions: all(plan(value)), computing: true, filledAt: new Date(Date.now() - 60_000), sweepAt: new Date() };
    await SegmentModel.updateOne({ _id: segmentId }, { $set: dead, $inc: { revision: 1 } });
    await sweep();
    expect(await members(segmentId)).toEqual([id]);
    expect(await SegmentModel.findById(segmentId).lean()).toMatchObject({ computing: false, memberCount: 1 });
    expect(await toldOf(segmentId)).toEqual([]);
    expect(await complete(projectId, 'seg_gone')).toBeNull();
  });

  test('the minute after an edit compares everybody once more', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value)));
    const email = freshAddress();
    const id = await contact(email, { data: { plan: value } });
    await follows(segmentId, id, true);
    await SegmentModel.db.collection('segment_members').deleteOne({ _id: `${segmentId}:${id}` as never });
    await sweep(61_000);
    expect(await members(segmentId)).toEqual([id]);
  });

  test('members of a segment that is gone stay out', async () => {
    const { segmentId } = await fixed();
    const id = await contact(freshAddress());
    await api().delete(`/v1/segments/${segmentId}`).expect(200);
    const cause = { testMode: false, at: new Date() };
    expect(await inTransaction((session) => addMembers(session, { projectId, segmentId }, [id], cause))).toBe(0);
    expect(await inTransaction((session) => removeMembers(session, { projectId, segmentId }, [id], cause))).toBe(0);
    expect(await members(segmentId)).toEqual([]);
  });
});

test('whatever contacts do, members are those whom a look at everybody finds', async () => {
  const names = [fresh(), fresh()] as const;
  const list = await fixed();
  const base = await dynamic(all(plan(names[0])));
  const trees = [
    {
      logic: 'or',
      groups: [{ filters: [plan(names[0])] }, { filters: [{ field: `event.${names[0]}`, operator: 'countAtLeast', value: 2 }] }],
    },
    all({ field: `event.${names[1]}`, operator: 'notTriggered' }, { field: 'firstName', operator: 'exists' }),
    all(memberOf(base.segmentId), notMemberOf(list.segmentId)),
    all(
      { field: `event.${names[1]}`, operator: 'triggeredWithin', value: 1, unit: 'days' },
      { field: 'subscribed', operator: 'equals', value: true },
    ),
  ];
  const segments = [base, ...(await Promise.all(trees.map((tree) => dynamic(tree))))];
  const emails = Array.from({ length: 8 }, freshAddress);
  const ids = await Promise.all(emails.map((email) => contact(email)));
  const who = fc.nat(7);
  const step = fc.oneof(
    fc.record({ kind: fc.constant('plan'), who, value: fc.constantFrom(...names, null) }),
    fc.record({ kind: fc.constant('name'), who, value: fc.constantFrom('Ada', null) }),
    fc.record({ kind: fc.constant('event'), who, value: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('list'), who, value: fc.constantFrom('in', null) }),
    fc.record({ kind: fc.constant('subscribed'), who, value: fc.constantFrom('yes', null) }),
  );
  const act: Readonly<Record<string, (n: number, value: string | null) => Promise<unknown>>> = {
    plan: (n, value) => contact(emails[n] ?? '', { data: { plan: value } }),
    name: (n, value) => contact(emails[n] ?? '', { firstName: value }),
    event: (n, value) => tell(ids[n] ?? '', value ?? ''),
    list: (n, value) =>
      value
        ? api()
            .post(`/v1/segments/${list.segmentId}/members`)
            .send({ emails: [emails[n]] })
            .expect(200)
        : api().delete(`/v1/segments/${list.segmentId}/members/${ids[n]}`).expect(200),
    subscribed: (n, value) => contact(emails[n] ?? '', { subscribed: value !== null }),
  };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), async (steps) => {
      await Promise.all(steps.map(({ kind, who: n, value }) => act[kind]?.(n, value)));
      await loop.quiet();
      for (const { segmentId, conditions } of segments) {
        const { body } = await api().post('/v1/segments/preview').send({ conditions }).expect(200);
        const inside = await members(segmentId);
        expect(inside).toHaveLength(body.data.count as number);
        for (const { contactId } of body.data.sample as { contactId: string }[]) expect(inside).toContain(contactId);
      }
    }),
    { numRuns: 6 },
  );
  await foldCounts();
  for (const { segmentId } of segments) expect((await get(segmentId)).memberCount).toBe((await members(segmentId)).length);
});
