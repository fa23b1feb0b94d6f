import { countInCampaigns } from '../../src/campaigns/counters';
import { decideCampaign } from '../../src/campaigns/decide';
import { finishCampaign, removeCampaign } from '../../src/campaigns/finish';
import { CampaignClickModel, CampaignLinkModel } from '../../src/campaigns/link-model';
import { CampaignModel, CampaignRecipientModel } from '../../src/campaigns/model';
import { fillNonOpeners } from '../../src/campaigns/resend';
import { shardOf } from '../../src/contracts/delivery';
import { EmailModel } from '../../src/emails/model';
import type { Email } from '../../src/emails/model';
import { EventModel } from '../../src/events/model';
import { createProject } from '../../src/projects/service';
import { recordHits } from '../../src/tracking/record';
import { optOutOf } from '../../src/tracking/opt-out';
import { UsageModel } from '../../src/billing/model';
import { startTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { campaignCalls } from '../support/campaigns';
import { queryPlans } from '../support/query-plans';

let app: TestApp;
let keys: TestApp['keys'];
let count = 0;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  keys = await createProject('Results');
});

const calls = campaignCalls(() => ({ ...app, keys, api: (key = keys.test) => app.api(key) }) as TestApp);
const { api, draft, get, act, contact, rows, freeze, deliver, stored } = calls;
const quiet = (): undefined => undefined;

/** A live campaign that was frozen: From needs no verified domain here. */
async function running(size: number, more: object = {}): Promise<string> {
  for (let index = 0; index < size; index++) await contact(`person${++count}@example.com`);
  const { campaignId } = await draft(more);
  await act(campaignId, 'send').expect(200);
  await CampaignModel.updateOne({ _id: campaignId }, { $set: { testMode: false } });
  await freeze(campaignId);
  return campaignId;
}

const finish = (campaignId: string, cancelled = false) =>
  finishCampaign(app.core, { campaignId, projectId: keys.projectId, now: Date.now(), cancelled }, quiet);
const recipients = async (id: string, query: object = {}) =>
  (await api().get(`/v1/campaigns/${id}/recipients`).query(query).expect(200)).body.data.data as Record<string, unknown>[];
const links = async (id: string) => (await api().get(`/v1/campaigns/${id}/links`).expect(200)).body.data.data as unknown[];
const hit = (emailId: string, url: string | null, machine: 'head' | null = null) => ({
  ...{ emailId, url, machine: machine as never, userAgent: 'Mail', at: new Date() },
  kind: url === null ? ('open' as const) : ('click' as const),
});
const opened = { openedAt: new Date(), status: 'opened' as const, opens: 1 };

describe('recipients', () => {
  test('are pending, sent once an attempt was made, or skipped', async () => {
    const id = await running(6);
    const [a, b, c, d, e, f] = await rows(id);
    await deliver([a!]);
    await deliver([b!], { status: 'queued', attempts: 1, dueAt: new Date(Date.now() + 60_000), sentAt: null, deliveredAt: null });
    await deliver([c!], { status: 'sending', attempts: 1, sentAt: null, deliveredAt: null });
    await deliver([d!], { status: 'bounced', bouncedAt: new Date(), bounceType: 'hard' });
    await CampaignRecipientModel.updateOne({ _id: e!._id }, { $set: { status: 'skipped', skipReason: 'unsubscribed' } });
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
      variant: null,
      createdAt: (await stored(id)).startedAt?.toISOString(),
    });
    expect([e, f].map((row) => byMail.get(row!.email)?.['emailId'])).toEqual([null, null]);
    for (const [status, number] of [
      ['sent', 4],
      ['skipped', 1],
      ['pending', 1],
    ] as const) {
      const found = await recipients(id, { status });
      expect(found).toHaveLength(number);
      expect(found.every((row) => row['status'] === status)).toBe(true);
    }
    expect(await recipients(id, { limit: 2 })).toHaveLength(2);
    expect(await recipients(id, { limit: 3, status: 'sent' })).toHaveLength(3);
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'status=gone'])
      await api().get(`/v1/campaigns/${id}/recipients?${query}`).expect(422);
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
    expect(await recipients(id, { status: 'skipped' })).toHaveLength(2);
    expect(await recipients(id, { status: 'pending' })).toEqual([]);
    expect(await finish(id, true)).toEqual({ pending: 0, sent: 1, skipped: 2 });
    expect(await statusOf()).toEqual(expected);
    expect(await stored(id)).toMatchObject({ status: 'cancelled', sentCount: 1, skippedCount: 2, audienceSize: 3, sentAt: null });
  });

  test('name no contact that is gone, also when the address is back', async () => {
    const id = await running(1);
    const [row] = await rows(id);
    await api().delete(`/v1/contacts/${row!.contactId}`).expect(200);
    expect(await recipients(id)).toEqual([expect.objectContaining({ contactId: null, email: row!.email })]);
    await contact(row!.email);
    expect(await recipients(id)).toEqual([expect.objectContaining({ contactId: null })]);
  });

  test('are found by an index, whatever is asked for', async () => {
    const id = await running(2);
    for (const status of [undefined, 'pending', 'sent', 'skipped']) {
      const plans = await queryPlans('campaign_recipients', () => recipients(id, { status }));
      expect(plans).toEqual([{ plan: expect.stringMatching(/^IXSCAN/), sorted: false }]);
    }
  });
});

