import { wantedSignal } from '../../src/contracts/campaign';
import { aCampaignBench, aPlan } from '../support/platform/campaign-world';
import { detailsOf } from '../support/checks/summaries';
import { eventually } from '../support/platform/platform';

const HOUR_MS = 3_600_000;
const bench = aCampaignBench();

test('a paused campaign asks for no page until it is resumed, and then goes on at once', async () => {
  await bench.run(async (world) => {
    world.plan = aPlan({ total: 1 });
    world.pausedUntil = null;
    const { handle, progress, resume } = await bench.begin(bench.freshId());
    await eventually('it waits', async () => (await progress()).heldReason === 'paused');
    const asked = world.pages.length;
    await bench.env.sleep(5 * HOUR_MS);
    expect(world.pages).toHaveLength(asked);
    expect(await detailsOf(handle)).toContain('paused');
    world.pausedUntil = undefined;
    const resumedAt = await bench.env.currentTimeMs();
    await resume();
    await handle.result();
    expect((world.named('sendCampaignPage').at(-1)?.at ?? 0) - resumedAt).toBeLessThan(60_000);
    expect(world.status).toBe('sent');
  });
});

test('a pause with an end is over at that instant', async () => {
  await bench.run(async (world) => {
    world.plan = aPlan({ total: 1 });
    const until = await bench.inMs(30 * HOUR_MS);
    world.pausedUntil = until;
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    const [end] = world.named('endCampaignPause');
    expect(end?.input).toMatchObject({ until });
    expect((end?.at ?? 0) - Date.parse(until)).toBeGreaterThanOrEqual(0);
    expect((end?.at ?? 0) - Date.parse(until)).toBeLessThan(60_000);
    expect(world.status).toBe('sent');
  });
});

test('a pause that is shortened ends at its new instant', async () => {
  await bench.run(async (world) => {
    world.plan = aPlan({ total: 1 });
    world.pausedUntil = null;
    const { handle, progress, resume } = await bench.begin(bench.freshId());
    await eventually('it waits', async () => (await progress()).heldReason === 'paused');
    const until = await bench.inMs(HOUR_MS);
    world.pausedUntil = until;
    await resume();
    await handle.result();
    expect(world.named('endCampaignPause').map(({ input }) => (input as { until: string }).until)).toEqual([until]);
  });
});

test('a throttled campaign does not catch up on the time of its pause', async () => {
  await bench.run(async (world) => {
    world.plan = aPlan({ total: 3, throttlePerMinute: 60 });
    const places = ['b', 'c', null];
    world.nextRange = () => places.shift() ?? null;
    const paused = await bench.inMs(2 * HOUR_MS);
    world.page = ({ from }) => {
      if (from === '') world.pausedUntil = paused;
      return { sent: 1, skipped: 0, done: true, held: null };
    };
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    const sent = world.named('sendCampaignPage').filter(({ at }) => at > Date.parse(paused));
    expect(sent).toHaveLength(2);
    expect((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0)).toBeGreaterThanOrEqual(900);
  });
});

test('a start that was taken back ends the workflow, and nothing is sent', async () => {
  await bench.run(async (world) => {
    world.status = 'scheduled';
    const scheduledFor = await bench.inMs(72 * HOUR_MS);
    const { handle, unschedule } = await bench.begin(bench.freshId(), { scheduledFor });
    await unschedule(scheduledFor);
    await handle.result();
    expect(world.calls).toEqual([]);
  });
});

test('a late signal of an earlier start does nothing to the start after it', async () => {
  await bench.run(async (world) => {
    world.status = 'scheduled';
    const [first, second] = [await bench.inMs(72 * HOUR_MS), await bench.inMs(90 * HOUR_MS)];
    const id = bench.freshId();
    const { handle, unschedule } = await bench.begin(id, { scheduledFor: first });
    await handle.signal(wantedSignal, { campaignId: id, projectId: 'prj_1', scheduledFor: second });
    await eventually('it waits for the second instant', async () => (await handle.describe()).runId !== handle.firstExecutionRunId);
    await unschedule(first);
    await bench.env.client.workflow.getHandle(handle.workflowId).result();
    expect(world.named('beginCampaign')[0]?.at).toBeGreaterThanOrEqual(Date.parse(second) - 1_000);
    expect(world.status).toBe('sent');
  });
});
