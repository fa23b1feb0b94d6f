import { aProject } from '../../../support/platform/app';
import { activate, always, chain, contact, enrol, hour as anHour } from '../../../support/calls/automations';
import { queryPlans } from '../../../support/checks/query-plans';
import { storeEmails } from '../../../support/data/email-rows';
import { stored } from '../../../support/data/stored';

const app = aProject();

const HOUR_MS = 3_600_000;
const hour = (n: number): Date => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 48 * HOUR_MS + n * HOUR_MS + 60_000);
const startOf = (at: Date): string => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS).toISOString();

type Step = Readonly<Record<string, number | string>> & { readonly at: string };
const timeline = async (id: string, query: object = {}): Promise<readonly Step[]> =>
  (await app.api().get(`/v1/workflows/${id}/timeline`).query(query).expect(200)).body.data.series as Step[];
const sum = (series: readonly Step[], name: string): number => series.reduce((total, step) => total + Number(step[name]), 0);

/** An automation of two days ago with three executions and three messages, by the hour of what happened. */
async function ofTwoDaysAgo(): Promise<string> {
  const workflowId = await activate(app, chain(anHour), always);
  await stored.automations.change(workflowId, { createdAt: hour(0) });
  const ends = [
    { createdAt: hour(0), status: 'completed', finishedAt: hour(1) },
    { createdAt: hour(0), status: 'failed', finishedAt: hour(2) },
    { createdAt: hour(2) },
  ] as const;
  for (const end of ends) await stored.executions.change(await enrol(app, workflowId, await contact(app)), end);
  await storeEmails(
    app.keys.projectId,
    { workflowId, source: 'workflow', sentAt: hour(1), deliveredAt: hour(1), openedAt: hour(1), clickedAt: hour(26), status: 'clicked' },
    { workflowId, source: 'workflow', sentAt: hour(1), deliveredAt: hour(1), bouncedAt: hour(2), scannedAt: hour(1), status: 'bounced' },
    { workflowId, source: 'workflow', sentAt: hour(1), deliveredAt: hour(1), status: 'delivered', testMode: true },
  );
  return workflowId;
}

const NONE = {
  entered: 0,
  completed: 0,
  exited: 0,
  cancelled: 0,
  failed: 0,
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  complained: 0,
  unsubscribed: 0,
  proxied: 0,
  scanned: 0,
};

test('shows each execution and each live message in the hour of what happened to it, and empty hours', async () => {
  const id = await ofTwoDaysAgo();
  const series = await timeline(id);
  expect(series).toHaveLength(49);
  const at = (n: number): Step | undefined => series.find((step) => step.at === startOf(hour(n)));
  expect(at(0)).toEqual({ ...NONE, at: startOf(hour(0)), entered: 2 });
  expect(at(1)).toEqual({ ...NONE, at: startOf(hour(1)), completed: 1, sent: 2, delivered: 1, opened: 1, scanned: 1 });
  expect(at(2)).toEqual({ ...NONE, at: startOf(hour(2)), entered: 1, failed: 1, bounced: 1 });
  expect(at(3)).toEqual({ ...NONE, at: startOf(hour(3)) });
  expect(at(26)).toEqual({ ...NONE, at: startOf(hour(26)), clicked: 1 });
});

test('has the same sums by day, which are those of its funnel', async () => {
  const id = await ofTwoDaysAgo();
  const [hours, days] = [await timeline(id), await timeline(id, { step: 'day' })];
  for (const name of Object.keys(NONE)) expect([name, sum(days, name)]).toEqual([name, sum(hours, name)]);
  const funnel = (await app.api().get(`/v1/stats/workflows/${id}`).expect(200)).body.data as { entered: number };
  expect(sum(hours, 'entered')).toBe(funnel.entered);
});

test('of an old automation shows the last 400 steps, and refuses what is too long or empty', async () => {
  const id = await ofTwoDaysAgo();
  await stored.automations.change(id, { createdAt: hour(-1_000) });
  const series = await timeline(id);
  expect([series.length, series.at(-1)?.at]).toEqual([400, startOf(new Date())]);
  const fault = async (query: object) => {
    const { body } = await app.api().get(`/v1/workflows/${id}/timeline`).query(query).expect(422);
    return (body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);
  };
  expect(await fault({ from: hour(-500).toISOString(), to: hour(1).toISOString() })).toEqual(['from too_big']);
  expect(await fault({ from: hour(5).toISOString(), to: hour(3).toISOString() })).toEqual(['from invalid_combination']);
});

test('of an unknown automation is 404', async () => {
  expect((await app.api().get('/v1/workflows/wfl_unknown/timeline')).status).toBe(404);
});

test('reads executions and messages of the automation alone, along their indexes', async () => {
  const id = await ofTwoDaysAgo();
  for (const collection of ['emails', 'automation_executions']) {
    const plans = await queryPlans(collection, () => timeline(id));
    expect(plans).toEqual([{ plan: expect.stringMatching(/^IXSCAN.*(workflowId|automationId)/), sorted: false }]);
  }
});
