import { wantedSignal } from '../../src/contracts/campaign';
import { aCampaignBench } from '../support/platform/campaign-world';

// Documents that were restored to before what the workflow did, and workflows that were lost after what the documents say.

const HOUR_MS = 3_600_000;
const bench = aCampaignBench();

test('a campaign that is to be sent still begins anew, and is not cancelled', async () => {
  await bench.run(async (world) => {
    let asked = 0;
    world.page = () =>
      ++asked === 1 ? { sent: 0, skipped: 0, done: false, held: null, over: true } : { sent: 1, skipped: 0, done: true, held: null };
    world.said = [{ behind: true, pending: 1 }];
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    expect(world.named('finishCampaign').map(({ input }) => input)).toEqual([
      expect.objectContaining({ cancelled: true, found: true }),
      expect.objectContaining({ cancelled: false }),
    ]);
    expect(world.named('freezeCampaign')).toHaveLength(2);
  });
});

test('one whose audience is not frozen any more when it ends begins anew', async () => {
  await bench.run(async (world) => {
    world.said = [{ behind: true, pending: 1 }];
    world.left = [1];
    const { handle } = await bench.begin(bench.freshId());
    await handle.result();
    expect(world.named('freezeCampaign')).toHaveLength(2);
    expect(world.status).toBe('sent');
  });
});

test('one that waits for another time than is wanted now begins anew; wanted again as it stands, it waits on', async () => {
  await bench.run(async (world) => {
    world.status = 'scheduled';
    const scheduledFor = await bench.inMs(72 * HOUR_MS);
    const id = bench.freshId();
    const { handle, progress } = await bench.begin(id, { scheduledFor });
    await handle.signal(wantedSignal, { campaignId: id, projectId: 'prj_1', scheduledFor });
    expect(await progress()).toMatchObject({ phase: 'scheduled' });
    await handle.signal(wantedSignal, { campaignId: id, projectId: 'prj_1', scheduledFor: null });
    await handle.result();
    expect(world.named('beginCampaign')[0]?.at ?? Infinity).toBeLessThan(Date.parse(scheduledFor));
    expect(world.named('finishCampaign')).toEqual([expect.objectContaining({ input: expect.objectContaining({ cancelled: false }) })]);
  });
});

test('one that is sent, and whose workflow was lost before the decision, is decided', async () => {
  await bench.run(async (world) => {
    world.status = 'sent';
    world.said = [{ decideAt: await bench.inMs(4 * HOUR_MS) }];
    const { handle, progress } = await bench.begin(bench.freshId());
    await handle.result();
    expect(world.calls.map(({ name }) => name)).toEqual(['beginCampaign', 'finishCampaign', 'decideCampaign']);
    expect(await progress()).toMatchObject({ phase: 'sent' });
  });
});
