import { BacklogLease, BacklogReader, forgetBacklog, readBacklog } from '../../../../src/upkeep/backlog';
import { IdleCampaigns } from '../../../../src/marketing/campaigns/reached';
import { oldestDue } from '../../../../src/records/emails/oldest-due';
import { metrics } from '../../../../src/platform/metrics/metrics';
import { aProject } from '../../../support/platform/app';
import { storeEmails } from '../../../support/data/email-rows';
import { eventually } from '../../../support/platform/platform';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject();

afterEach(() => forgetBacklog());

const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1_000);

async function valuesOf(gauge: { get(): Promise<{ values: { labels: object; value: number }[] }> }): Promise<Record<string, number>> {
  const { values } = await gauge.get();
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(' '), Math.round(value)]));
}

test('the oldest due message of each shard is found, beside anything else that waits', async () => {
  const { projectId } = app.keys;
  await storeEmails(
    projectId,
    { status: 'queued', shard: 3, dueAt: ago(600), priority: 1 },
    { status: 'queued', shard: 3, dueAt: ago(60) },
    { status: 'queued', shard: 5, dueAt: ago(-3_600) },
    { status: 'sending', shard: 7 },
  );
  const [first, ...others] = (await oldestDue(5_000)).flatMap((due, shard) => (due ? [{ shard, due }] : []));
  expect([first?.shard, others.map(({ shard }) => shard)]).toEqual([3, [5]]);
  await readBacklog(new IdleCampaigns());
  const { 3: waiting, ...rest } = await valuesOf(metrics.queueOldest);
  expect(waiting).toBeGreaterThanOrEqual(600);
  expect(waiting).toBeLessThan(700);
  expect(Object.values(rest)).toEqual(Array.from({ length: 15 }, () => 0));
});

test('the oldest due message is found in the index, one key for each project', async () => {
  const plans = await queryPlans('emails', () => oldestDue(5_000));
  expect(plans).toHaveLength(32);
  for (const { plan, sorted } of plans) expect([plan, sorted]).toEqual([expect.stringMatching(/^DISTINCT_SCAN /), false]);
});

test('events, wishes, checks, imports and endpoints that wait have an age, and endpoints their states', async () => {
  const { projectId } = app.keys;
  await stored.events.make({ _id: 'evt_1', projectId, name: 'a', createdAt: ago(90), receivedAt: ago(90), fanOut: 2, fanOutAt: ago(90) });
  await stored.outbox.collection.insertOne({ _id: 'wish', intent: '{}', createdAt: ago(30) });
  const run = { projectId, automationId: 'wfl_1', graphId: 'grf_1', status: 'running', testMode: false, createdAt: ago(90) } as const;
  const execution = { ...run, depth: 0, data: '{}', turn: 0, steps: [] };
  await stored.executions.make([
    { ...execution, _id: 'exe_1', checkAt: ago(50) },
    // Marked by a loss of Temporal, with a week left of its wait: how long ago is not known.
    { ...execution, _id: 'exe_2', checkAt: new Date(7 * 86_400_000) },
  ]);
  await stored.underWay.make({ _id: 'removal/prj_1', intent: '{}', since: ago(900), checkAt: ago(70) });
  const csv = { delimiter: ',', headers: ['email'], columns: ['email'], bytes: 9, position: { offset: 0, row: 0 } } as const;
  const job = { projectId, status: 'processing', enrols: false, testMode: false, createdAt: ago(200), movedAt: ago(110) } as const;
  await stored.imports.make({ ...csv, ...job, _id: 'imp_1' });
  const required = { url: 'https://a.example/', events: ['a'], secret: 'sealed', retiring: [], createdAt: ago(90), updatedAt: ago(90) };
  const endpoint = { ...required, projectId, shard: 1, enabled: true, failures: 0, disabledReason: null };
  await stored.webhooks.make([
    { ...endpoint, _id: 'whk_1', dueAt: ago(45) },
    { ...endpoint, _id: 'whk_2', failures: 3 },
    { ...endpoint, _id: 'whk_3', enabled: false },
    { ...endpoint, _id: 'whk_4', enabled: false, disabledReason: 'failing', failures: 90 },
    { ...endpoint, _id: 'whk_5', enabled: false, disabledReason: 'gone', failures: 1 },
  ]);
  await readBacklog(new IdleCampaigns());
  const gauges = [metrics.fanOutOldest, metrics.outboxOldest, metrics.webhookOldest, metrics.importIdle, metrics.checksOldest];
  const ages = (await Promise.all(gauges.map((gauge) => valuesOf(gauge as typeof metrics.fanOutOldest)))).flatMap(Object.values<number>);
  for (const [index, least] of [90, 30, 45, 110, 50, 70].entries()) {
    const age = ages[index] ?? 0;
    expect(age).toBeGreaterThanOrEqual(least);
    expect(age).toBeLessThan(least + 60);
  }
  expect(await valuesOf(metrics.outboxRows)).toEqual({ '': 1 });
  expect(await valuesOf(metrics.webhookEndpoints)).toEqual({ on: 1, failing: 1, off: 1, switched_off_failing: 1, switched_off_gone: 1 });
  expect(await valuesOf(metrics.executions)).toEqual({ active: 0, completed: 0, exited: 0, failed: 0, cancelled: 0 });
});