describe('the end of a campaign', () => {
  test('comes when everyone is sent or skipped, not before', async () => {
    const id = await running(3);
    const [a, b, c] = await rows(id);
    await deliver([a!, b!]);
    expect(await finish(id)).toEqual({ pending: 1, sent: 2, skipped: 0 });
    expect(await get(id)).toMatchObject({ status: 'sending', sentAt: null });
    await CampaignRecipientModel.updateOne({ _id: c!._id }, { $set: { status: 'skipped', skipReason: 'suppressed' } });
    expect(await finish(id)).toEqual({ pending: 0, sent: 2, skipped: 1 });
    const { sentAt } = await get(id);
    expect(await finish(id)).toEqual({ pending: 0, sent: 2, skipped: 1 });
    expect(await get(id)).toMatchObject({ status: 'sent', sentAt, totalRecipients: 3, delivered: 2 });
    expect(await stored(id)).toMatchObject({ sentCount: 2, skippedCount: 1 });
  });

  test('puts the counters right by the ledger, adding only what they lack', async () => {
    const id = await running(6);
    const [a, b, c, d, e, f] = await rows(id);
    await deliver([a!], opened);
    await deliver([b!], { ...opened, status: 'clicked', clickedAt: new Date() });
    await deliver([c!], { status: 'bounced', bouncedAt: new Date(), bounceType: 'soft' });
    await deliver([d!], { status: 'complained', complainedAt: new Date() });
    await deliver([e!], { status: 'failed', sentAt: null, deliveredAt: null });
    await deliver([f!], { ...opened, testMode: true });
    await countInCampaigns([{ campaignId: id, projectId: keys.projectId, emailId: a!.emailId, first: ['opened'] }]);
    await finish(id);
    expect((await stored(id)).counters).toEqual({ delivered: 3, opened: 2, clicked: 1, bounced: 1, complained: 1, unsubscribed: 0 });
    expect((await stored(id)).sentCount).toBe(6);
  });

  test('of one that is cancelled at the same moment is cancelled or sent, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await running(2);
      await deliver(await rows(id));
      const [cancelled] = await Promise.all([act(id, 'cancel'), finish(id)]);
      expect(await get(id)).toMatchObject({ status: cancelled.status === 200 ? 'cancelled' : 'sent' });
      expect(await stored(id)).toMatchObject({ sentCount: 2 * (round + 1), skippedCount: 0 });
    }
  });
});

