import { SegmentPlan, hearing, planned } from '../../../../src/audience/segments/plan';

const segment = (_id: string, filter: object) =>
  hearing(planned({ _id, revision: 1, conditions: { logic: 'and', groups: [{ filters: [filter] }] } }), 100);

const plan = new SegmentPlan([
  segment('seg_asking', { field: 'segment.seg_asked', operator: 'memberOf' }),
  segment('seg_named', { field: 'event.segment.entered', operator: 'triggered' }),
  segment('seg_asked', { field: 'event.login', operator: 'triggered' }),
]);

const concerned = (name: string, data: Record<string, unknown> | null = null) =>
  plan.concerning({ name, data }).map(({ segmentId }) => segmentId);

test('an event concerns the segments that ask about it, each with those that ask about it, behind it', () => {
  expect(concerned('login')).toEqual(['seg_asked', 'seg_asking']);
  expect(concerned('logout')).toEqual([]);
});

test('a membership concerns the segments that ask about its segment, and those that ask about the event itself', () => {
  expect(concerned('segment.entered', { segmentId: 'seg_asked' })).toEqual(['seg_asked', 'seg_asking', 'seg_named']);
  expect(concerned('segment.entered', { segmentId: 'seg_other' })).toEqual(['seg_named']);
  expect(concerned('segment.exited', { segmentId: 'seg_other' })).toEqual([]);
});

test('a segment is found by the revision that it was read at', () => {
  expect(plan.find('seg_asked', 1)).toMatchObject({ segmentId: 'seg_asked' });
  expect(plan.find('seg_asked', 2)).toBeUndefined();
});
