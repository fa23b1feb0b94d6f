import type { Email } from '../../../src/records/emails/model';
import type { Hit } from '../../../src/sending/tracking/machine';
import { recordHits } from '../../../src/sending/tracking/record';
import { aProject } from '../../support/platform/app';
import { campaignCalls } from '../../support/calls/campaigns';
import { statsOf } from '../records/stats/stats-of';
import { stored } from '../../support/data/stored';
import { BROWSER, emitted, stateOf } from './visits';
import * as visits from './visits';

const MINUTES_AGO = 10 * 60_000;

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', CLICK_TIMING: 'true' } });
const { draft, get: campaignOf, api } = campaignCalls(() => app);

/** A message that arrived some minutes ago: visits that follow it by seconds are in the past too, however near the hour ends. */
const arrived = (change: Partial<Email> = {}): Promise<Email> => {
  const at = new Date(Date.now() - MINUTES_AGO);
  return visits.delivered(app, { sentAt: at, deliveredAt: at, ...change });
};

/** Somebody's visit, so many seconds after the message was sent. */
const hit = ({ _id, sentAt }: Email, seconds: number, name: string | null = null, client = 'reader'): Hit => ({
  emailId: _id,
  url: name && `https://example.com/${name}`,
  userAgent: BROWSER,
  client,
  machine: null,
  kind: name === null ? 'open' : 'click',
  at: new Date((sentAt as Date).getTime() + seconds * 1_000),
});

const SCANNED = ['a', 'b', 'c'].map((name, index) => [20 + index / 2, name, 'scanner'] as const);

/** What events say of who came, oldest first. */
const said = async (email: Email) =>
  (await emitted(email)).map(({ name, data }) => [name, data.openedBy ?? data.clickedBy, data.machineReason ?? null, data.first]);
const totals = async () => (await statsOf(app, app.keys.secret)).totals;

test('a click right after the delivery is recorded as a machine’s, and counts nowhere', async () => {
  const before = await totals();
  const email = await arrived();
  await recordHits([hit(email, 1, 'a')], true);
  expect(await said(email)).toEqual([['email.clicked', 'machine', 'too-fast', false]]);
  expect(await stateOf(email)).toMatchObject({ status: 'delivered', clicks: 0, opens: 0, clickedAt: null, openedAt: null });
  expect((await stateOf(email)).scannedAt).toEqual(hit(email, 1).at);
  expect(await totals()).toEqual(before);
});

test('with CLICK_TIMING, a link that is followed right after the delivery leads on and is no click', async () => {
  const email = await visits.delivered(app);
  expect((await visits.visit(app, 'get', visits.link(app, email))).status).toBe(302);
  await visits.recorded();
  expect(await said(email)).toEqual([['email.clicked', 'machine', 'too-fast', false]]);
  expect(await stateOf(email)).toMatchObject({ status: 'delivered', clicks: 0 });
});

test('clicks that a third link shows to be a scanner’s are taken back: from the message, its events and the statistics', async () => {
  const before = await totals();
  const email = await arrived();
  for (const [seconds, name, client] of SCANNED.slice(0, 2)) await recordHits([hit(email, seconds, name, client)], true);
  expect(await stateOf(email)).toMatchObject({ status: 'clicked', clicks: 2, opens: 1 });
  expect(await totals()).toEqual({ ...before, opened: before.opened + 1, clicked: before.clicked + 1 });
  await recordHits([hit(email, ...SCANNED[2]!)], true);
  const state = await stateOf(email);
  expect(state).toMatchObject({ status: 'delivered', clicks: 0, opens: 0 });
  expect([state.openedAt, state.clickedAt]).toEqual([undefined, undefined]);
  const machine = ['machine', 'burst', false];
  expect((await said(email)).sort()).toEqual([
    ['email.clicked', ...machine],
    ['email.clicked', ...machine],
    ['email.clicked', ...machine],
    ['email.opened', ...machine],
  ]);
  expect(await totals()).toEqual(before);
});

