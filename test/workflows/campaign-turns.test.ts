import type { CampaignPageInput } from '../../src/contracts/campaign';
import { aCampaignBench, aPlan } from '../support/platform/campaign-world';
import { eventually } from '../support/platform/platform';

const HOUR_MS = 3_600_000;
const bench = aCampaignBench();

const turnsIn = async (...hours: readonly number[]) => {
  const now = await bench.env.currentTimeMs();
  return hours.map((hour) => ({ at: Math.round(now + hour * HOUR_MS), rows: 2 }));
};

const askedAt = (pages: readonly { readonly at: number; readonly input: unknown }[]) =>
  pages.map(({ at, input }) => ({ at, turn: (input as CampaignPageInput).turn }));

test('each turn is sent when it comes, and none before', async () => {
  await bench.run(async (world) => {
    world.turns = await turnsIn(-1, 5, 26);
    world.plan = aPlan({ total: 6, inTurns: true });
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    const pages = askedAt(world.named('sendCampaignPage'));
    expect(pages.map(({ turn }) => turn?.at)).toEqual(world.turns.map(({ at }) => at));
    for (const { at, turn } of pages.slice(1)) {
      expect(at - (turn?.at ?? 0)).toBeGreaterThanOrEqual(0);
      expect(at - (turn?.at ?? 0)).toBeLessThan(60_000);
      expect(turn?.now).toBeGreaterThanOrEqual(turn?.at ?? 0);
    }
    expect(world.status).toBe('sent');
  });
});

test('a turn that appears meanwhile, as of recipients whose window closed again, is sent too', async () => {
  await bench.run(async (world) => {
    const [first, later] = await turnsIn(1, 20);
    if (!first || !later) throw new Error('There are two turns');
    world.turns = [first];
    world.plan = aPlan({ total: 4, inTurns: true });
    world.page = ({ turn }) => {
      if (turn?.at === first.at) world.turns = [first, later];
      return { sent: 1, skipped: 0, done: true, held: null };
    };
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    expect(world.pages.map(({ turn }) => turn?.at)).toEqual([first.at, later.at]);
  });
});

test('a cancel while it waits for a turn ends it, and nothing more is sent', async () => {
  await bench.run(async (world) => {
    world.turns = await turnsIn(-1, 400);
    world.plan = aPlan({ total: 4, inTurns: true });
    const { handle, cancel } = await bench.begin(bench.freshId());
    await eventually('the first turn is sent', () => world.named('nextCampaignTurn').length === 2);
    await bench.env.sleep(HOUR_MS);
    world.status = 'cancelled';
    await cancel();
    // Waiting for the result would let time run: it is to end without that.
    await eventually('it has ended', () => world.named('finishCampaign').length > 0);
    await handle.result();
    expect(world.pages).toHaveLength(1);
    expect(world.named('finishCampaign').at(-1)?.input).toMatchObject({ cancelled: true });
  });
});

test('a pause that lasts beyond a turn holds it, and the next ones follow', async () => {
  await bench.run(async (world) => {
    world.turns = await turnsIn(1, 30);
    world.plan = aPlan({ total: 4, inTurns: true });
    world.pausedUntil = await bench.inMs(10 * HOUR_MS);
    const until = Date.parse(world.pausedUntil);
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    const sent = askedAt(world.named('sendCampaignPage')).filter(({ at }) => at >= until);
    expect(sent.map(({ turn }) => turn?.at)).toEqual(world.turns.map(({ at }) => at));
    // The page learns how late it is.
    expect(sent[0]?.turn?.now).toBeGreaterThanOrEqual(until);
  });
});

test('an A/B test sends its sample in turns, decides, and sends the rest in turns of its own', async () => {
  await bench.run(async (world) => {
    const [first, second, rest] = await turnsIn(1, 3, 40);
    if (!first || !second || !rest) throw new Error('There are three turns');
    const boundary = '80000000';
    world.plan = aPlan({ total: 6, inTurns: true, ab: { sample: 4, boundary, decideAt: await bench.inMs(8 * HOUR_MS) } });
    const turnsOf: Record<string, readonly (typeof rest)[]> = { '': [first, second], [boundary]: [rest] };
    world.nextTurn = ({ from, after }) => (turnsOf[from] ?? []).find(({ at }) => after === null || at > after) ?? null;
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    expect(world.pages.map(({ turn, winner }) => [turn?.at, winner])).toEqual([
      [first.at, null],
      [second.at, null],
      [rest.at, 'a'],
    ]);
    expect(world.named('decideCampaign')[0]?.at).toBeGreaterThan(second.at);
  });
});

test('with a throttle, a turn is cut into its own pages, at the pace of the campaign', async () => {
  await bench.run(async (world) => {
    world.turns = await turnsIn(1, 2);
    world.plan = aPlan({ total: 4, inTurns: true, throttlePerMinute: 60 });
    const places = ['b', null, null];
    world.nextRange = () => places.shift() ?? null;
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    const [one, two] = world.turns.map(({ at }) => at);
    expect(world.named('nextCampaignRange').map(({ input }) => (input as { turn?: number }).turn)).toEqual([one, one, two]);
    expect(world.pages.map(({ from, turn }) => [from, turn?.at])).toEqual([
      ['', one],
      ['b', one],
      ['', two],
    ]);
  });
});
