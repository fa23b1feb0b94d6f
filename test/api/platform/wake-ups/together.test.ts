import { deliveryPumpId } from '../../../../src/contracts/delivery';
import { wakeDelivery } from '../../../../src/platform/wake-ups';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { stored } from '../../../support/data/stored';

const app = aProject();

/** Of no mail: a process keeps what wakes of a shard are under way. */
const [SHARD, OTHER] = [1_000_007, 1_000_008];
const wakesOf = async (shard: number) => (await stored.wakes.one(deliveryPumpId(shard)))?.sequence ?? 0;

/** Signals of the pump under test that have begun, each with what ends it. */
const signals: (() => void)[] = [];
const signal = (shard: number): Promise<void> => (shard === SHARD ? new Promise((resolve) => signals.push(resolve)) : Promise.resolve());
let core: Parameters<typeof wakeDelivery>[0];
const wake = (shard: number): void => wakeDelivery(core, shard);

beforeAll(() => {
  core = { log: app.core.log, processes: { ...app.core.processes, wakeDelivery: signal } };
});

/** Resolves when all wakes that were wanted before are written: later ones go in a later write. */
async function settled(): Promise<void> {
  const before = await wakesOf(OTHER);
  wake(OTHER);
  await eventually('the other pump is woken', async () => (await wakesOf(OTHER)) > before);
}

test('requests that were stored together wake a pump once; one that comes while it is being woken wakes it again', async () => {
  for (let request = 0; request < 24; request++) wake(SHARD);
  await eventually('the pump is being signalled', () => signals.length === 1);
  signals[0]?.();
  await eventually('that is noted', async () => (await stored.wakes.one(deliveryPumpId(SHARD)))?.signalledAt != null);
  await settled();
  await settled();
  expect(await wakesOf(SHARD)).toBe(1);

  await stored.wakes.remove();
  wake(SHARD);
  await eventually('the pump is being signalled again', () => signals.length === 2);
  wake(SHARD);
  signals[1]?.();
  await eventually('it is woken once more', async () => (await wakesOf(SHARD)) === 2);
});