test('a person’s click after a scanner’s is the first', async () => {
  const before = await totals();
  const email = await arrived();
  for (const one of SCANNED.slice(0, 2)) await recordHits([hit(email, ...one)], true);
  await recordHits([hit(email, 40, 'a', 'reader')], true);
  expect((await said(email)).filter(([, , , first]) => first)).toHaveLength(2);
  await recordHits([hit(email, 21, 'c', 'scanner')], true);
  const clickedAt = hit(email, 40).at;
  expect(await stateOf(email)).toMatchObject({ status: 'clicked', clicks: 1, opens: 1, clickedAt, openedAt: clickedAt });
  expect((await said(email)).filter(([, by]) => by === 'person').sort()).toEqual([
    ['email.clicked', 'person', null, true],
    ['email.opened', 'person', null, true],
  ]);
  expect(await totals()).toEqual({ ...before, opened: before.opened + 1, clicked: before.clicked + 1 });
});

test('in a campaign they leave its figures, its links, its experiment and its timeline', async () => {
  const { campaignId } = await draft();
  await stored.campaigns.change(campaignId, { startedAt: new Date(Date.now() - 2 * MINUTES_AGO) });
  const email = await arrived({ source: 'campaign', campaignId, contentId: 'cnt_one' });
  const links = async () => (await api().get(`/v1/campaigns/${campaignId}/links`).expect(200)).body.data.data as object[];
  const sums = async () => {
    const series = (await api().get(`/v1/campaigns/${campaignId}/timeline`).expect(200)).body.data.series as Record<string, number>[];
    return ['opened', 'clicked', 'scanned'].map((name) => series.reduce((sum, step) => sum + step[name]!, 0));
  };
  for (const one of SCANNED.slice(0, 2)) await recordHits([hit(email, ...one)], true);
  expect(await campaignOf(campaignId)).toMatchObject({ opened: 1, clicked: 1 });
  expect(await links()).toMatchObject([
    { clicks: 1, uniqueClicks: 1 },
    { clicks: 1, uniqueClicks: 1 },
  ]);
  await recordHits([hit(email, ...SCANNED[2]!), hit(email, 50, 'a', 'reader')], true);
  await recordHits([hit(email, 51, 'a', 'reader')], true);
  expect(await campaignOf(campaignId)).toMatchObject({ opened: 1, clicked: 1, machines: { scanned: 1 } });
  expect(await stored.campaigns.get(campaignId)).toMatchObject({ byContent: { cnt_one: { opened: 1, clicked: 1 } } });
  expect(await sums()).toEqual([1, 1, 1]);
  const clicked = (await links()) as { url: string; clicks: number; uniqueClicks: number }[];
  expect(clicked.find(({ url }) => url.endsWith('/a'))).toMatchObject({ clicks: 2, uniqueClicks: 1 });
  expect(clicked.find(({ url }) => url.endsWith('/b'))).toMatchObject({ clicks: 0, uniqueClicks: 0 });
});

test('what was taken back before it was handed on goes to nobody', async () => {
  const { projectId } = app.keys;
  await api()
    .post('/v1/webhooks')
    .send({ url: 'https://hooks.example.com/clicks', events: ['email.clicked'] })
    .expect(201);
  const email = await arrived();
  const waiting = () => stored.events.count({ projectId, emailId: email._id, fanOut: { $exists: true } });
  for (const one of SCANNED.slice(0, 2)) await recordHits([hit(email, ...one)], true);
  expect(await waiting()).toBe(2);
  await recordHits([hit(email, ...SCANNED[2]!)], true);
  expect(await waiting()).toBe(0);
});

test('an event a minute for each link stays the rule, however many visits there are', async () => {
  const email = await arrived();
  for (const seconds of [100, 150, 170, 215, 231])
    await recordHits(
      Array.from({ length: 60 }, () => hit(email, seconds, 'a')),
      true,
    );
  const clicks = (await stored.events.all({ emailId: email._id, name: 'email.clicked' })).map(({ createdAt }) => createdAt.getTime());
  const sentAt = (email.sentAt as Date).getTime();
  expect(clicks.map((at) => (at - sentAt) / 1_000).sort((a, b) => a - b)).toEqual([100, 170, 231]);
  expect(await stateOf(email)).toMatchObject({ clicks: 300, opens: 1 });
});
