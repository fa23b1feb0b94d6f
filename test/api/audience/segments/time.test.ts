import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { complete } from '../../../../src/audience/segments/fill';
import { followSegments } from '../../../../src/audience/segments/memberships';
import { addMembers, removeMembers } from '../../../../src/audience/segments/static';
import { aProject } from '../../../support/platform/app';
import { aFanOutLoop } from '../../../support/platform/fan-out-loop';
import { all, memberOf, notMemberOf, plan, followingCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';

const app = aProject();
const loop = aFanOutLoop(app, [followSegments]);

const { api, contact, dynamic, fixed, freshAddress, members, fresh, follows, eventsOf, emitEvents, sweep } = followingCalls(() => app);

/** Sweeps ahead of time are not mixed with pumps that go by the real time: they would put back what the sweep changed. */
async function withoutPumps(work: () => Promise<void>): Promise<void> {
  await loop.quiet();
  await loop.stop();
  try {
    await work();
  } finally {
    loop.goOn();
  }
}

describe('time', () => {
  test('lets contacts enter and leave, once, with those that ask about them, and is looked at every minute', async () => {
    const name = fresh();
    const recent = await dynamic(all({ field: `event.${name}`, operator: 'triggeredWithin', value: 10, unit: 'minutes' }));
    const lapsed = await dynamic(all({ field: `event.${name}`, operator: 'triggered' }, notMemberOf(recent.segmentId)));
    const id = await contact(freshAddress());
    await emitEvents(id, name);
    await follows(recent.segmentId, id, true);
    await withoutPumps(async () => {
      expect(await sweep(9 * 60_000)).toBe(0);
      await Promise.all([sweep(11 * 60_000), sweep(11 * 60_000)]);
      expect([await members(recent.segmentId), await members(lapsed.segmentId)]).toEqual([[], [id]]);
      await sweep(13 * 60_000);
      expect(await eventsOf(recent.segmentId, lapsed.segmentId)).toEqual([
        ['segment.entered', id],
        ['segment.exited', id],
        ['segment.entered', id],
      ]);
    });
    const { sweepAt } = (await stored.segments.one(recent.segmentId)) ?? {};
    expect(sweepAt?.getTime()).toBeLessThan(Date.now() + 15 * 60_000);
  });

  test('a contact becomes old enough', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value), { field: 'createdAt', operator: 'olderThan', value: 20, unit: 'minutes' }));
    const id = await contact(freshAddress(), { data: { plan: value } });
    await withoutPumps(async () => {
      expect(await members(segmentId)).toEqual([]);
      await sweep(21 * 60_000);
      expect(await members(segmentId)).toEqual([id]);
      expect(await eventsOf(segmentId)).toEqual([['segment.entered', id]]);
    });
  });
});

describe('refresh and recovery', () => {
  test('a refresh finds what was missed, emits it, and counts', async () => {
    const value = fresh();
    const id = await contact(freshAddress(), { data: { plan: value } });
    const { segmentId } = await dynamic(all(plan(value)));
    const missed = {
      _id: `${segmentId}:ctc_gone`,
      projectId: app.keys.projectId,
      segmentId,
      contactId: 'ctc_gone',
      enteredAt: new Date(),
      contactCreatedAt: new Date(),
    };
    await stored.members.collection.insertOne(missed);
    await stored.members.remove(`${segmentId}:${id}`);
    await stored.segments.change(segmentId, { memberCount: 77 });
    const { body } = await api().post(`/v1/segments/${segmentId}/refresh`).expect(200);
    expect(body.data).toMatchObject({ segmentId, memberCount: 1 });
    expect(await members(segmentId)).toEqual([id]);
    expect(await eventsOf(segmentId)).toEqual([['segment.entered', id]]);
    const list = await fixed();
    await stored.segments.change(list.segmentId, { memberCount: 5 });
    expect((await api().post(`/v1/segments/${list.segmentId}/refresh`).expect(200)).body.data).toMatchObject({ memberCount: 0 });
  });

  test('a computation whose process died is finished by the sweep, silently', async () => {
    const value = fresh();
    const id = await contact(freshAddress(), { data: { plan: value } });
    const { segmentId } = await dynamic(all(plan('nobody')));
    const dead = { conditions: all(plan(value)), computing: true, filledAt: new Date(Date.now() - 60_000), sweepAt: new Date() };
    await stored.segments.change(segmentId, { $set: dead, $inc: { revision: 1 } });
    await sweep();
    expect(await members(segmentId)).toEqual([id]);
    expect(await stored.segments.one(segmentId)).toMatchObject({ computing: false, memberCount: 1 });
    expect(await eventsOf(segmentId)).toEqual([]);
    expect(await complete(app.keys.projectId, 'seg_gone')).toBeNull();
  });

  test('of segments that ask about each other, those that are asked are finished first, whichever is come to first', async () => {
    const value = fresh();
    const id = await contact(freshAddress(), { data: { plan: value } });
    const asked = await dynamic(all(plan('nobody')));
    const asking = await dynamic(all(memberOf(asked.segmentId)));
    const last = await dynamic(all(memberOf(asking.segmentId)));
    const dead = { computing: true, filledAt: new Date(Date.now() - 60_000), sweepAt: new Date() };
    await stored.segments.change(asked.segmentId, { conditions: all(plan(value)) });
    const ids = [asked, asking, last].map(({ segmentId }) => segmentId);
    await stored.segments.changeAll({ _id: { $in: ids } }, { $set: dead, $inc: { revision: 1 } });
    await complete(app.keys.projectId, last.segmentId);
    for (const segmentId of ids) {
      expect(await members(segmentId)).toEqual([id]);
      expect(await eventsOf(segmentId)).toEqual([]);
    }
  });

  test('the minute after an edit compares everybody once more', async () => {
    const value = fresh();
    const { segmentId } = await dynamic(all(plan(value)));
    const email = freshAddress();
    const id = await contact(email, { data: { plan: value } });
    await follows(segmentId, id, true);
    await stored.members.remove(`${segmentId}:${id}`);
    await sweep(61_000);
    expect(await members(segmentId)).toEqual([id]);
  });

  test('members of a segment that is gone stay out', async () => {
    const { segmentId } = await fixed();
    const id = await contact(freshAddress());
    await api().delete(`/v1/segments/${segmentId}`).expect(200);
    const cause = { testMode: false, at: new Date() };
    const one = { _id: id, createdAt: new Date() };
    expect(await inTransaction((session) => addMembers(session, { projectId: app.keys.projectId, segmentId }, [one], cause))).toBe(0);
    expect(await inTransaction((session) => removeMembers(session, { projectId: app.keys.projectId, segmentId }, [one], cause))).toBe(0);
    expect(await members(segmentId)).toEqual([]);
  });
});
