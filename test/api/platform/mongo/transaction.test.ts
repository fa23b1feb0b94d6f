import mongoose from 'mongoose';
import { newId } from '../../../../src/platform/core/ids';
import { disconnectMongo } from '../../../../src/platform/mongo/connect';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { connectEmptied, testDatabase } from '../../../support/run/database';
import { Line } from '../../../support/servers/line';
import { eventually } from '../../../support/platform/platform';
import { testMongoUri } from '../../../support/run/servers';

const AT_ONCE = 6;
/** So that no query needs a new connection, which cannot be made in the silence. */
const CONNECTIONS = 10;

let line: Line;
const rows = () => mongoose.connection.collection<{ _id: string; times: number }>('transactions_under_test');

beforeAll(async () => {
  const { hostname, port } = new URL(testMongoUri('transaction'));
  line = new Line({ host: hostname, port: Number(port) });
  mongoose.set('bufferCommands', false);
  await connectEmptied(`mongodb://127.0.0.1:${await line.listen()}/${testDatabase()}?directConnection=true&minPoolSize=${CONNECTIONS}`);
  await mongoose.connection.createCollection('transactions_under_test');
});

beforeEach(() => eventually('there are connections enough', () => line.open >= CONNECTIONS));

afterAll(async () => {
  await disconnectMongo();
  await line.goAway();
});

/** Adds one to a row in a transaction of its own. `begun` is called once the transaction has a connection, and holds back its write. */
const addOne = (_id: string, begun: () => Promise<void>): Promise<void> =>
  inTransaction(async (session) => {
    await rows().findOne({ _id }, { session });
    await begun();
    await rows().bulkWrite([{ updateOne: { filter: { _id }, update: { $inc: { times: 1 } }, upsert: true } }], { session, ordered: false });
  });

test('transactions whose connections break all at once are done again, each once', async () => {
  const ids = Array.from({ length: AT_ONCE }, () => newId('row'));
  let waiting = 0;
  let goOn: () => void = () => undefined;
  const together = new Promise<void>((resolve) => (goOn = resolve));
  const all = Promise.all(
    ids.map((_id) =>
      addOne(_id, () => {
        waiting += 1;
        return together;
      }),
    ),
  );
  await eventually('all of them have begun', () => waiting === AT_ONCE);
  line.goSilent();
  goOn();
  await eventually('all of them have written', () => line.lost >= AT_ONCE);
  line.hangUp();
  await all;
  expect(
    await rows()
      .find({}, { projection: { _id: 0, times: 1 } })
      .toArray(),
  ).toEqual(ids.map(() => ({ times: 1 })));
});

test('what a lost process had in a transaction is free again within a minute, the half of the limit included until that is noticed', async () => {
  const limit = await mongoose.connection.db?.admin().command({ getParameter: 1, transactionLifetimeLimitSeconds: 1 });
  expect(Number(limit?.['transactionLifetimeLimitSeconds']) * 1.5).toBeLessThan(60);
});

test('a commit whose connection broke with others is asked for again, and not done twice', async () => {
  const ids = Array.from({ length: AT_ONCE }, () => newId('row'));
  const { prototype } = mongoose.mongo.ClientSession;
  const commit = prototype.commitTransaction;
  let held = 0;
  const spy = jest.spyOn(prototype, 'commitTransaction').mockImplementation(async function (this: mongoose.mongo.ClientSession) {
    held += 1;
    if (held <= AT_ONCE) await eventually('all of them commit', () => held >= AT_ONCE);
    if (held === AT_ONCE) line.goSilent();
    return commit.call(this);
  });
  const lost = line.lost;
  const all = Promise.all(ids.map((_id) => addOne(_id, () => Promise.resolve())));
  await eventually('all of them have asked', () => line.lost >= lost + AT_ONCE);
  line.hangUp();
  await all;
  spy.mockRestore();
  expect(await rows().countDocuments({ _id: { $in: ids }, times: 1 })).toBe(AT_ONCE);
});
