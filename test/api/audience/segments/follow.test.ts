import { emit, emitOnce } from '../../../../src/records/events/emit';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { optOut } from '../../../../src/audience/contacts/service';
import { foldCounts } from '../../../../src/audience/segments/counts';
import { followSegments } from '../../../../src/audience/segments/memberships';
import { SegmentModel } from '../../../../src/audience/segments/model';
import { aProject } from '../../../support/platform/app';
import { storeEmail } from '../../../support/data/email-rows';
import { aFanOutLoop } from '../../../support/platform/fan-out-loop';
import { all, memberOf, notMemberOf, plan, followingCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';

const app = aProject();
const loop = aFanOutLoop(app, [followSegments]);

const { api, contact, dynamic, fixed, freshAddress, get, members, fresh, follows, eventsOf, emitEvents, sweep } = followingCalls(() => app);

describe('a contact', () => {
  test('enters and leaves by what changes, and each change is emitted once, with the name', async () => {
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
    expect(await eventsOf(segmentId)).toEqual([
      ['segment.entered', id],
      ['segment.exited', id],
      ['segment.entered', id],
    ]);
    const [event] = await stored.events.all({ 'data.segmentId': segmentId });
    expect(event).toMatchObject({ data: { segmentId, name: 'On the plan' }, projectId: app.keys.projectId, testMode: false });
    await foldCounts();
    expect((await get(segmentId)).memberCount).toBe(1);
  });

  test('is followed when it opts out, by a link or in bulk', async () => {
    const { segmentId } = await dynamic(all({ field: 'subscribed', operator: 'equals', value: false }));
    const [a, b] = [await contact(freshAddress()), await contact(freshAddress())];
    await inTransaction((session) => optOut(session, { projectId: app.keys.projectId, contactId: a }, false, new Date()));
    await api()
      .post('/v1/contacts/bulk')
      .send({ action: 'unsubscribe', contactIds: [b] })
      .expect(200);
    await Promise.all([follows(segmentId, a, true), follows(segmentId, b, true)]);
    expect((await members(segmentId)).length).toBeGreaterThanOrEqual(2);
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
    await emitEvents(id, name);
    await follows(segmentId, id, false);
    expect(await eventsOf(segmentId)).toContainEqual(['segment.exited', id]);
  });

  test('takes along whether a test key, or an import that starts nothing, was the cause', async () => {
    const name = fresh();
    const { segmentId } = await dynamic(all({ field: `event.${name}`, operator: 'triggered' }, plan(name)));
    const id = await contact(freshAddress());
    await emitEvents(id, name, { depth: 3 });
    const email = freshAddress();
    await app
      .api(app.keys.test)
      .post('/v1/contacts')
      .send({ email, data: { plan: name } });
    const tested = await contact(email);
    // What the contact itself caused is judged first, else it would be the cause.
    await loop.quiet();
    await emitEvents(tested, name, { depth: 4, enrols: false });
    await follows(segmentId, tested, true);
    expect(await stored.events.one({ contactId: tested, 'data.segmentId': segmentId })).toMatchObject({ depth: 4, enrols: false });
    const value = fresh();
    const other = await dynamic(all(plan(value)));
    await app
      .api(app.keys.test)
      .post('/v1/contacts')
      .send({ email, data: { plan: value } })
      .expect(200);
    await follows(other.segmentId, tested, true);
    expect(await stored.events.one({ contactId: tested, 'data.segmentId': other.segmentId })).toMatchObject({
      testMode: true,
      data: { testMode: true },
    });
  });

  test('is not moved by test mode, nor by what belongs to others', async () => {
    const name = fresh();
    const { segmentId } = await dynamic(all({ field: `event.${name}`, operator: 'triggered' }));
    const id = await contact(freshAddress());
    await emitEvents(id, name, { testMode: true });
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
    await emitEvents(id, name);
    await emitEvents(id, name);
    await loop.quiet();
    expect(await members(segmentId)).toEqual([]);
    await emitEvents(id, name);
    await follows(segmentId, id, true);
  });
});

/** A segment with a contact that is in it for an event, and that is not compared again for an hour. */
async function heldByAnEvent(): Promise<{ readonly name: string; readonly segmentId: string; readonly id: string }> {
  const name = fresh();
  const { segmentId } = await dynamic(all({ field: `event.${name}`, operator: 'triggered' }));
  const id = await contact(freshAddress());
  await emitEvents(id, name);
  await follows(segmentId, id, true);
  await stored.segments.change(segmentId, { sweepAt: new Date(Date.now() + 3_600_000) });
  return { name, segmentId, id };
}

test('events that are deleted count no more, after the next sweep', async () => {
  const { name, segmentId, id } = await heldByAnEvent();
  await api().delete(`/v1/events/${name}`).expect(200);
  await sweep(1_000);
  expect(await members(segmentId)).toEqual([]);
  expect(await eventsOf(segmentId)).toEqual([
    ['segment.entered', id],
    ['segment.exited', id],
  ]);
});

test('events whose deletion fails are all there, and it can be repeated', async () => {
  const { name, segmentId } = await heldByAnEvent();
  jest.spyOn(SegmentModel, 'updateMany').mockRejectedValueOnce(new Error('away'));
  await api().delete(`/v1/events/${name}`).expect(500);
  expect((await api().delete(`/v1/events/${name}`).expect(200)).body.data).toEqual({ name, removed: 1 });
  await sweep(1_000);
  expect(await members(segmentId)).toEqual([]);
});

describe('what becomes of e-mails', () => {
  test('counts when the ledger holds it, which is after it is emitted', async () => {
    const { segmentId } = await dynamic(all({ field: 'email.delivered', operator: 'triggered' }));
    const id = await contact(freshAddress());
    const email = await storeEmail(app.keys.projectId, { contactId: id });
    const emailId = email._id;
    await emitOnce([
      {
        id: `evt_${fresh()}`,
        projectId: app.keys.projectId,
        name: 'email.delivered',
        contactId: id,
        emailId,
        testMode: false,
        at: new Date(),
      },
    ]);
    await stored.emails.change(emailId, { deliveredAt: new Date() });
    await follows(segmentId, id, true);
    expect(await eventsOf(segmentId)).toEqual([['segment.entered', id]]);
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
    expect(await eventsOf(vip.segmentId, others.segmentId, nested.segmentId)).toEqual([
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
    expect(await eventsOf(segmentId)).toEqual([
      ['segment.entered', id],
      ['segment.exited', id],
    ]);
  });
});
