import { countInCampaigns } from '../../../../src/marketing/campaigns/counters';
import { shardOf } from '../../../../src/contracts/delivery';
import { optOutOf } from '../../../../src/sending/tracking/opt-out';
import { recordHits } from '../../../../src/sending/tracking/record';
import { aProject } from '../../../support/platform/app';
import { OPENED, campaignCalls, hit } from '../../../support/calls/campaigns';
import { queryPlans } from '../../../support/checks/query-plans';
import { readUsage } from '../../../../src/records/billing/usage';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const app = aProject();
const keys = aFreshProject('Results');

const { api, get, act, contact, rows, deliver, running, finish } = campaignCalls(() => ({
  ...app,
  keys,
  api: (key = keys.test) => app.api(key),
}));
const recipients = async (id: string, query: object = {}) =>
  (await api().get(`/v1/campaigns/${id}/recipients`).query(query).expect(200)).body.data.data as Record<string, unknown>[];
const links = async (id: string) => (await api().get(`/v1/campaigns/${id}/links`).expect(200)).body.data.data as unknown[];

describe('recipients', () => {
  test('are pending, sent once an attempt was made, or skipped', async () => {
    const id = await running(6);
    const [a, b, c, d, e, f] = await rows(id);
    await deliver([a!]);
    await deliver([b!], { status: 'queued', attempts: 1, dueAt: new Date(Date.now() + 60_000), sentAt: null, deliveredAt: null });
    await deliver([c!], { status: 'sending', attempts: 1, sentAt: null, deliveredAt: null });
    await deliver([d!], { status: 'bounced', bouncedAt: new Date(), bounceType: 'hard' });
    await stored.recipients.change(e!._id, { status: 'skipped', skipReason: 'unsubscribed' });
    const all = await recipients(id);
    const byMail = new Map(all.map((row) => [row['email'], row]));
    expect([a, b, c, d, e, f].map((row) => byMail.get(row!.email)?.['status'])).toEqual([
      'sent',
      'sent',
      'sent',
      'sent',
      'skipped',
      'pending',
    ]);
    expect(byMail.get(a!.email)).toEqual({
      campaignRecipientId: expect.stringMatching(/^crc_[0-9a-z]{26}$/),
      campaignId: id,
      contactId: a!.contactId,
      email: a!.email,
      emailId: a!.emailId,
      status: 'sent',
      skipReason: null,
      variant: null,
      contentVersion: 1,
      createdAt: (await stored.campaigns.get(id)).startedAt?.toISOString(),
    });
    expect([e, f].map((row) => byMail.get(row!.email)?.['emailId'])).toEqual([null, null]);
    expect([e, f].map((row) => byMail.get(row!.email)?.['skipReason'])).toEqual(['unsubscribed', null]);
    for (const [status, number] of [
      ['sent', 4],
      ['skipped', 1],
      ['pending', 1],
    ] as const) {
      const found = await recipients(id, { status });
      expect(found).toHaveLength(number);
      expect(found.every((row) => row['status'] === status)).toBe(true);
    }
    expect(await recipients(id, { limit: 2 })).toEqual(all.slice(0, 2));
    for (const list of [all, await recipients(id, { status: 'sent' })]) {
      const ids = list.map((row) => String(row['campaignRecipientId']));
      expect(ids).toEqual([...ids].sort().reverse());
    }
    expect(await recipients(id, { limit: 3, status: 'sent' })).toHaveLength(3);
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'status=gone'])
      await api().get(`/v1/campaigns/${id}/recipients?${query}`).expect(422);
    await stored.campaigns.change(id, { status: 'sent' });
    expect(await recipients(id, { limit: 3, status: 'sent' })).toEqual((await recipients(id, { status: 'sent' })).slice(0, 3));
  });

  test('of a cancelled campaign are skipped at once, unless they were sent', async () => {
    const id = await running(3);
    const [a, b, c] = await rows(id);
    await deliver([a!]);
    await act(id, 'cancel').expect(200);
    const statusOf = async () => new Map((await recipients(id)).map((row) => [row['email'], row['status']]));
    const expected = new Map([
      [a!.email, 'sent'],
      [b!.email, 'skipped'],
      [c!.email, 'skipped'],
    ]);
    expect(await statusOf()).toEqual(expected);
    const skipped = await recipients(id, { status: 'skipped' });
    expect(skipped.map((row) => row['skipReason'])).toEqual(['cancelled', 'cancelled']);
    expect(await recipients(id, { status: 'pending' })).toEqual([]);
    expect(await finish(id, true)).toEqual({ pending: 0, sent: 1, skipped: 2 });
    expect(await statusOf()).toEqual(expected);
    expect(await stored.campaigns.get(id)).toMatchObject({
      status: 'cancelled',
      sentCount: 1,
      skippedCount: 2,
      audienceSize: 3,
      sentAt: null,
    });
  });

  test('name no contact that is gone, also when the address is back', async () => {
    const id = await running(1);
    const [row] = await rows(id);
    await api().delete(`/v1/contacts/${row!.contactId}`).expect(200);
    expect(await recipients(id)).toEqual([expect.objectContaining({ contactId: null, email: row!.email })]);
    await contact(row!.email);
    expect(await recipients(id)).toEqual([expect.objectContaining({ contactId: null })]);
  });

  test('are found by an index, for every filter', async () => {
    const id = await running(2);
    for (const status of [undefined, 'pending', 'sent', 'skipped']) {
      const plans = await queryPlans('campaign_recipients', () => recipients(id, { status }));
      expect(plans).toEqual([{ plan: expect.stringMatching(/^IXSCAN/), sorted: false }]);
    }
    await stored.campaigns.change(id, { status: 'sent' });
    expect(await queryPlans('campaign_recipients', () => recipients(id, { status: 'pending' }))).toEqual([]);
  });
});

