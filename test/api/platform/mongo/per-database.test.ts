import { connectMongo, disconnectMongo } from '../../../../src/platform/mongo/connect';
import { perDatabase } from '../../../../src/platform/mongo/per-database';
import { testMongoUri } from '../../../support/run/servers';

const connect = () => connectMongo(testMongoUri(`per_database_${process.pid}`));

afterAll(() => disconnectMongo());

test('what a process remembers of its database goes with the connection', async () => {
  const known = perDatabase(() => new Map<string, number>());
  await connect();
  known().set('a', 1);
  expect(known().get('a')).toBe(1);
  await disconnectMongo();
  await connect();
  expect(known().size).toBe(0);
});
