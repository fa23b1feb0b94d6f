import type { Document } from 'mongodb';
import mongoose from 'mongoose';
import { aPlatform } from '../../support/platform/platform';

const platform = aPlatform();

test('each look-up of the API for a send ends with the time that a request may take', async () => {
  const { db } = mongoose.connection;
  await db?.command({ profile: 2 });
  await platform.send('bob@example.com');
  await db?.command({ profile: 0 });
  const rows = db?.collection<{ readonly command: Document }>('system.profile').find({ op: 'query' } as object);
  const finds = (await rows?.toArray()) ?? [];
  const limits = (found: (command: Document) => boolean) =>
    new Set(finds.flatMap(({ command }): unknown[] => (found(command) ? [command['maxTimeMS']] : [])));
  expect(limits(({ find, filter }) => find === 'projects' && 'keys.hash' in filter)).toEqual(new Set([30_000]));
  // The worker, which is bounded by nothing of the kind, asks for these too.
  expect(limits(({ find }) => find === 'suppressions')).toContain(30_000);
  expect(limits(({ find }) => find === 'contacts')).toContain(30_000);
});
