import { Worker } from '@temporalio/worker';
import type { CampaignKey, SeriesOutlook, SeriesTurnInput } from '../../../../src/contracts/campaign';
import { cancelSignal, campaignSeriesId } from '../../../../src/contracts/campaign';
import { finishCampaign } from '../../../../src/marketing/campaigns/finish';
import { freezeAudience } from '../../../../src/marketing/campaigns/freeze';
import { beginningOf } from '../../../../src/marketing/campaigns/series';
import { advanceSeries } from '../../../../src/marketing/series';
import { DUE } from '../../../../src/platform/temporal/search-attributes';
import { delayUntil } from '../../../../src/rules/automation/delay';
import type { Schedule } from '../../../../src/rules/recurrence/schedule';
import { campaignCalls, hostOf } from '../../../support/calls/campaigns';
import { FORMATS, entries } from '../../../support/data/feeds';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { eventually } from '../../../support/platform/platform';
import { aTimeSkippingServer } from '../../../support/platform/time-skipping';
import { testWorkflowCode } from '../../../support/run/servers';
import { aFreshReceiver } from '../../../support/servers/webhooks';

const DAY_MS = 86_400_000;
/** Long enough for a change of clocks, whenever it begins. */
const WEEKS = 32;
const READERS = ['ada@example.com', 'grace@example.com', 'joan@example.com'];

const app = aProject({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' },
});
const server = aFreshReceiver();
const { act, api, contact, deliver, draft, get, rows } = campaignCalls(() => app);

/** The same numbers in each run, evenly between 0 and 1. */
const numbers = (seed: number) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

/** Sends to the audience of a turn and ends it, without the workflow of its campaign. */
async function sendTurn(key: CampaignKey, now: number): Promise<void> {
  await freezeAudience(key, hostOf());
  await deliver(await rows(key.campaignId));
  await finishCampaign(app.core, { ...key, now, cancelled: false }, () => undefined);
}

/** Turns of workers that are killed in the middle of their work, as often as `chance` says. Each is done as the product does it. */
const lookWith =
  (chance: () => number) =>
  async (input: SeriesTurnInput): Promise<SeriesOutlook> => {
    if (chance() < 0.1) throw new Error('Killed before it began');
    const outlook = await advanceSeries(app.core, input);
    const begun = await stored.campaigns.one({ 'turn.seriesId': input.campaignId, status: 'sending' } as never);
    if (begun && chance() < 0.9) await sendTurn({ campaignId: begun._id, projectId: input.projectId }, input.now);
    if (chance() < 0.2) throw new Error('Killed when it was done');
    return outlook;
  };

const env = aTimeSkippingServer({});

/** Runs a worker for as long as `work` takes. It keeps no workflow in memory: the next one begins from the history, as after a kill. */
async function withWorker<T>(chance: () => number, work: () => Promise<T>): Promise<T> {
  const common = { connection: env.nativeConnection, activities: { seriesTurn: lookWith(chance) } };
  const caller = await Worker.create({ ...common, taskQueue: 'http' });
  const worker = await Worker.create({
    ...common,
    taskQueue: 'orchestration',
    workflowBundle: testWorkflowCode(),
    maxCachedWorkflows: 0,
  });
  return caller.runUntil(worker.runUntil(work()));
}

async function begun(schedule: object, more: object = {}): Promise<string> {
  const { campaignId } = await draft({ schedule, ...more });
  await act(campaignId, 'send').expect(200);
  // The server's time is ahead of this machine's, by what earlier tests have skipped.
  const { schedule: rule } = await stored.campaigns.get(campaignId);
  const series = beginningOf(rule as Schedule, new Date(await env.currentTimeMs()));
  await stored.campaigns.change(campaignId, { $set: { series } });
  return campaignId;
}

const start = (campaignId: string) =>
  env.client.workflow.start('campaignSeries', {
    workflowId: campaignSeriesId(campaignId),
    taskQueue: 'orchestration',
    args: [{ campaignId, projectId: app.keys.projectId }],
  });

