import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { api, deliver, draft, rows, running } = campaignCalls(() => app);

const HOUR_MS = 3_600_000;
const hour = (n: number): Date => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 48 * HOUR_MS + n * HOUR_MS + 60_000);
const startOf = (at: Date): string => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS).toISOString();

type Step = Readonly<Record<string, number | string>> & { readonly at: string };
const timeline = async (id: string, query: object = {}): Promise<readonly Step[]> =>
  (await api().get(`/v1/campaigns/${id}/timeline`).query(query).expect(200)).body.data.series as Step[];
const sum = (series: readonly Step[], name: string): number => series.reduce((total, step) => total + Number(step[name]), 0);

/** A campaign that was sent two days ago, with what came of its four messages by the hour. */
async function sentTwoDaysAgo(): Promise<string> {
  await stored.contacts.remove();
  const id = await running(4);
  await stored.campaigns.change(id, { startedAt: hour(0) });
  const [a, b, c, d] = await rows(id);
  await deliver([a!], { sentAt: hour(0), deliveredAt: hour(0), openedAt: hour(1), clickedAt: hour(3) });
  await deliver([b!], { sentAt: hour(0), deliveredAt: hour(0), openedAt: hour(1), unsubscribedAt: hour(26), proxiedAt: hour(0) });
  await deliver([c!], { sentAt: hour(1), deliveredAt: hour(1), bouncedAt: hour(2), scannedAt: hour(1), status: 'bounced' });
  await deliver([d!], { sentAt: null, deliveredAt: null, bouncedAt: hour(1), status: 'bounced' });
  return id;
}

test('shows each message once in the hour of what happened to it, with empty hours, and machines apart', async () => {
  const id = await sentTwoDaysAgo();
  const series = await timeline(id);
  expect(series).toHaveLength(49);
  const at = (n: number): Step | undefined => series.find((step) => step.at === startOf(hour(n)));
  const none = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, unsubscribed: 0, proxied: 0, scanned: 0 };
  expect(at(0)).toEqual({ ...none, at: startOf(hour(0)), sent: 2, delivered: 2, proxied: 1 });
  expect(at(1)).toEqual({ ...none, at: startOf(hour(1)), sent: 2, opened: 2, bounced: 1, scanned: 1 });
  expect(at(2)).toEqual({ ...none, at: startOf(hour(2)), bounced: 1 });
  expect(at(3)).toEqual({ ...none, at: startOf(hour(3)), clicked: 1 });
  expect(at(4)).toEqual({ ...none, at: startOf(hour(4)) });
  expect(at(26)).toEqual({ ...none, at: startOf(hour(26)), unsubscribed: 1 });
});

test('has the same sums by day, and none of another campaign, nor of test mode', async () => {
  const id = await sentTwoDaysAgo();
  const other = await running(1);
  await deliver(await rows(other), { openedAt: new Date() });
  const [hours, days] = [await timeline(id), await timeline(id, { step: 'day' })];
  for (const name of ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'unsubscribed', 'proxied', 'scanned']) {
    expect([name, sum(days, name)]).toEqual([name, sum(hours, name)]);
  }
  await stored.emails.changeAll({ campaignId: id }, { testMode: true });
  expect(sum(await timeline(id), 'sent')).toBe(0);
});

test('takes a span of whole steps, and refuses what is too long or empty', async () => {
  const id = await sentTwoDaysAgo();
  const series = await timeline(id, { from: hour(1).toISOString(), to: hour(2).toISOString() });
  expect(series.map((step) => step.at)).toEqual([startOf(hour(1)), startOf(hour(2))]);
  const fault = async (query: object) => {
    const { body } = await api().get(`/v1/campaigns/${id}/timeline`).query(query).expect(422);
    return (body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);
  };
  expect(await fault({ from: hour(-400).toISOString(), to: hour(1).toISOString() })).toEqual(['from too_big']);
  expect(await fault({ from: hour(5).toISOString(), to: hour(3).toISOString() })).toEqual(['from invalid_combination']);
  await stored.campaigns.change(id, { startedAt: hour(-500) });
  expect(await timeline(id)).toHaveLength(400);
});

test('of a draft is empty, and of an unknown campaign 404', async () => {
  const { campaignId } = await draft();
  expect(sum(await timeline(campaignId), 'sent')).toBe(0);
  await api().get('/v1/campaigns/cmp_unknown/timeline').expect(404);
});

test('reads the messages of the campaign alone, along their index; a large one is kept for a minute', async () => {
  const id = await sentTwoDaysAgo();
  expect(await queryPlans('emails', () => timeline(id))).toEqual([{ plan: expect.stringMatching(/^IXSCAN.*campaignId/), sorted: false }]);
  await stored.campaigns.change(id, { audienceSize: 200_000 });
  expect(sum(await timeline(id), 'sent')).toBe(4);
  expect(await queryPlans('emails', () => timeline(id))).toEqual([]);
});
