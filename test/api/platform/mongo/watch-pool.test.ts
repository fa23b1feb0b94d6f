import mongoose from 'mongoose';
import { metrics } from '../../../../src/platform/metrics/metrics';
import { connectMongo, disconnectMongo } from '../../../../src/platform/mongo/connect';
import { testMongoUri } from '../../../support/run/servers';

/** How many commands were measured, and how long all of them took. */
async function measured(): Promise<{ readonly count: number; readonly seconds: number }> {
  const { values } = await metrics.mongoCommandSeconds.get();
  const of = (suffix: string): number => values.find(({ metricName }) => metricName?.endsWith(suffix))?.value ?? 0;
  return { count: of('_count'), seconds: of('_sum') };
}

const inUse = async (): Promise<number> => (await metrics.mongoInUse.get()).values[0]?.value ?? 0;

beforeAll(() => connectMongo(testMongoUri(`watch_pool_${process.pid}`)));
afterAll(() => disconnectMongo());

test('each command is measured, from its sending to its answer, whether it succeeds or fails', async () => {
  const rows = mongoose.connection.collection<{ _id: string }>('rows');
  await rows.insertOne({ _id: 'a' });
  const before = await measured();
  await rows.findOne({ $where: 'sleep(200) || true' });
  await expect(rows.insertOne({ _id: 'a' })).rejects.toThrow('E11000');
  const after = await measured();
  expect(after.count - before.count).toBe(2);
  expect(after.seconds - before.seconds).toBeGreaterThan(0.2);
  expect(await inUse()).toBe(0);
});

test('several at once are measured one by one', async () => {
  const rows = mongoose.connection.collection('rows');
  const before = await measured();
  await Promise.all(Array.from({ length: 5 }, () => rows.findOne({ $where: 'sleep(100) || true' })));
  const after = await measured();
  expect(after.count - before.count).toBe(5);
  expect(after.seconds - before.seconds).toBeGreaterThan(0.5);
  expect(await inUse()).toBe(0);
});
