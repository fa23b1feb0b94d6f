import mongoose from 'mongoose';
import { SegmentModel } from '../../../../src/audience/segments/model';
import { all, segmentCalls } from '../../../support/calls/segment-calls';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aSecondApi } from '../../../support/platform/second-api';

const MOST = 1_000;
const config = { MAX_SEGMENT_CONDITION_BYTES: String(MOST) };
const app = aProject({ config });
const second = aSecondApi(app, config);
const { api, dynamic, fixed, get, patch } = segmentCalls(() => app);

const containing = (value: string) => all({ field: 'email', operator: 'contains', value });
const SHORTEST = mongoose.mongo.BSON.calculateObjectSize(containing(''));
/** Conditions that take so many bytes. */
const taking = (bytes: number) => containing('x'.repeat(bytes - SHORTEST));

const create = (bytes: number, key?: string, to = api) =>
  to(key)
    .post('/v1/segments')
    .send({ name: 'S', conditions: taking(bytes) });
const change = (segmentId: string, bytes: number) =>
  api()
    .patch(`/v1/segments/${segmentId}`)
    .send({ conditions: taking(bytes) });

const REFUSED = {
  success: false,
  code: 'limit_exceeded',
  error: 'A project has at most 1000 bytes of conditions in all of its segments',
};

async function taken(): Promise<number> {
  const rows = await SegmentModel.aggregate<{ bytes: number }>([
    { $match: { projectId: app.keys.projectId } },
    { $group: { _id: null, bytes: { $sum: { $bsonSize: '$conditions' } } } },
  ]);
  return rows[0]?.bytes ?? 0;
}

beforeEach(async () => {
  await SegmentModel.deleteMany({});
  await stored.listeners.collection.deleteMany({});
});

test('conditions are taken up to the bound and not a byte beyond it', async () => {
  await create(600).expect(201);
  expect((await create(401).expect(409)).body).toMatchObject(REFUSED);
  await create(400).expect(201);
  expect(await taken()).toBe(MOST);
  // Another project has room of its own.
  await create(MOST, app.otherKeys.secret).expect(201);
});

test('what is refused leaves everything as it was', async () => {
  const segment = await dynamic(taking(600));
  const before = await stored.listeners.one(app.keys.projectId);
  await create(401).expect(409);
  expect((await change(segment.segmentId, MOST + 1).expect(409)).body).toMatchObject(REFUSED);
  expect(await get(segment.segmentId)).toEqual(segment);
  expect(await stored.segments.count({})).toBe(1);
  expect(await stored.listeners.one(app.keys.projectId)).toEqual(before);
});

test('a segment that is changed is counted with its new conditions alone', async () => {
  const { segmentId } = await dynamic(taking(600));
  await change(segmentId, MOST).expect(200);
  await create(200).expect(409);
  await change(segmentId, 800).expect(200);
  await create(200).expect(201);
  expect(await taken()).toBe(MOST);
});

test('a segment that is deleted leaves its room', async () => {
  const { segmentId } = await dynamic(taking(MOST));
  await create(200).expect(409);
  await api().delete(`/v1/segments/${segmentId}`).expect(200);
  await create(MOST).expect(201);
});

test('names and static segments take none', async () => {
  const { segmentId } = await dynamic(taking(MOST));
  await patch(segmentId, { name: 'Another', conditions: taking(MOST) });
  await fixed();
  expect(await taken()).toBe(MOST);
});

test('a project with more than it may have can have less, and not more', async () => {
  const { segmentId } = await dynamic(taking(500));
  await stored.segments.collection.updateOne({ _id: segmentId }, { $set: { conditions: taking(1_080) } });
  await change(segmentId, 1_081).expect(409);
  await patch(segmentId, { name: 'Another' });
  await change(segmentId, 1_050).expect(200);
  expect(await taken()).toBe(1_050);
});

test('however many come at once in several processes, no more are taken than there is room for', async () => {
  const { segmentId } = await dynamic(taking(120));
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, (_, n) => create(300, undefined, n % 2 === 0 ? api : second.api)),
    change(segmentId, 300),
  ]);
  expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(3);
  expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(4);
  expect(await taken()).toBe(900);
});
