import { inFreshProcess } from '../../../support/checks/fresh-process';
import { testMongoUri } from '../../../support/run/servers';

interface Measured {
  /** Commands. */
  readonly count: number;
  readonly seconds: number;
  /** Connections that are in use afterwards. */
  readonly inUse: number;
}

/** Runs statements on a collection `rows`, which has a row with the id `a`. Resolves to what was measured meanwhile. */
const measured = (statements: string): Promise<Measured> =>
  inFreshProcess(
    `const { mongoose } = require('mongoose');
    const { connectMongo, disconnectMongo } = require('./src/platform/mongo/connect');
    const { metrics } = require('./src/platform/metrics/metrics');
    const read = async () => {
      const { values } = await metrics.mongoCommandSeconds.get();
      const of = (suffix) => values.find(({ metricName }) => metricName.endsWith(suffix))?.value ?? 0;
      return { count: of('_count'), seconds: of('_sum') };
    };
    await connectMongo(process.env.URI);
    const rows = mongoose.connection.collection('rows');
    await rows.insertOne({ _id: 'a' });
    const before = await read();
    ${statements}
    const after = await read();
    const inUse = (await metrics.mongoInUse.get()).values[0]?.value ?? 0;
    await mongoose.connection.dropDatabase();
    await disconnectMongo();
    return { count: after.count - before.count, seconds: after.seconds - before.seconds, inUse };`,
    { URI: testMongoUri(`watch_pool_${process.pid}`) },
  );

test('each command is measured, from its sending to its answer, whether it succeeds or fails', async () => {
  const { count, seconds, inUse } = await measured(`
    await rows.findOne({ $where: 'sleep(200) || true' });
    const failed = await rows.insertOne({ _id: 'a' }).then(() => false, () => true);
    if (!failed) throw new Error('a second row has the same id');`);
  expect([count, inUse]).toEqual([2, 0]);
  expect(seconds).toBeGreaterThan(0.2);
});

test('several at once are measured one by one', async () => {
  const { count, seconds, inUse } = await measured(
    `await Promise.all(Array.from({ length: 5 }, () => rows.findOne({ $where: 'sleep(100) || true' })));`,
  );
  expect([count, inUse]).toEqual([5, 0]);
  expect(seconds).toBeGreaterThan(0.5);
});
