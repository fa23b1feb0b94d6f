import fc from 'fast-check';
import type { ClientSession } from 'mongoose';
import { listeningOf } from '../../../../src/records/events/listeners';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { foldCounts } from '../../../../src/audience/segments/counts';
import { followSegments, updateMemberships } from '../../../../src/audience/segments/memberships';
import { planned } from '../../../../src/audience/segments/plan';
import { aProject } from '../../../support/platform/app';
import { aFanOutLoop, startFanOutLoop } from '../../../support/platform/fan-out-loop';
import { eventually } from '../../../support/platform/platform';
import { all, memberOf, notMemberOf, plan, followingCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';

const app = aProject();
const loop = aFanOutLoop(app, [followSegments]);

const { api, contact, dynamic, fixed, freshAddress, get, members, patch, emitted, fresh, follows, eventsOf, emitEvents, sweep } =
  followingCalls(() => app);

describe('many at once', () => {
  test('60 changes of 6 contacts: members are those who match, and their events alternate', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value)));
    const emails = Array.from({ length: 6 }, freshAddress);
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        contact(emails[n % 6] ?? '', { data: { plan: (n * 7 + Math.floor(n / 6)) % 2 ? value : 'none', n } }),
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
    for (const [name, contactId] of await emitted({ 'data.segmentId': segmentId })) {
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
    await emitEvents(id, value);
    const event = await stored.events.one({ name: value });
    const { version } = await listeningOf(app.keys.projectId);
    await Promise.all(Array.from({ length: 10 }, () => followSegments.handle(app.core, event as never, version)));
    expect(await eventsOf(segmentId)).toEqual([['segment.entered', id]]);
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
      updateMemberships(session, app.keys.projectId, [id], order, { testMode: false, at: new Date() });
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

  test('who changes after the contacts were read is looked at again before the answer', async () => {
    const value = fresh();
    const [email, late] = [freshAddress(), freshAddress()];
    await contact(email, { data: { plan: value } });
    const lateId = await contact(late);
    const { segmentId } = await dynamic(all(plan('nobody')));
    await loop.quiet();
    const contacts = stored.contacts.collection;
    const read = contacts.aggregate.bind(contacts);
    jest.spyOn(contacts, 'aggregate').mockImplementationOnce(((...args: Parameters<typeof read>) =>
      (async function* () {
        const found = await read(...args).toArray();
        await contact(email, { data: { plan: 'none' } });
        await contact(late, { data: { plan: value } });
        await loop.quiet();
        yield* found;
      })()) as never);
    expect((await patch(segmentId, { conditions: all(plan(value)) })).memberCount).toBe(1);
    expect(await members(segmentId)).toEqual([lateId]);
    expect(await emitted({ 'data.segmentId': segmentId })).toEqual([]);
  });

  test('what changes while members are computed is not lost', async () => {
    const [one, two] = [fresh(), fresh()];
    const emails = Array.from({ length: 12 }, freshAddress);
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
    await eventually('members are those who match', async () => JSON.stringify(await members(segmentId)) === JSON.stringify(expected));
    expect((await get(segmentId)).memberCount).toBe(expected.length);
  });

  test('a deleted contact is in nothing, however the deletion and its changes fall', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value)));
    for (let round = 0; round < 4; round++) {
      const id = await contact(freshAddress(), { data: { plan: value } });
      await api().delete(`/v1/contacts/${id}`).expect(200);
    }
    await loop.quiet();
    expect(await members(segmentId)).toEqual([]);
    await foldCounts();
    expect((await get(segmentId)).memberCount).toBe(0);
  });
});

test('after any changes of contacts, members are what a comparison of all contacts finds', async () => {
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
    event: (n, value) => emitEvents(ids[n] ?? '', value ?? ''),
    list: async (n, value) =>
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
      await Promise.all(steps.map(async ({ kind, who: n, value }) => act[kind]?.(n, value)));
      await loop.quiet();
      for (const { segmentId, conditions } of segments) {
        const { body } = await api().post('/v1/segments/preview').send({ conditions }).expect(200);
        const inside = await members(segmentId);
        expect(inside).toHaveLength(body.data.count as number);
        for (const { contactId } of body.data.sample as { contactId: string }[]) expect(inside).toContain(contactId);
      }
    }),
    { numRuns: 3 },
  );
  await foldCounts();
  for (const { segmentId } of segments) expect((await get(segmentId)).memberCount).toBe((await members(segmentId)).length);
});
