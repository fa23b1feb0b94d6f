import { deliveryPumpId } from '../../../src/contracts/delivery';
import { Listener } from '../../../src/wakes/listener';
import { WakeModel } from '../../../src/wakes/model';
import { wakeDeliveryBy } from '../../../src/wakes/service';
import { WakeWatch } from '../../../src/wakes/watch';
import { startTestApp } from '../../support/app';
import type { TestApp } from '../../support/app';
import { eventually } from '../../support/platform';

let app: TestApp;
let signals: number[];

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  signals = [];
  await WakeModel.deleteMany({});
});

/** Of no mail: a process keeps what wakes of a shard are under way. */
const SHARD = 1_000_003;
const at = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

/** Asks for an instant, then for one at which somebody has to be signalled: what the first led to is known when the second is done. */
async function ask(due: Date): Promise<readonly number[]> {
  const wakeDelivery = (shard: number): Promise<void> => {
    signals.push(shard);
    return Promise.resolve();
  };
  const core = { log: app.core.log, processes: { ...app.core.processes, wakeDelivery } };
  wakeDeliveryBy(core, SHARD, due);
  wakeDeliveryBy(core, SHARD + 1, at(0));
  await eventually('the second is done', () => signals.includes(SHARD + 1));
  await eventually('the first is done', async () => {
    const row = await WakeModel.findById(deliveryPumpId(SHARD)).lean();
    return row === null || !signals.includes(SHARD) || row.signalledAt !== null;
  });
  return signals.filter((shard) => shard === SHARD);
}

async function sleeping(until: Date | null): Promise<Listener> {
  const listener = new Listener(deliveryPumpId(SHARD), new WakeWatch(), 4_000);
  await listener.promise();
  await listener.stop();
  await listener.sleep(until);
  return listener;
}

test('a pump that wakes by itself before the mail is due is left alone', async () => {
  await sleeping(at(10));
  expect(await ask(at(11))).toEqual([]);
});

test('a pump that would sleep on is signalled, once for many messages', async () => {
  await sleeping(at(100));
  expect(await ask(at(50))).toEqual([SHARD]);
  expect(await ask(at(40))).toEqual([SHARD]);
});

test('a pump without a timer is signalled', async () => {
  await sleeping(null);
  expect(await ask(at(50))).toEqual([SHARD]);
});

test('a pump that listens looks up what is due before it sleeps', async () => {
  await new Listener(deliveryPumpId(SHARD), new WakeWatch(), 4_000).promise();
  expect(await ask(at(1))).toEqual([]);
});

test('a run that is ended leaves nobody waiting for it', async () => {
  const listener = new Listener(deliveryPumpId(SHARD), new WakeWatch(), 4_000);
  await listener.promise();
  await listener.leave();
  expect(await ask(at(1))).toEqual([SHARD]);
});
