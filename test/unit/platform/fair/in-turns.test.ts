import { FairQueue } from '../../../../src/platform/fair/fair-queue';

const places = (most: number): FairQueue => new FairQueue({ most, away: { patienceMs: 30_000 } });

afterEach(() => jest.useRealTimers());

/** Asks for turns in this order, and gives each back as soon as it has begun; says in which order they came. */
async function served(turns: FairQueue, networks: readonly string[]): Promise<readonly string[]> {
  const order: string[] = [];
  await Promise.all(
    networks.map(async (network) => {
      const finished = await turns.take(network);
      order.push(network);
      await new Promise(setImmediate);
      finished?.();
    }),
  );
  return order;
}

test('a network that asks often waits for itself', async () => {
  expect(await served(places(1), ['a', 'a', 'a', 'a', 'b', 'c', 'b'])).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a']);
});

test('while another waits, no network has two places', async () => {
  const turns = places(2);
  const first = await turns.take('a');
  const begun: string[] = [];
  const second = await turns.take('a');
  for (const network of ['a', 'b', 'c']) void turns.take(network).then(() => begun.push(network));
  first?.();
  await new Promise(setImmediate);
  expect(begun).toEqual(['b']);
  second?.();
  await new Promise(setImmediate);
  expect(begun).toEqual(['b', 'c']);
});

test('a turn that does not come is not waited for', async () => {
  jest.useFakeTimers();
  const turns = places(1);
  const finished = await turns.take('a');
  const late = turns.take('b');
  jest.advanceTimersByTime(30_000);
  expect(await late).toBeNull();
  finished?.();
  expect(await turns.take('b')).not.toBeNull();
});
