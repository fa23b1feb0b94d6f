import { loadPlan, loadTogether, plansOf } from '../../../../src/audience/segments/load-plan';
import { all, followingCalls, memberOf, plan } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject();
const { api, dynamic, patch } = followingCalls(() => app);

beforeEach(() => stored.segments.collection.deleteMany({}));

const among = (values: readonly unknown[]) => all({ field: 'data.plan', operator: 'in', value: values });

test('a newer plan reads the conditions only of what has changed', async () => {
  const [same, edited] = [await dynamic(all(plan('same'))), await dynamic(all(plan('edited')))];
  const earlier = await loadPlan(app.keys.projectId);
  await patch(edited.segmentId, { conditions: all(plan('other')) });
  const added = await dynamic(all(plan('added')));
  const newer = await loadPlan(app.keys.projectId, earlier);
  expect(newer.find(same.segmentId, 1)).toBe(earlier.find(same.segmentId, 1));
  expect(newer.find(edited.segmentId, 1)).toBeUndefined();
  expect(newer.find(edited.segmentId, 2)?.tree.groups[0]?.filters).toMatchObject([{ test: { values: ['other'] } }]);
  expect(newer.find(added.segmentId, 1)).toBeDefined();
  await api().delete(`/v1/segments/${same.segmentId}`).expect(200);
  expect((await loadPlan(app.keys.projectId, newer)).find(same.segmentId, 1)).toBeUndefined();
});

test('a plan weighs what its conditions take', async () => {
  const short = (await loadPlan(app.keys.projectId)).bytes;
  await dynamic(among(Array.from({ length: 5_000 }, (_, n) => `value ${n}`)));
  const long = (await loadPlan(app.keys.projectId)).bytes;
  expect(short).toBeLessThan(2_000);
  expect(long).toBeGreaterThan(5_000 * 'value 1234'.length);
});

test('other work goes on while long conditions are read', async () => {
  const { segmentId } = await dynamic(all(plan('first')));
  const row = await stored.segments.one(segmentId);
  const filters = Array.from({ length: 20 }, (_, n) => ({
    field: 'data.plan',
    operator: 'in',
    value: Array.from({ length: 7_000 }, (_value, m) => `${n}-${m}`),
  }));
  const copies = Array.from({ length: 4 }, (_, n) => ({ ...row, _id: `seg_copy${n}`, conditions: all(...filters) }));
  await stored.segments.collection.insertMany(copies);
  let turns = 0;
  const turn = (): void => {
    turns++;
    timer = setImmediate(turn);
  };
  let timer = setImmediate(turn);
  const seen: number[] = [];
  for await (const { segment } of plansOf(app.keys.projectId)) if (segment.bytes > 100_000) seen.push(turns);
  clearImmediate(timer);
  expect(new Set(seen).size).toBe(4);
});

test('a comparison reads the segments that are judged with its own, and no others', async () => {
  const asked = await dynamic(all(plan('a')));
  const asking = await dynamic(all(memberOf(asked.segmentId)));
  const other = await dynamic(all(plan('b')));
  await stored.segments.collection.updateOne({ _id: other.segmentId }, { $set: { conditions: null } });
  const together = await loadTogether(app.keys.projectId, asking.segmentId);
  expect(together?.order.map(({ segmentId }) => segmentId)).toEqual([asked.segmentId, asking.segmentId]);
  expect(together?.own.segmentId).toBe(asking.segmentId);
  expect(await loadTogether(app.keys.projectId, 'seg_gone')).toBeNull();
});

test('an edit reads no conditions but its own', async () => {
  const { segmentId } = await dynamic(all(plan('a')));
  const other = await dynamic(all(plan('b')));
  await stored.segments.collection.updateOne({ _id: other.segmentId }, { $set: { conditions: null } });
  await patch(segmentId, { conditions: all(plan('c')) });
  await api().delete(`/v1/segments/${segmentId}`).expect(200);
});
