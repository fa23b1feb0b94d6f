import { deliveryPumpId } from '../../../../src/contracts/delivery';
import { Listener } from '../../../../src/platform/wake-ups/listener';
import { wakeDeliveryBy } from '../../../../src/platform/wake-ups/service';
import { WakeWatch } from '../../../../src/platform/wake-ups/watch';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const app = aProject();
let signals: number[];

beforeEach(async () => {
  signals = [];
  await stored.wakes.remove();
});

/** Of no mail: a process keeps what wakes of a shard are under way. */
const SHARD = 1_000_003;
const at = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

/** Asks for an instant; and for one of another shard, which has to be signalled, and has been when this resolves. */
async function ask(due: Date, follow: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
  const wakeDelivery = async (shard: number): Promise<void> => {
    if (shard === SHARD) await follow();
    signals.push(shard);
  };
  const core = { log: app.core.log, processes: { ...app.core.processes, wakeDelivery } };
  wakeDeliveryBy(core, SHARD, due);
  wakeDeliveryBy(core, SHARD + 1, at(0));
  await eventually('the other is signalled', () => signals.includes(SHARD + 1));
}

const ofShard = (): readonly number[] => signals.filter((shard) => shard === SHARD);

/** Resolves when the pump was signalled, and the signal is noted. */
async function signalled(due: Date): Promise<void> {
  await ask(due);
  await eventually('it is signalled', async () => (await stored.wakes.one(deliveryPumpId(SHARD)))?.signalledAt != null);
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
  await ask(at(11));
  expect(ofShard()).toEqual([]);
});

test('a pump that would sleep on is signalled, once for many messages', async () => {
  await sleeping(at(100));
  await signalled(at(50));
  await signalled(at(40));
  expect(ofShard()).toEqual([SHARD]);
});

test('a pump without a timer is signalled', async () => {
  await sleeping(null);
  await signalled(at(50));
  expect(ofShard()).toContain(SHARD);
});

test('a pump that listens looks up what is due before it sleeps', async () => {
  await new Listener(deliveryPumpId(SHARD), new WakeWatch(), 4_000).promise();
  await ask(at(1));
  expect(ofShard()).toEqual([]);
});

test('a run that is ended leaves no caller waiting for it', async () => {
  const listener = new Listener(deliveryPumpId(SHARD), new WakeWatch(), 4_000);
  await listener.promise();
  await listener.leave();
  await signalled(at(1));
  expect(ofShard()).toEqual([SHARD]);
});

test('a pump that has followed a signal before that is noted is signalled again', async () => {
  await sleeping(at(100));
  await ask(at(50), () => sleeping(at(100)));
  await eventually('the first is over', () => ofShard().length === 1);
  await ask(at(40));
  await eventually('the second is noted', async () => (await stored.wakes.one(deliveryPumpId(SHARD)))?.signalledAt != null);
  expect(ofShard()).toEqual([SHARD, SHARD]);
});