test('a campaign that hangs has an age from when it could send on; none that waits, is held or sends has one', async () => {
  const { projectId } = app.keys;
  const campaign = { name: 'Sale', subject: 'Sale', body: '<p>Sale</p>', fromEmail: 'a@hello.test', audience: 'all' };
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) ids.push((await app.api().post('/v1/campaigns').send(campaign).expect(201)).body.data.campaignId as string);
  const [hangs = '', sends = '', ...waits] = ids;
  for (const id of ids) await stored.campaigns.change(id, { status: 'sending', phase: 'frozen', startedAt: ago(3_600) });
  const ahead = ago(-3_600);
  const reasons = [
    { heldReason: 'limit_reached' },
    { paused: { at: ago(900), until: null, retries: 'continue' } },
    { abDecideAt: ahead },
    { rollout: { steps: [], nextAt: ahead } },
  ] as const;
  for (const [index, reason] of reasons.entries()) await stored.campaigns.change(waits[index] ?? '', reason);
  const idle = new IdleCampaigns();
  const now = Date.now();
  const ageAt = async (instant: number): Promise<number> => instant - ((await idle.since(instant, 5_000))?.getTime() ?? instant);
  expect(await ageAt(now)).toBe(0);
  await storeEmails(projectId, { source: 'campaign', campaignId: sends, createdAt: new Date(now + 900_000) });
  expect(await ageAt(now + 960_000)).toBe(960_000);
  await storeEmails(projectId, { source: 'campaign', campaignId: hangs, createdAt: new Date(now + 930_000) });
  expect(await ageAt(now + 960_000)).toBe(60_000);
  for (const id of [hangs, sends]) await stored.campaigns.change(id, { status: 'cancelled' });
  expect(await idle.since(now, 5_000)).toBeNull();
});

test('one process reads for all; another one does when it is gone, or does not renew', async () => {
  const [first, second] = [new BacklogLease(60_000), new BacklogLease(60_000)];
  expect(await first.take()).toBe(true);
  expect(await second.take()).toBe(false);
  expect(await first.take()).toBe(true);
  await first.giveUp();
  expect(await second.take()).toBe(true);
  await stored.backlogLease.change({}, { 'lease.until': ago(1) });
  expect(await first.take()).toBe(true);
  expect(await second.take()).toBe(false);
  await first.giveUp();
});

test('a reader keeps the gauges, and another one has none meanwhile', async () => {
  const { log } = app.core;
  const reader = new BacklogReader(log, { everyMs: 5, leaseMs: 60_000 });
  reader.start();
  await eventually('it is read', async () => ((await valuesOf(metrics.backlogReadAt))[''] ?? 0) > 0);
  await stored.emails.collection.updateMany({ shard: 3 }, { $set: { dueAt: ago(5_000) } });
  await eventually('it is read again', async () => ((await valuesOf(metrics.queueOldest))['3'] ?? 0) >= 5_000);
  await reader.stop();
  const other = new BacklogLease(60_000);
  expect(await other.take()).toBe(true);
  const idle = new BacklogReader(log, { everyMs: 5, leaseMs: 60_000 });
  idle.start();
  await eventually('it forgets what is not its own', async () => (await valuesOf(metrics.backlogReadAt))[''] === 0);
  await idle.stop();
  await other.giveUp();
});