describe('the end of a campaign', () => {
  test('comes when everyone is sent or skipped, not before', async () => {
    const id = await running(3);
    const [a, b, c] = await rows(id);
    await deliver([a!, b!]);
    expect(await finish(id)).toEqual({ pending: 1, sent: 2, skipped: 0 });
    expect(await get(id)).toMatchObject({ status: 'sending', sentAt: null });
    await stored.recipients.change(c!._id, { status: 'skipped', skipReason: 'suppressed' });
    expect(await finish(id)).toEqual({ pending: 0, sent: 2, skipped: 1 });
    const { sentAt } = await get(id);
    expect(await finish(id)).toEqual({ pending: 0, sent: 2, skipped: 1 });
    expect(await get(id)).toMatchObject({ status: 'sent', sentAt, totalRecipients: 3, delivered: 2 });
    expect(await stored.campaigns.get(id)).toMatchObject({ sentCount: 2, skippedCount: 1 });
  });

  test('puts the counters right by the ledger, adding only what they lack', async () => {
    const id = await running(6);
    const [a, b, c, d, e, f] = await rows(id);
    await deliver([a!], OPENED);
    await deliver([b!], { ...OPENED, status: 'clicked', clickedAt: new Date() });
    await deliver([c!], { status: 'bounced', bouncedAt: new Date(), bounceType: 'soft' });
    await deliver([d!], { status: 'complained', complainedAt: new Date() });
    await deliver([e!], { status: 'failed', sentAt: null, deliveredAt: null });
    await deliver([f!], { ...OPENED, testMode: true });
    await countInCampaigns([{ campaignId: id, projectId: keys.projectId, emailId: a!.emailId, first: ['opened'] }]);
    await finish(id);
    expect((await stored.campaigns.get(id)).counters).toMatchObject({
      delivered: 3,
      opened: 2,
      clicked: 1,
      bounced: 1,
      complained: 1,
      unsubscribed: 0,
    });
    expect((await stored.campaigns.get(id)).sentCount).toBe(6);
  });

  test('of one that is cancelled at the same moment is cancelled or sent, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await running(2);
      await deliver(await rows(id));
      const [cancelled] = await Promise.all([act(id, 'cancel'), finish(id)]);
      expect(await get(id)).toMatchObject({ status: cancelled.status === 200 ? 'cancelled' : 'sent' });
      expect(await stored.campaigns.get(id)).toMatchObject({ sentCount: 2 * (round + 1), skippedCount: 0 });
    }
  });
});

