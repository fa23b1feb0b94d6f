import type { CampaignPageResult } from '../../../../src/contracts/campaign';
import { takePages } from '../../../../src/marketing/campaigns/page-claims';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { claimedNow } from '../../../support/data/claims';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { eventually } from '../../../support/platform/platform';
import { aMailServer } from '../../../support/servers/smtp-fault-server';
import { stored } from '../../../support/data/stored';

const CHUNK = 8;
const AUDIENCE = 32;
const smtp = aMailServer();
const app = aProject(() => ({
  config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, LEDGER_CHUNK: String(CHUNK) },
}));
const host = aDeliveryHost(app);
const { running, rows, api } = campaignCalls(() => app);

beforeEach(() => Promise.all([stored.emails.remove(), stored.contacts.remove()]));

/** Sends the whole audience as one page, until the call's time is over. */
const { page } = campaignPages(
  () => app,
  () => host,
);
const used = async (): Promise<number> => (await api().get('/v1/billing').expect(200)).body.data.categories.campaign.used as number;
const sentOf = async (id: string): Promise<number> => (await api().get(`/v1/campaigns/${id}`).expect(200)).body.data.sent as number;
const ahead = (): Promise<readonly string[]> => claimedNow({ begun: false });
const recipients = (): readonly (string | undefined)[] => smtp.messages.map(({ to }) => to);

/** A campaign that is being sent to a slow mail server, with claims that have not begun. */
async function sendingSlowly(): Promise<{ id: string; before: number; sending: Promise<CampaignPageResult> }> {
  const id = await running(AUDIENCE);
  const before = await used();
  smtp.script = { dot: { delayMs: 200 } };
  smtp.messages.length = 0;
  const sending = page(id);
  // The first claims begin at once; of the ones that follow, most wait for these.
  await eventually('some are sent', async () => (await stored.emails.count({ campaignId: id })) > 0);
  await eventually('some are claimed ahead', async () => (await ahead()).length > CHUNK / 2);
  return { id, before, sending };
}

afterEach(() => {
  smtp.script = {};
});

test('messages are charged when they are claimed, and count as sent when their claim begins', async () => {
  const { id, before, sending } = await sendingSlowly();
  const [sent, claimed] = [await sentOf(id), await used()];

  expect(claimed - before).toBeGreaterThan(sent);

  smtp.script = {};
  await sending;
  while (!(await page(id)).done);
  expect([await sentOf(id), (await used()) - before, await claimedNow()]).toEqual([AUDIENCE, AUDIENCE, []]);
});

test('what has not begun when a campaign is cancelled never leaves, and its credits are given back', async () => {
  const { id, before, sending } = await sendingSlowly();

  await api().post(`/v1/campaigns/${id}/cancel`).send({}).expect(200);

  expect(await ahead()).toEqual([]);
  expect(await sending).toMatchObject({ done: false, over: true });
  const delivered = await stored.emails.count({ campaignId: id, status: 'delivered' });
  expect([recipients().length, (await used()) - before]).toEqual([delivered, delivered]);
  expect(delivered).toBeLessThan(AUDIENCE);
});

test('what has not begun when a page is taken from its worker goes to the next attempt, uncharged: each gets one message', async () => {
  const { id, before, sending } = await sendingSlowly();
  const [claim] = await stored.campaignPages.all({ campaignId: id });

  await takePages({ worker: claim?.worker ?? '', except: [], claimedBefore: new Date() });

  expect(await ahead()).toEqual([]);
  smtp.script = {};
  expect(await sending).toMatchObject({ done: false, over: false });
  while (!(await page(id)).done);
  expect([...recipients()].sort()).toEqual((await rows(id)).map(({ email }) => email).sort());
  expect([await sentOf(id), (await used()) - before, await claimedNow()]).toEqual([AUDIENCE, AUDIENCE, []]);
});