test('a cancel stops messages that wait for another attempt, gives their credits back, and tells of it', async () => {
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
  await UsageModel.create([
    { _id: `${keys.projectId}/${month}`, used: 3, credits: 3, categories: { transactional: 0, campaign: 3, workflow: 0, inbound: 0 } },
  ]);
  const plans = await queryPlans('emails', () => act(id, 'cancel').expect(200));
  expect(plans.filter(({ plan }) => plan.startsWith('COLLSCAN'))).toEqual([]);
  const after = new Map((await EmailModel.find({ projectId: keys.projectId }).lean<Email[]>()).map((email) => [email._id, email]));
  expect([a, b, c].map((row) => after.get(row!.emailId)?.status)).toEqual(['cancelled', 'cancelled', 'delivered']);
  expect(after.get(a!.emailId)?.dueAt).toBeUndefined();
  expect(after.get(bystander!._id)?.status).toBe('queued');
  expect(await UsageModel.findById(`${keys.projectId}/${month}`).lean()).toMatchObject({
    used: 1,
    credits: 1,
    categories: { campaign: 1 },
  });
  expect(await EventModel.countDocuments({ projectId: keys.projectId, name: 'email.cancelled' })).toBe(2);
  await finish(id, true);
  expect(await UsageModel.findById(`${keys.projectId}/${month}`).lean()).toMatchObject({ used: 1 });
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
    await recordHits([hit(a!.emailId, null), hit(a!.emailId, null), hit(a!.emailId, one), hit(a!.emailId, one), hit(a!.emailId, two)]);
    await recordHits([hit(b!.emailId, one), hit(a!.emailId, one)]);
    await recordHits([hit(c!.emailId, null, 'head'), hit(c!.emailId, one, 'head')]);
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
      Array.from({ length: 12 }, (_, index) => recordHits([hit(all[index % 4]!.emailId, null), hit(all[index % 4]!.emailId, one)])),
    );
    expect(await get(id)).toMatchObject({ opened: 4, clicked: 4 });
    expect(await links(id)).toEqual([{ url: one, clicks: 12, uniqueClicks: 4 }]);
  });

  test('leave test mode out', async () => {
    const id = await running(1);
    const [a] = await rows(id);
    await deliver([a!], { testMode: true });
    await recordHits([hit(a!.emailId, one)]);
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

describe('the decision', () => {
  async function experiment(opens: Readonly<Record<'a' | 'b', number>>): Promise<string> {
    const id = await running(10, { abSubjectB: 'B', abSamplePct: 100 });
    const all = await rows(id);
    for (const variant of ['a', 'b'] as const) {
      const own = all.filter((row) => row.variant === variant);
      await deliver(own.slice(0, opens[variant]), opened);
      await deliver(own.slice(opens[variant]));
    }
    return id;
  }
  const decide = (campaignId: string) => decideCampaign({ campaignId, projectId: keys.projectId }, quiet);

  test('goes by the unique-open rate, and is made once', async () => {
    const id = await experiment({ a: 2, b: 3 });
    expect(await Promise.all([decide(id), decide(id)])).toEqual(['b', 'b']);
    const a = (await rows(id)).filter(({ variant }) => variant === 'a');
    await EmailModel.updateMany({ _id: { $in: a.map(({ emailId }) => emailId) } }, { $set: { openedAt: new Date() } });
    expect(await decide(id)).toBe('b');
    expect((await get(id))['abWinner']).toBe('b');
  });

  test('does not count machines', async () => {
    const id = await experiment({ a: 1, b: 0 });
    for (const { emailId, variant } of await rows(id)) {
      if (variant === 'b') await recordHits([hit(emailId, null, 'head'), hit(emailId, 'https://example.com/', 'head')]);
    }
    expect(await decide(id)).toBe('a');
  });

  test('is A’s in a tie, and nobody’s in a cancelled campaign', async () => {
    expect(await decide(await experiment({ a: 2, b: 2 }))).toBe('a');
    const id = await experiment({ a: 0, b: 3 });
    await act(id, 'cancel').expect(200);
    expect(await decide(id)).toBeNull();
    expect((await get(id))['abWinner']).toBeNull();
  });
});

describe('a resend to non-openers', () => {
  async function sentCampaign(): Promise<{ id: string; idle: string[] }> {
    const id = await running(8);
    const [a, b, c, d, e, f, g, h] = await rows(id);
    await deliver([a!, b!]);
    await deliver([c!], opened);
    await deliver([d!], { ...opened, clickedAt: new Date() });
    await deliver([e!], { bouncedAt: new Date(), status: 'bounced' });
    await deliver([f!], { complainedAt: new Date(), status: 'complained' });
    await deliver([g!]);
    await optOutOf(app.core, g!.emailId, 'link');
    await CampaignRecipientModel.updateOne({ _id: h!._id }, { $set: { status: 'skipped', skipReason: 'suppressed' } });
    await finish(id);
    return { id, idle: [a!.contactId, b!.contactId].sort() };
  }

  test('makes a static segment of those who were sent it and did nothing, and a campaign to it', async () => {
    const { id, idle } = await sentCampaign();
    const { body } = await act(id, 'resend-non-openers', { subject: 'Once more' }).expect(201);
    expect(body.data).toMatchObject({
      status: 'sending',
      subject: 'Once more',
      audience: 'segment',
      abSubjectB: null,
      name: 'News (non-openers)',
      totalRecipients: 0,
    });
    const again = body.data.campaignId as string;
    const segmentId = body.data.segmentId as string;
    const db = CampaignModel.db;
    expect(await db.collection('segments').findOne({ _id: segmentId as never })).toMatchObject({
      name: 'Non-openers of News',
      type: 'static',
      memberCount: 2,
      projectId: keys.projectId,
    });
    expect((await db.collection('segment_members').find({ segmentId }).toArray()).map((row) => row['contactId']).sort()).toEqual(idle);
    expect(await EventModel.countDocuments({ projectId: keys.projectId, name: 'segment.entered' })).toBe(0);
    expect(app.processes.start.mock.calls.filter(([intent]) => intent.workflowId === `campaign/${again}`)).toEqual([
      [
        expect.objectContaining({
          workflow: 'campaignSend',
          input: { campaignId: again, projectId: keys.projectId, scheduledFor: null, gathers: true },
        }),
      ],
    ]);
    expect(await fillNonOpeners({ campaignId: again, projectId: keys.projectId }, Infinity)).toBe(true);
    await freeze(again);
    expect((await rows(again)).map(({ contactId }) => contactId).sort()).toEqual(idle);
  });

  test('may be scheduled, and has the subject that was sent last', async () => {
    const { id } = await sentCampaign();
    await CampaignModel.updateOne({ _id: id }, { $set: { abSubjectB: 'The better one', abWinner: 'b', name: 'n'.repeat(200) } });
    const scheduledFor = new Date(Date.now() + 60_000).toISOString();
    const { body } = await act(id, 'resend-non-openers', { scheduledFor }).expect(201);
    expect(body.data).toMatchObject({
      status: 'scheduled',
      scheduledFor,
      subject: 'The better one',
      name: expect.stringMatching(/^n{186} \(non-openers\)$/),
    });
    const faulty = await act(id, 'resend-non-openers', { subject: '{{#if}}' }).expect(422);
    expect(faulty.body.details).toEqual([expect.objectContaining({ path: 'subject', code: 'invalid_template' })]);
  });

  test('is filled by its workflow when the process that made it was killed, and only once', async () => {
    const { id, idle } = await sentCampaign();
    const again = (await act(id, 'resend-non-openers').expect(201)).body.data as { campaignId: string; segmentId: string };
    const members = CampaignModel.db.collection('segment_members');
    await members.deleteOne({ _id: `${again.segmentId}:${idle[0]}` as never });
    await CampaignModel.updateOne({ _id: again.campaignId }, { $set: { 'resendOf.filled': false } });
    const key = { campaignId: again.campaignId, projectId: keys.projectId };
    expect(await fillNonOpeners(key, performance.now() - 1)).toBe(false);
    expect(await fillNonOpeners(key, Infinity)).toBe(true);
    expect(await members.countDocuments({ segmentId: again.segmentId })).toBe(2);
    await members.deleteMany({ segmentId: again.segmentId });
    expect(await fillNonOpeners(key, Infinity)).toBe(true);
    expect(await members.countDocuments({ segmentId: again.segmentId })).toBe(0);
  });
});

test('a deleted campaign’s recipients and clicks are removed, nobody else’s; its messages stay', async () => {
  const [id, other] = [await running(3), await running(0)];
  const all = await rows(id);
  await deliver(all);
  await recordHits([hit(all[0]!.emailId, 'https://example.com/')]);
  await finish(id);
  await api().delete(`/v1/campaigns/${id}`).expect(200);
  await removeCampaign({ campaignId: id, projectId: keys.projectId }, quiet);
  expect(await rows(id)).toEqual([]);
  expect(await rows(other)).toHaveLength(3);
  const ofCampaign = { _id: { $gt: `${id}/`, $lt: `${id}0` } };
  expect([await CampaignLinkModel.countDocuments(ofCampaign), await CampaignClickModel.countDocuments(ofCampaign)]).toEqual([0, 0]);
  expect(await EmailModel.countDocuments({ campaignId: id })).toBe(3);
  await recordHits([hit(all[1]!.emailId, null)]);
  await removeCampaign({ campaignId: id, projectId: keys.projectId }, quiet);
});