test('a weekly series over a change of clocks, with workers that are killed and restarted at random: each Tuesday has one turn, and everybody is in it once', async () => {
  for (const email of READERS) await contact(email);
  const id = await begun({ rrule: 'FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0', timezone: 'Europe/Berlin', count: WEEKS, catchUp: 'ask' });
  const first = (await get(id))['nextTurnAt'] as string;
  const chance = numbers(20_261_128);
  const series = await start(id);
  // Each round has new workers, and between two rounds there is none.
  for (let day = 0; day < 7 * WEEKS;) {
    const days = 1 + Math.floor(chance() * 60);
    await withWorker(chance, () => env.sleep(days * DAY_MS));
    day += days;
  }
  await withWorker(chance, () => series.result());

  const tuesdays: string[] = [];
  for (let at = new Date(Date.parse(first) - 1); tuesdays.length < WEEKS;) {
    at = delayUntil({ time: '09:00', timezone: 'Europe/Berlin', weekdays: [2] }, at);
    tuesdays.push(at.toISOString());
  }
  const turns = await stored.turns.all({ _id: { $gt: `${id}/`, $lt: `${id}0` } }, { _id: 1 });
  expect(turns.map(({ at }) => at.toISOString())).toEqual(tuesdays);
  expect(turns.map(({ number }) => number)).toEqual(tuesdays.map((_at, index) => index + 1));
  expect(turns.filter(({ skipReason }) => skipReason !== null)).toEqual([]);
  for (const { campaignId } of turns) {
    const emails = await stored.emails.all({ campaignId: String(campaignId) });
    expect(emails.map(({ to }) => to).sort()).toEqual(READERS);
  }
  expect(await stored.campaigns.count({ 'turn.seriesId': id })).toBe(WEEKS);
  expect(await get(id)).toMatchObject({ status: 'sent', turns: WEEKS, nextTurnAt: null });
}, 600_000);

test('a feed that is often down, with workers that are killed and restarted at random: each entry is in one turn, and none is lost', async () => {
  const [published, days] = [5, 10];
  await contact('linus@example.com');
  const chance = numbers(81);
  let listed = 0;
  server.answer = (res) => {
    if (chance() < 0.8) return void res.writeHead(503).end();
    listed = Math.min(published, listed + Math.floor(chance() * 4));
    res.end(FORMATS.atom(entries(...Array.from({ length: listed }, (_, index) => index + 1))));
  };
  const feed = { url: server.url, maxItems: 2 };
  const id = await begun({ rrule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', timezone: 'UTC', count: days, catchUp: 'latest' }, { feed });
  const series = await start(id);
  for (let day = 0; day < days; day += 5) await withWorker(chance, () => env.sleep(5 * DAY_MS));
  await withWorker(chance, () => series.result());

  const turns = await stored.turns.all({ _id: { $gt: `${id}/`, $lt: `${id}0` } }, { _id: 1 });
  const sent = turns.flatMap(({ items = [] }) => items.map(({ guid }) => guid));
  expect(sent.sort()).toEqual(
    entries(...Array.from({ length: published }, (_, index) => index + 1))
      .map(({ id: guid }) => guid)
      .sort(),
  );
  expect(turns.map(({ number }) => number)).toEqual(Array.from({ length: days }, (_, index) => index + 1));
  for (const { campaignId, items = [] } of turns.filter((turn) => turn.campaignId !== null)) {
    const { feedContent } = await stored.campaigns.get(String(campaignId));
    expect(feedContent?.items.map(({ guid }) => guid)).toEqual(items.map(({ guid }) => guid));
  }
  const failed = turns.filter(({ skipReason }) => skipReason === 'feed_failed');
  expect(failed.length).toBeGreaterThan(0);
  expect(await stored.events.count({ name: 'email.feed_failed' })).toBe(failed.length);
}, 600_000);

test('shows its next instant in Temporal, and ends soon after it is cancelled', async () => {
  const id = await begun({ rrule: 'FREQ=DAILY;BYHOUR=9;BYMINUTE=0', timezone: 'UTC' });
  const nextTurnAt = (await get(id))['nextTurnAt'] as string;
  const series = await start(id);
  await withWorker(
    () => 0.5,
    async () => {
      const due = await eventually('it waits', async () => (await series.describe()).typedSearchAttributes.get(DUE) ?? null);
      expect(due.toISOString()).toBe(nextTurnAt);
      expect(JSON.stringify(await series.query('__temporal_workflow_metadata'))).toContain(`the next one at ${nextTurnAt}`);
      await api().post(`/v1/campaigns/${id}/cancel`).expect(200);
      await series.signal(cancelSignal);
      await eventually('it has ended', async () => (await series.describe()).status.name === 'COMPLETED');
    },
  );
});
