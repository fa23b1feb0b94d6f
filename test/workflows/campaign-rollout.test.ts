import type { CampaignPageInput, CampaignPlan, CheckRolloutInput, RolloutChecked } from '../../src/contracts/campaign';
import { aCampaignBench, aPlan } from '../support/platform/campaign-world';
import type { CampaignWorld } from '../support/platform/campaign-world';
import { detailsOf } from '../support/checks/summaries';
import { eventually } from '../support/platform/platform';

const HOUR_MS = 3_600_000;
const bench = aCampaignBench();

const PASSED: RolloutChecked = { state: 'passed', until: null, held: null };
const STOPPED: RolloutChecked = { state: 'held', until: null, held: 'rollout_stopped' };

/** One percent, ten, and the rest of a thousand recipients. */
const STEPS: NonNullable<CampaignPlan['rollout']> = [
  { percent: 1, rows: 10, to: '028f' },
  { percent: 10, rows: 90, to: '1999' },
  { percent: 100, rows: 900, to: null },
];

/** The documents: each step waits so many hours from its first look on; `judged` is what its look then finds. */
function inSteps(world: CampaignWorld, hours: number, judged: (input: CheckRolloutInput) => RolloutChecked = () => PASSED): void {
  world.plan = aPlan({ total: 1_000, rollout: STEPS });
  const dues = new Map<number, number>();
  world.rollout = (input) => {
    const { step, now } = input;
    const due = dues.get(step) ?? now + hours * HOUR_MS;
    dues.set(step, due);
    return due > now ? { state: 'waits', until: due, held: null } : judged(input);
  };
}

/** Where the pages of each step end, in order, and how many hours after the start they were asked for. */
const stepsSent = (world: CampaignWorld, began: number) => {
  const seen = new Map<string, number>();
  for (const { input, at } of world.named('sendCampaignPage')) {
    const step = STEPS.find(({ to }) => to === null || (input as CampaignPageInput).from < to);
    const name = `${step?.percent ?? 0} %`;
    if (!seen.has(name)) seen.set(name, Math.round((at - began) / HOUR_MS));
  }
  return [...seen];
};

test('each step is sent after the wait of the one before, and its pages meet without a gap', async () => {
  await bench.run(async (world) => {
    const began = await bench.env.currentTimeMs();
    inSteps(world, 6);
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    expect(stepsSent(world, began)).toEqual([
      ['1 %', 0],
      ['10 %', 6],
      ['100 %', 12],
    ]);
    const ranges = world.pages.map(({ from, to }) => [from, to] as const).sort(([a], [b]) => (a < b ? -1 : 1));
    expect(ranges[0]?.[0]).toBe('');
    expect(ranges.at(-1)?.[1]).toBeNull();
    expect(ranges.slice(1).map(([from]) => from)).toEqual(ranges.slice(0, -1).map(([, to]) => to));
    // The last step is judged by nothing: nobody comes after it.
    expect(world.named('checkRollout').map(({ input }) => (input as CheckRolloutInput).step)).toEqual([0, 0, 1, 1]);
    expect(world.status).toBe('sent');
  });
});

test('its details in Temporal say which step waits, and until when', async () => {
  await bench.run(async (world) => {
    inSteps(world, 6);
    const { handle, progress, cancel } = await bench.begin(bench.freshId());
    await eventually('it waits', async () => (await detailsOf(handle)).includes('step 1 of 3 (1 %) is sent, the next one begins at '));
    expect(await progress()).toMatchObject({ phase: 'waiting', heldReason: null });
    await cancel();
    await handle.result();
  });
});

test('a step that went wrong holds the campaign until a person resumes it', async () => {
  await bench.run(async (world) => {
    let isResumed = false;
    inSteps(world, 1, ({ step }) => (step === 0 && !isResumed ? STOPPED : PASSED));
    const { handle, progress, resume } = await bench.begin(bench.freshId());
    await eventually('it is held', async () => {
      if (world.named('checkRollout').length === 1) await bench.env.sleep(HOUR_MS);
      return (await progress()).phase === 'held';
    });
    expect(await progress()).toMatchObject({ heldReason: 'rollout_stopped' });
    const before = world.pages.length;
    await bench.env.sleep(48 * HOUR_MS);
    expect(world.pages).toHaveLength(before);
    isResumed = true;
    await resume();
    await handle.result();
    expect(world.status).toBe('sent');
  });
});

test('a hold that ends by itself is looked at when it is told to, and the next step follows', async () => {
  await bench.run(async (world) => {
    const began = await bench.env.currentTimeMs();
    let looks = 0;
    inSteps(world, 1, ({ step, now }) =>
      step === 0 && ++looks < 3 ? { state: 'held', until: now + 2 * HOUR_MS, held: 'provider_refuses' } : PASSED,
    );
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    expect(stepsSent(world, began)).toEqual([
      ['1 %', 0],
      ['10 %', 5],
      ['100 %', 6],
    ]);
  });
});

test('a cancel in the wait after a step ends it, and nothing more is sent', async () => {
  await bench.run(async (world) => {
    inSteps(world, 400);
    const { handle, cancel } = await bench.begin(bench.freshId());
    await eventually('it waits', () => world.named('checkRollout').length === 1);
    const before = world.pages.length;
    world.status = 'cancelled';
    await cancel();
    await eventually('it has ended', () => world.named('finishCampaign').length > 0);
    await handle.result();
    expect(world.pages).toHaveLength(before);
    expect(world.named('finishCampaign').at(-1)?.input).toMatchObject({ cancelled: true });
  });
});

test('recipients who are still pending at the end are asked for in the same pages, without another wait', async () => {
  await bench.run(async (world) => {
    const passed = new Set<number>();
    inSteps(world, 6, ({ step }) => (passed.add(step), PASSED));
    world.left = [5];
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    const ranges = world.pages.map(({ from, to }) => `${from}-${String(to)}`);
    const half = ranges.length / 2;
    expect(new Set(ranges.slice(half))).toEqual(new Set(ranges.slice(0, half)));
    const [, again] = world.named('finishCampaign');
    const looks = world.named('checkRollout');
    expect((again?.at ?? 0) - (looks[3]?.at ?? 0)).toBeLessThan(HOUR_MS);
  });
});

test('a step without recipients is neither sent nor waited for', async () => {
  await bench.run(async (world) => {
    inSteps(world, 6);
    world.plan = aPlan({
      total: 1,
      rollout: [
        { percent: 1, rows: 1, to: null },
        { percent: 50, rows: 0, to: null },
        { percent: 100, rows: 0, to: null },
      ],
    });
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    expect(world.pages).toHaveLength(1);
    expect(world.named('checkRollout')).toHaveLength(0);
  });
});

test('with turns, each step is sent in the turns of its own recipients', async () => {
  await bench.run(async (world) => {
    inSteps(world, 6);
    world.plan = aPlan({ total: 1_000, inTurns: true, rollout: STEPS });
    world.nextTurn = ({ after }) => (after === null ? { at: 1_000, rows: 5 } : null);
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    const asked = world.named('nextCampaignTurn').map(({ input }) => (input as { from: string; to: string | null }).from);
    expect([...new Set(asked)]).toEqual(['', '028f', '1999']);
    expect(world.pages.every(({ turn }) => turn?.at === 1_000)).toBe(true);
  });
});