test('a cancel stops messages that wait for another attempt, gives their credits back, and emits events', async () => {
  const id = await running(4);
  const [a, b, c, d] = await rows(id);
  const month = '2026-11';
  const waiting = {
    status: 'queued',
    shard: shardOf(keys.projectId),
    attempts: 1,
    dueAt: new Date(),
    sentAt: null,
    deliveredAt: null,
    charge: { month, credits: 1 },
  } as const;
  await deliver([a!, b!], waiting);
  await deliver([c!]);
  const [bystander] = await deliver([{ ...d!, emailId: `em_${'0'.repeat(26)}`, campaignId: 'cmp_other' }], waiting);
  await stored.usage.make([
    { _id: `${keys.projectId}/${month}/0`, used: 3, credits: 3, categories: { transactional: 0, campaign: 3, workflow: 0, inbound: 0 } },
  ]);
  const plans = await queryPlans('emails', () => act(id, 'cancel').expect(200));
  expect(plans.filter(({ plan }) => plan.startsWith('COLLSCAN'))).toEqual([]);
  const after = new Map((await stored.emails.all({ projectId: keys.projectId })).map((email) => [email._id, email]));
  expect([a, b, c].map((row) => after.get(row!.emailId)?.status)).toEqual(['cancelled', 'cancelled', 'delivered']);
  expect(after.get(a!.emailId)?.dueAt).toBeUndefined();
  expect(after.get(bystander!._id)?.status).toBe('queued');
  expect(await readUsage(keys.projectId, month)).toMatchObject({
    used: 1,
    credits: 1,
    categories: { campaign: 1 },
  });
  expect(await stored.events.count({ projectId: keys.projectId, name: 'email.cancelled' })).toBe(2);
  await finish(id, true);
  expect(await readUsage(keys.projectId, month)).toMatchObject({ used: 1 });
  const shown = new Map((await recipients(id)).map((row) => [row['email'], row['status']]));
  expect([a, b, c, d].map((row) => shown.get(row!.email))).toEqual(['sent', 'sent', 'sent', 'skipped']);
});

describe('counters and links', () => {
  const one = 'https://example.com/1';
  const two = 'https://example.com/2?a=$b.c';

  test('count people’s opens and clicks once for each message, every click by link, and no machine', async () => {
    const id = await running(3);
    const [a, b, c] = await rows(id);
    await deliver([a!, b!, c!]);
    await recordHits(
      [hit(a!.emailId, null), hit(a!.emailId, null), hit(a!.emailId, one), hit(a!.emailId, one), hit(a!.emailId, two)],
      false,
    );
    await recordHits([hit(b!.emailId, one), hit(a!.emailId, one)], false);
    await recordHits([hit(c!.emailId, null, 'head'), hit(c!.emailId, one, 'head')], false);
    expect(await get(id)).toMatchObject({ opened: 2, clicked: 2 });
    expect(await links(id)).toEqual([
      { url: one, clicks: 4, uniqueClicks: 2 },
      { url: two, clicks: 1, uniqueClicks: 1 },
    ]);
  });

  test('agree when hits come from many processes at once', async () => {
    const id = await running(4);
    const all = await rows(id);
    await deliver(all);
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => recordHits([hit(all[index % 4]!.emailId, null), hit(all[index % 4]!.emailId, one)], false)),
    );
    expect(await get(id)).toMatchObject({ opened: 4, clicked: 4 });
    expect(await links(id)).toEqual([{ url: one, clicks: 12, uniqueClicks: 4 }]);
  });

  test('leave test mode out', async () => {
    const id = await running(1);
    const [a] = await rows(id);
    await deliver([a!], { testMode: true });
    await recordHits([hit(a!.emailId, one)], false);
    await optOutOf(app.core, a!.emailId, 'link');
    expect(await get(id)).toMatchObject({ opened: 0, clicked: 0, unsubscribed: 0 });
    expect(await links(id)).toEqual([]);
  });

  test('count an opt-out once, by the message that it came through', async () => {
    const id = await running(2);
    const [a, b] = await rows(id);
    await deliver([a!, b!]);
    for (const method of ['link', 'one_click'] as const) await optOutOf(app.core, a!.emailId, method);
    expect(await get(id)).toMatchObject({ unsubscribed: 1 });
    await finish(id);
    expect(await get(id)).toMatchObject({ unsubscribed: 1, status: 'sent' });
  });

  test('links come by an index', async () => {
    const id = await running(1);
    const plans = await queryPlans('campaign_links', () => links(id));
    expect(plans).toEqual([{ plan: expect.stringMatching(/^IXSCAN/), sorted: false }]);
  });
});
