import { CampaignModel } from '../../../../src/marketing/campaigns/model';
import { DeliveryHost } from '../../../../src/sending/deliver/host';
import { PUMP_TIMES } from '../../../../src/sending/deliver/pump';
import { EmailModel } from '../../../../src/records/emails/model';
import { WakeWatch } from '../../../../src/platform/wake-ups';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { claimedNow, onTheWireNow } from '../../../support/data/claims';
import { dkimVerifies } from '../../../support/checks/dkim-verifier';
import { eventually } from '../../../support/platform/platform';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';
import { aDeliveryHost } from '../../../support/platform/delivery-host';

const CHUNK = 8;
const smtp = aMailServer();
const app = aProject(() => ({
  config: {
    DEV_VERIFIED_DOMAINS: 'hello.test',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    SMTP_CONNECTIONS: '40',
    LEDGER_CHUNK: String(CHUNK),
  },
}));
const host = aDeliveryHost(app);

beforeEach(async () => {
  smtp.script = {};
  await Promise.all([stored.emails.remove(), stored.contacts.remove()]);
});

const { running, rows, api } = campaignCalls(() => app);

const { page, wholePage } = campaignPages(
  () => app,
  () => host,
);
const count = (filter: object = {}): Promise<number> => stored.emails.count(filter);
const credits = async (): Promise<number> => (await api().get('/v1/billing').expect(200)).body.data.categories.campaign.used as number;
const cap = (monthlyLimitCampaign: number | null) => api().patch('/v1/billing').send({ monthlyLimitCampaign }).expect(200);
const arrivals = () => smtp.messages.map(({ to }) => to);

test('a page sends to each recipient once, with all events, and a second call changes nothing', async () => {
  const id = await running(20);
  const before = smtp.messages.length;
  expect(await wholePage(id)).toBe(20);
  expect(await page(id)).toEqual({ sent: 0, skipped: 0, done: true, held: null, over: false, queues: [host.queue] });
  const everyone = (await rows(id)).map(({ email }) => email).sort();
  expect(arrivals().slice(before).sort()).toEqual(everyone);
  expect(await count({ campaignId: id, status: 'delivered', attempts: 1, type: 'marketing', source: 'campaign' })).toBe(20);
  const ours = new Set((await rows(id)).map(({ emailId }) => emailId));
  for (const name of ['email.queued', 'email.sent', 'email.delivered']) {
    const { data } = (await api().get('/v1/events').query({ name, limit: 100 }).expect(200)).body as { data: { emailId: string }[] };
    const emailIds = data.map(({ emailId }) => emailId).filter((emailId) => ours.has(emailId));
    expect([name, emailIds.length]).toEqual([name, 20]);
  }
  expect((await stored.campaigns.get(id)).counters.delivered).toBe(20);
});

test('each message is signed with its domain’s key, whatever blanks its body has', async () => {
  const before = smtp.messages.length;
  await wholePage(
    await running(20, {
      body: '<pre>a  b\t \tc \n\n {{email}}</pre>',
      subject: `A subject of so many words for {{email}} that its field is folded`,
    }),
  );
  const signed = await Promise.all(smtp.messages.slice(before).map(({ raw }) => dkimVerifies(raw)));
  expect(signed).toEqual(Array.from({ length: 20 }, () => true));
});

test('two calls at once, as of a worker that was taken for dead, send to everybody once', async () => {
  const id = await running(30);
  const before = smtp.messages.length;
  const results = await Promise.all([page(id), page(id)]);
  expect(results.map(({ done }) => done)).toEqual([true, true]);
  expect(results.reduce((sum, { sent }) => sum + sent, 0)).toBe(30);
  expect(new Set(arrivals().slice(before)).size).toBe(30);
  expect(smtp.messages.length - before).toBe(30);
});

/** Lets the database take its time before it stores rows of messages. */
function delayRows(ms: number): jest.SpyInstance {
  const { db } = EmailModel.db;
  if (!db) throw new Error('Not connected');
  const command = db.command.bind(db);
  return jest.spyOn(db, 'command').mockImplementation(async (asked, options) => {
    if (asked['insert'] === 'emails') await new Promise((resolve) => setTimeout(resolve, ms));
    return command(asked, options);
  });
}

/** How many messages may be on the wire and have no row. Claims are read first: one that ends meanwhile has left its rows. */
async function unrecorded(): Promise<number> {
  const claimed = await claimedNow({ begun: true });
  return claimed.length - (await count({ _id: { $in: [...claimed] } }));
}

test('never more than a ledger chunk is on the wire and not recorded, however many connections there are', async () => {
  const ids = [await running(16), await running(16)];
  const audience = (await Promise.all(ids.map((id) => stored.campaigns.get(id)))).reduce((sum, { audienceSize }) => sum + audienceSize, 0);
  smtp.script = { dot: { delayMs: 60 } };
  const slowRows = delayRows(60);
  let most = 0;
  let sending = true;
  const pages = Promise.all(ids.map(wholePage)).finally(() => (sending = false));
  while (sending) most = Math.max(most, await unrecorded());
  await pages;
  slowRows.mockRestore();
  expect(most).toBeGreaterThan(CHUNK / 2);
  expect(most).toBeLessThanOrEqual(CHUNK);
  expect(await count({ status: 'delivered' })).toBe(audience);
});

test('a page takes credits for what is sent; at a cap it holds, says so, and goes on when the cap is lifted', async () => {
  const id = await running(20);
  const before = await credits();
  await cap(before + 12);
  expect(await page(id)).toMatchObject({ sent: 12, done: false, held: 'limit_reached' });
  expect([await credits(), (await stored.campaigns.get(id)).heldReason]).toEqual([before + 12, 'limit_reached']);
  expect(await page(id)).toMatchObject({ sent: 0, done: false, held: 'limit_reached' });
  await cap(null);
  expect(await page(id)).toMatchObject({ sent: 8, done: true, held: null });
  expect([await credits(), (await stored.campaigns.get(id)).heldReason]).toEqual([before + 20, null]);
});

