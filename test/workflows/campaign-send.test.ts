import { campaignAbId, campaignRemovalId, campaignWorkflowId } from '../../src/contracts/campaign';
import type { FinishInput } from '../../src/contracts/campaign';
import { aCampaignBench, aPlan } from '../support/platform/campaign-world';
import { eventually } from '../support/platform/platform';

const HOUR_MS = 3_600_000;
const bench = aCampaignBench();

const AB = (decideAt: string) => aPlan({ total: 250, ab: { sample: 50, boundary: '33333333ctc_x', decideAt } });

test('a campaign that is due at once is frozen, sent and ended', async () => {
  await bench.run(async (world) => {
    world.plan = aPlan({ total: 300 });
    const id = bench.freshId();
    const { handle, progress } = await bench.begin(id);
    await handle.result();
    expect(world.calls.map(({ name }) => name)).toEqual([
      'beginCampaign',
      'freezeCampaign',
      ...Array<string>(3).fill('sendCampaignPage'),
      'finishCampaign',
    ]);
    const ranges = world.pages.map(({ from, to }) => [from, to]).sort();
    expect(ranges).toEqual([
      ['', '55555555'],
      ['55555555', 'aaaaaaaa'],
      ['aaaaaaaa', null],
    ]);
    for (const page of world.pages) expect(page).toMatchObject({ campaignId: id, projectId: 'prj_1', subject: 'a', winner: null });
    expect(world.named('finishCampaign')[0]?.input).toMatchObject({ cancelled: false });
    expect(await progress()).toEqual({ phase: 'sent', total: 300, sent: 300, skipped: 0, page: 3, pages: 3, heldReason: null });
  });
});

test('pages are shared out among the workers of the pool, and the pages of workers that are gone go to the workers that live', async () => {
  await bench.run(async (world) => {
    world.plan = aPlan({ total: 300, queues: ['delivery/gone', 'delivery/lost'] });
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    expect(world.pages).toHaveLength(3);
    const asked = (await handle.fetchHistory()).events?.map((event) => event.activityTaskScheduledEventAttributes?.taskQueue?.name);
    expect(asked?.filter((queue) => queue?.startsWith('delivery/'))).toEqual(['delivery/gone', 'delivery/lost', 'delivery/gone']);
  });
});

test('one that is scheduled 72 hours ahead waits for its time', async () => {
  await bench.run(async (world) => {
    world.status = 'scheduled';
    const { handle, progress } = await bench.begin(bench.freshId(), { scheduledFor: await bench.inMs(72 * HOUR_MS) });
    const began = await bench.env.currentTimeMs();
    await bench.env.sleep(71.9 * HOUR_MS);
    expect(world.calls).toEqual([]);
    expect(await progress()).toMatchObject({ phase: 'scheduled', total: null });
    await handle.result();
    const at = world.named('beginCampaign')[0]?.at ?? 0;
    expect(at - began).toBeGreaterThanOrEqual(72 * HOUR_MS - 1_000);
    expect(at - began).toBeLessThan(72 * HOUR_MS + 60_000);
    expect(world.named('beginCampaign')[0]?.input).toMatchObject({ now: expect.any(Number) });
    expect(world.status).toBe('sent');
  });
});

test('a resend gathers its segment before it waits', async () => {
  await bench.run(async (world) => {
    world.status = 'scheduled';
    const { handle } = await bench.begin(bench.freshId(), { scheduledFor: await bench.inMs(HOUR_MS), gathers: true });
    await handle.result();
    const [gather, begin] = world.calls;
    expect([gather?.name, begin?.name]).toEqual(['gatherNonOpeners', 'beginCampaign']);
    expect((begin?.at ?? 0) - (gather?.at ?? 0)).toBeGreaterThan(HOUR_MS - 60_000);
  });
});

test('an experiment sends the sample, decides after 4 hours, and sends the rest with the winner’s subject', async () => {
  await bench.run(async (world) => {
    world.winner = 'b';
    world.plan = AB(await bench.inMs(4 * HOUR_MS));
    const id = bench.freshId();
    const { handle, progress } = await bench.begin(id);
    await eventually('the sample is sent', async () => (await progress()).phase === 'deciding');
    expect(world.pages).toEqual([expect.objectContaining({ from: '', to: '33333333ctc_x', subject: 'own', winner: null })]);
    const decision = bench.env.client.workflow.getHandle(campaignAbId(id));
    const child = await eventually('the decision waits', () => decision.describe().catch(() => null));
    expect(child.status.name).toBe('RUNNING');
    expect(child.typedSearchAttributes.getAll()).toHaveLength(3);
    await bench.env.sleep(3.9 * HOUR_MS);
    expect(world.named('decideCampaign')).toEqual([]);
    await handle.result();
    expect(world.named('decideCampaign')).toHaveLength(1);
    expect((world.named('decideCampaign')[0]?.at ?? 0) - (world.named('freezeCampaign')[0]?.at ?? 0)).toBeGreaterThanOrEqual(
      3.99 * HOUR_MS,
    );
    expect(
      world.pages
        .slice(1)
        .map(({ from, to, subject, winner }) => [from, to, subject, winner])
        .sort(),
    ).toEqual([
      ['33333333ctc_x', '99999999', 'b', 'b'],
      ['99999999', null, 'b', 'b'],
    ]);
    expect(world.status).toBe('sent');
  });
});

