import type { Document } from 'mongodb';
import mongoose from 'mongoose';
import { Platform, eventually } from '../../support/platform/platform';
import type { Part } from '../../support/platform/platform';

const PROBE = require.resolve('../../support/checks/followed-promises.cjs');
let platform: Platform;

beforeAll(async () => {
  platform = await Platform.start({ env: { NODE_OPTIONS: `--require ${PROBE}` } });
});
afterAll(() => platform.stop());

async function promisesOf(part: Part): Promise<unknown> {
  const said = /^promises (.*)$/m;
  part.output = part.output.replaceAll(/^promises .*$/gm, '');
  part.signal('SIGUSR2');
  return JSON.parse(await eventually('the process has said so', () => said.exec(part.output)?.[1]));
}

test('once mail was accepted, delivered and looked up, Node follows no promise of either process, which would make all of it a tenth slower', async () => {
  await platform.untilStatus(await platform.send('ada@example.com'), 'delivered');
  await platform.post('/v1/events', { name: 'order.placed', email: 'ada@example.com' });
  await platform.post('/v1/send/batch', {
    messages: [{ to: 'eve@example.com', from: 'hello@hello.test', subject: 'Hi', html: '<p>Hi</p>' }],
  });
  await eventually('the batch has arrived', () => platform.arrived('eve@example.com').length === 1);
  expect([await promisesOf(platform.api), await promisesOf(platform.worker)]).toEqual([
    { followed: false, known: true },
    { followed: false, known: true },
  ]);
});

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