test('a contact who opted out, was suppressed, deleted or made anew is skipped and takes no credit', async () => {
  const id = await running(8);
  const [optedOut, suppressed, deleted, anew] = await rows(id);
  const before = await credits();
  await api().post('/v1/contacts').send({ email: optedOut?.email, subscribed: false }).expect(200);
  await api().post('/v1/suppressions').send({ email: suppressed?.email }).expect(201);
  for (const row of [deleted, anew]) await api().delete(`/v1/contacts/${row?.contactId}`).expect(200);
  await api().post('/v1/contacts').send({ email: anew?.email }).expect(201);
  expect(await page(id)).toMatchObject({ sent: 4, skipped: 4, done: true });
  const reasons = await stored.recipients.all({ campaignId: id, status: 'skipped' }, { _id: 1 });
  expect(reasons.map(({ skipReason }) => skipReason)).toEqual(['unsubscribed', 'suppressed', 'deleted', 'deleted']);
  expect(await credits()).toBe(before + 4);
});

test('a contact who opts out while others of the page wait for a slow mail server is skipped', async () => {
  const id = await running(40);
  // Longer than the time of a call, so that some of the page are left for the next one.
  smtp.script = { dot: { delayMs: 3_100 } };
  const before = smtp.messages.length;
  const sending = page(id);
  await eventually('some are on the wire', async () => (await onTheWireNow()) > 0);
  await stored.contacts.changeAll({}, { subscribed: false, optedOutAt: new Date() });
  const first = await sending;
  const second = await page(id);
  const sent = first.sent + second.sent;
  const skipped = first.skipped + second.skipped;
  expect([sent + skipped, second.done]).toEqual([40, true]);
  expect(skipped).toBeGreaterThan(10);
  expect(smtp.messages.length - before).toBe(sent);
});

test('a page claims nothing more after a cancel: what is on the wire then is all that leaves', async () => {
  const id = await running(40);
  smtp.script = { dot: { delayMs: 200 } };
  const sending = page(id);
  await eventually('some are on the wire', async () => (await onTheWireNow()) > 0);
  await api().post(`/v1/campaigns/${id}/cancel`).send({}).expect(200);
  const claimed = new Set([
    ...(await claimedNow({ campaignId: id, begun: true })),
    ...(await stored.emails.distinct('_id', { campaignId: id })),
  ]);
  expect(await sending).toMatchObject({ done: false, over: true });
  const left = await stored.emails.distinct('_id', { campaignId: id, attempts: 1, status: 'delivered' });
  expect(left.filter((one) => !claimed.has(one))).toEqual([]);
  expect(claimed.size).toBeLessThanOrEqual(2 * CHUNK);
  expect(await onTheWireNow({ campaignId: id })).toBe(0);
});

test('a worker that is stopped finishes its chunks and leaves the rest', async () => {
  const id = await running(40);
  const before = await credits();
  smtp.script = { dot: { delayMs: 100 } };
  const stopping = new AbortController();
  const sending = page(id, stopping.signal);
  await eventually('some are on the wire', async () => (await onTheWireNow()) > 0);
  stopping.abort();
  const { sent, done, over } = await sending;
  expect([done, over, await onTheWireNow()]).toEqual([false, false, 0]);
  expect(await count({ campaignId: id, status: 'delivered' })).toBe(sent);
  expect([await claimedNow(), await credits()]).toEqual([[], before + sent]);
  smtp.script = {};
  expect(await wholePage(id)).toBe(40 - sent);
});

test('a worker without its lease claims nothing for good, and does not take the campaign for ended', async () => {
  const id = await running(6);
  const lease = { renewMs: 60_000, leaseMs: 30_000, stopMs: 0, contactMs: 60_000 };
  const stalled = new DeliveryHost(app.core, new WakeWatch(), { lease, pump: PUMP_TIMES });
  await stalled.start();
  try {
    const input = { campaignId: id, projectId: app.keys.projectId, from: '', to: null, subject: 'own' as const, winner: null };
    const result = await stalled.campaignPage({ input, signal: new AbortController().signal });
    const queues = [host.queue, stalled.queue];
    expect(result).toEqual({ sent: 0, skipped: 0, done: false, held: null, over: false, queues });
  } finally {
    await stalled.stop();
  }
  expect(await count({ campaignId: id })).toBe(0);
  expect(await page(id)).toMatchObject({ sent: 6, done: true });
});

test('a disabled project and a paused reputation hold; test mode knows neither caps nor a transport', async () => {
  const id = await running(3);
  const project = { _id: app.keys.projectId };
  const projects = CampaignModel.db.collection('projects');
  await projects.updateOne(project as never, { $set: { disabledAt: new Date() } });
  expect(await page(id)).toMatchObject({ sent: 0, held: 'disabled' });
  await projects.updateOne(project as never, { $set: { disabledAt: null, 'reputation.state': 'paused' } });
  expect(await page(id)).toMatchObject({ sent: 0, held: 'reputation_paused' });
  const [before, arrived] = [await credits(), smtp.messages.length];
  await stored.campaigns.change(id, { testMode: true });
  expect(await page(id)).toMatchObject({ sent: 3, done: true });
  await projects.updateOne(project as never, { $set: { 'reputation.state': 'ok' } });
  expect([await credits(), smtp.messages.length, await count({ campaignId: id, testMode: true, status: 'sent' })]).toEqual([
    before,
    arrived,
    3,
  ]);
  expect((await stored.campaigns.get(id)).counters.delivered).toBe(0);
});