test('an experiment on everybody ends when all is sent, and has its winner later', async () => {
  await bench.run(async (world) => {
    world.plan = aPlan({ total: 10, ab: { sample: 10, boundary: null, decideAt: await bench.inMs(4 * HOUR_MS) } });
    const { handle } = await bench.begin(bench.freshId());
    await eventually('it has ended', () => world.status === 'sent');
    expect(world.named('decideCampaign')).toEqual([]);
    await handle.result();
    expect(world.calls.map(({ name }) => name).slice(-3)).toEqual(['sendCampaignPage', 'finishCampaign', 'decideCampaign']);
  });
});

describe('cancel', () => {
  test.each(['scheduled', 'deciding', 'held'] as const)('while it is %s ends it at once', async (phase) => {
    await bench.run(async (world) => {
      const scheduledFor = phase === 'scheduled' ? await bench.inMs(72 * HOUR_MS) : null;
      if (scheduledFor) world.status = 'scheduled';
      if (phase === 'deciding') world.plan = AB(await bench.inMs(4 * HOUR_MS));
      if (phase === 'held') world.page = () => ({ sent: 0, skipped: 0, done: false, held: 'limit_reached' });
      const { handle, progress, cancel } = await bench.begin(bench.freshId(), { scheduledFor });
      await eventually(`it is ${phase}`, async () => (await progress()).phase === phase);
      world.status = 'cancelled';
      const at = await bench.env.currentTimeMs();
      await cancel();
      // Waiting for the result would let time run: it is to end without that.
      await eventually('it has ended', () => world.named('finishCampaign').length > 0);
      await handle.result();
      const last = world.calls.at(-1);
      expect(last).toMatchObject({ name: 'finishCampaign', input: { cancelled: true } });
      expect((last?.at ?? 0) - at).toBeLessThan(60_000);
      expect(world.status).toBe('cancelled');
      expect(world.named('decideCampaign')).toEqual([]);
      expect((await progress()).phase).toBe('cancelled');
    });
  });

  test('before the workflow has begun is found by its first step', async () => {
    await bench.run(async (world) => {
      world.status = 'cancelled';
      await (await bench.begin(bench.freshId())).handle.result();
      expect(world.calls.map(({ name }) => name)).toEqual(['beginCampaign', 'finishCampaign']);
      expect(world.calls[1]?.input).toMatchObject({ cancelled: true });
    });
  });

  test('that a page finds before the signal comes ends it too', async () => {
    await bench.run(async (world) => {
      world.plan = aPlan({ total: 9_000 });
      world.page = () => {
        world.status = 'cancelled';
        return { sent: 1, skipped: 0, done: false, held: null, over: true };
      };
      await (await bench.begin(bench.freshId())).handle.result();
      expect(world.pages.length).toBeLessThanOrEqual(4);
      expect(world.calls.at(-1)).toMatchObject({ name: 'finishCampaign', input: { cancelled: true } });
    });
  });

  test('of the workflow, by an operator, is a cancel of the campaign', async () => {
    await bench.run(async (world) => {
      world.status = 'scheduled';
      const { handle } = await bench.begin(bench.freshId(), { scheduledFor: await bench.inMs(72 * HOUR_MS) });
      await handle.cancel();
      await handle.result();
      expect(world.calls).toEqual([
        expect.objectContaining({ name: 'finishCampaign', input: expect.objectContaining({ cancelled: true }) }),
      ]);
    });
  });
});

test('one that is held asks again every few seconds, says why, and goes on when that lifts', async () => {
  await bench.run(async (world) => {
    world.page = () => ({ sent: 0, skipped: 0, done: false, held: 'reputation_paused' });
    const { handle, progress } = await bench.begin(bench.freshId());
    await eventually('it is held', async () => (await progress()).phase === 'held');
    expect(await progress()).toMatchObject({ heldReason: 'reputation_paused' });
    await bench.env.sleep('3 minutes');
    expect(world.pages.length).toBeGreaterThan(9);
    expect(new Set(world.pages.map((page) => JSON.stringify(page))).size).toBe(1);
    world.page = () => ({ sent: 2, skipped: 1, done: true, held: null });
    await handle.result();
    const times = world.named('sendCampaignPage').map(({ at }) => at);
    expect(Math.max(...times.slice(1).map((at, index) => at - (times[index] ?? 0)))).toBeLessThan(20_000);
    expect(await progress()).toMatchObject({ phase: 'sent', heldReason: null });
  });
});

