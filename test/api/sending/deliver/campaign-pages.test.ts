import { claimPage, confirmPage, releasePage, takePages } from '../../../../src/marketing/campaigns/page-claims';
import type { PageClaim } from '../../../../src/marketing/campaigns/page-claims';
import { newId } from '../../../../src/platform/core/ids';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { running, rows, api, finish } = campaignCalls(() => app);

const claimed = (campaignId: string, worker = 'wrk_1'): Promise<PageClaim | null> =>
  claimPage({ campaignId, from: '' }, { id: newId('att'), worker, at: new Date() });
async function claimedAlone(campaignId: string, worker?: string): Promise<PageClaim> {
  const claim = await claimed(campaignId, worker);
  if (!claim) throw new Error('Another attempt has the page');
  return claim;
}
const mayBegin = (claim: PageClaim): Promise<boolean> => inTransaction((session) => confirmPage(claim, 1, session));
const lostWorker = (worker: string) => takePages({ worker, except: [], claimedBefore: new Date() });

test('a page that is claimed when its campaign is cancelled can begin no message any more: its recipients were skipped', async () => {
  const campaignId = await running(2);
  const page = await claimedAlone(campaignId);
  expect(await mayBegin(page)).toBe(true);

  await api().post(`/v1/campaigns/${campaignId}/cancel`).send({}).expect(200);
  expect(await mayBegin(page)).toBe(false);
  await finish(campaignId, true);

  expect((await rows(campaignId)).map(({ status }) => status)).toEqual(['skipped', 'skipped']);
  expect(await stored.campaignPages.count({ campaignId })).toBe(0);
});

test('one of two attempts to claim a page at once has it; once it is given back, another goes on from there', async () => {
  const campaignId = await running(2);
  const claims = await Promise.all([claimed(campaignId, 'wrk_1'), claimed(campaignId, 'wrk_2')]);
  const [first, ...others] = claims.filter((claim) => claim !== null);
  expect([first?.untouched, others]).toEqual([true, []]);
  expect(await claimed(campaignId, 'wrk_3')).toBeNull();

  await releasePage(first as PageClaim, { after: `${campaignId}/80000000`, untouched: true });

  expect(await claimed(campaignId, 'wrk_3')).toMatchObject({ after: `${campaignId}/80000000`, untouched: true });
  expect(await mayBegin(first as PageClaim)).toBe(false);
});

test('a page of a lost worker begins nothing more, and who claims it next looks up what there is of each recipient', async () => {
  const campaignId = await running(2);
  const page = await claimedAlone(campaignId, 'wrk_lost');

  await lostWorker('wrk_lost');

  expect(await mayBegin(page)).toBe(false);
  expect(await claimed(campaignId, 'wrk_2')).toMatchObject({ after: null, untouched: false });
  await releasePage(page, { after: `${campaignId}/90000000`, untouched: true });
  expect(await stored.campaignPages.one(page._id)).toMatchObject({ worker: 'wrk_2', after: null });
});

test('a worker takes back a page of its own that no attempt of it knows, and leaves those that are being sent', async () => {
  const campaignId = await running(2);
  const page = await claimedAlone(campaignId, 'wrk_own');
  const own = { worker: 'wrk_own', claimedBefore: new Date() };
  await takePages({ ...own, except: [page.attempt] });
  expect(await mayBegin(page)).toBe(true);
  await takePages({ ...own, claimedBefore: new Date(Date.now() - 60_000), except: [] });
  expect(await mayBegin(page)).toBe(true);
  await takePages({ ...own, except: [] });
  expect(await mayBegin(page)).toBe(false);
});

const worker = (_id: string) => ({
  _id,
  host: 'mail',
  pid: 1,
  takesPumps: true,
  startedAt: new Date(),
  leaseUntil: new Date(Date.now() + 60_000),
});

test('a campaign that is frozen again keeps its pages, however many workers share it by then: a page is claimed by where it begins', async () => {
  const { freeze } = campaignCalls(() => app);
  const campaignId = await running(2);
  const plan = await freeze(campaignId);

  for (const _id of ['wrk_1', 'wrk_2']) await stored.workers.make(worker(_id));
  const again = await freeze(campaignId);
  await stored.workers.remove();

  expect(plan?.pageRows).toBe(1_920);
  expect(again).toEqual(plan);
});
