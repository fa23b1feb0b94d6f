import type { CampaignAt, CampaignPageResult, FinishInput } from '../../src/contracts/campaign';
import { aCampaignBench, aPlan } from '../support/platform/campaign-world';
import type { CampaignWorld } from '../support/platform/campaign-world';
import { detailsOf } from '../support/checks/summaries';
import { eventually } from '../support/platform/platform';

const MINUTE_MS = 60_000;
const bench = aCampaignBench();

/** Two of three recipients wait for Google until `takes`. */
function refusing(world: CampaignWorld, firstCheck: number, takes: () => boolean): void {
  world.plan = aPlan();
  world.page = (): CampaignPageResult => ({
    sent: 1,
    skipped: 0,
    done: true,
    held: null,
    ...(!takes() && { laterAt: new Date(firstCheck).toISOString(), refused: { google: 2 } }),
  });
}

const instants = (world: CampaignWorld): readonly number[] => world.named('checkProviders').map(({ input }) => (input as CampaignAt).now);

test('a campaign that a provider refuses waits, checks when it is told to, and goes on once the check passes', async () => {
  await bench.run(async (world) => {
    const began = await bench.env.currentTimeMs();
    refusing(world, began + 5 * MINUTE_MS, () => instants(world).length >= 3);
    world.left = [2];
    // Each check finds that DNS is not mended, and is followed by a longer wait; the third passes.
    world.checked = ({ now }) => [now + 10 * MINUTE_MS, now + 20 * MINUTE_MS, null][instants(world).length - 1] ?? null;
    const { handle } = await bench.begin(bench.freshId());
    await eventually('it waits', async () => (await detailsOf(handle)).includes('2 wait for google'));
    await handle.result();
    const checks = instants(world).map((at) => Math.round((at - began) / MINUTE_MS));
    expect(checks).toEqual([5, 15, 35]);
    // Nobody is asked for between the checks.
    expect(world.pages).toHaveLength(2);
    const [first, last] = world.named('finishCampaign').map(({ input }) => input as FinishInput);
    expect(first).toMatchObject({ refused: { google: 2 } });
    expect(last).not.toHaveProperty('refused');
    expect(world.status).toBe('sent');
  });
});

test('a person who resumes it ends the wait', async () => {
  await bench.run(async (world) => {
    const began = await bench.env.currentTimeMs();
    let resumed = false;
    refusing(world, began + 60 * MINUTE_MS, () => resumed);
    world.left = [2];
    const { handle, resume } = await bench.begin(bench.freshId());
    await eventually('it waits', async () => (await detailsOf(handle)).includes('2 wait for google'));
    resumed = true;
    await resume();
    await handle.result();
    expect((instants(world)[0] ?? 0) - began).toBeLessThan(5 * MINUTE_MS);
    expect(world.status).toBe('sent');
  });
});

test('it is cancelled while it waits', async () => {
  await bench.run(async (world) => {
    refusing(world, (await bench.env.currentTimeMs()) + 60 * MINUTE_MS, () => false);
    world.left = [2];
    const { handle, cancel } = await bench.begin(bench.freshId());
    await eventually('it waits', async () => (await detailsOf(handle)).includes('2 wait for google'));
    await cancel();
    await handle.result();
    expect(world.named('checkProviders')).toEqual([]);
    expect(world.named('finishCampaign').at(-1)?.input).toMatchObject({ cancelled: true });
  });
});