test('a page that is not done is asked for again, and so is everything when a recipient was missed', async () => {
  await bench.run(async (world) => {
    world.left = [2, 1];
    let asked = 0;
    world.page = () => ({ sent: 1, skipped: 0, done: ++asked % 2 === 0, held: null });
    await (await bench.begin(bench.freshId())).handle.result();
    expect(world.pages).toHaveLength(6);
    expect(world.named('finishCampaign')).toHaveLength(3);
    expect(world.status).toBe('sent');
  });
});

test('recipients who wait for a frequency cap are looked at again when it has room, and within an hour, as it may be changed', async () => {
  await bench.run(async (world) => {
    const laterAt = await bench.inMs(2.5 * HOUR_MS);
    world.left = [3, 2, 1];
    world.page = () => ({ sent: 1, skipped: 0, done: true, held: null, ...(world.left.length > 0 && { laterAt }) });
    await (await bench.begin(bench.freshId())).handle.result();
    const looks = world.named('sendCampaignPage').map(({ at }) => at);
    const waits = looks.slice(1).map((at, index) => Math.round((at - (looks[index] ?? 0)) / (HOUR_MS / 2)));
    expect(waits).toEqual([2, 2, 1]);
    expect(Math.abs((looks.at(-1) ?? 0) - Date.parse(laterAt))).toBeLessThan(HOUR_MS / 20);
    expect(world.named('finishCampaign').map(({ input }) => (input as FinishInput).capped ?? false)).toEqual([true, true, true, false]);
  });
});

test('a million recipients are a thousand pages, four at a time, in short histories, each page once', async () => {
  await bench.run(async (world) => {
    world.plan = aPlan({ total: 1_000_000 });
    const id = bench.freshId();
    const { handle } = await bench.begin(id);
    await handle.result();
    const froms = world.pages.map(({ from }) => from);
    expect(new Set(froms).size).toBe(1_000);
    expect(froms).toHaveLength(1_000);
    expect(world.named('freezeCampaign')).toHaveLength(1);
    const lengths = await bench.historyLengths(campaignWorkflowId(id), handle.firstExecutionRunId);
    expect(lengths.length).toBeGreaterThan(1);
    expect(Math.max(...lengths)).toBeLessThan(5_000);
  });
}, 240_000);

describe('a throttle', () => {
  test('spaces pages of a second’s share evenly', async () => {
    await bench.run(async (world) => {
      world.plan = aPlan({ total: 50, throttlePerMinute: 600 });
      world.nextRange = ({ from }) => (from === '' ? '1' : Number(from) < 4 ? String(Number(from) + 1) : null);
      await (await bench.begin(bench.freshId())).handle.result();
      expect(world.named('nextCampaignRange').map(({ input }) => (input as { rows: number }).rows)).toEqual([10, 10, 10, 10, 10]);
      expect(world.pages.map(({ from, to }) => [from, to])).toEqual([
        ['', '1'],
        ['1', '2'],
        ['2', '3'],
        ['3', '4'],
        ['4', null],
      ]);
      const times = world.named('sendCampaignPage').map(({ at }) => at);
      expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(3_500);
    });
  });

  test('of six a minute sends one each ten seconds', async () => {
    await bench.run(async (world) => {
      world.plan = aPlan({ total: 3, throttlePerMinute: 6 });
      world.nextRange = ({ from }) => (from === '' ? '1' : from === '1' ? '2' : null);
      await (await bench.begin(bench.freshId())).handle.result();
      const [first = 0, second = 0, third = 0] = world.named('sendCampaignPage').map(({ at }) => at);
      for (const gap of [second - first, third - second]) {
        expect(gap).toBeGreaterThanOrEqual(9_500);
        expect(gap).toBeLessThan(15_000);
      }
    });
  });
});

test('what a deleted campaign leaves is removed, and once more what came late', () =>
  bench.run(async (world) => {
    const key = { campaignId: bench.freshId(), projectId: 'prj_1' };
    const options = { workflowId: campaignRemovalId(key.campaignId), taskQueue: 'orchestration', args: [key] };
    await bench.env.client.workflow.execute('campaignRemoval', options);
    expect(world.named('removeCampaign').map(({ input }) => input)).toEqual([key, key]);
  }));
