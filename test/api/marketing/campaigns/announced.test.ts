import mongoose from 'mongoose';
import { setHeldReason } from '../../../../src/marketing/campaigns';
import { beginCampaign } from '../../../../src/marketing/campaigns/freeze';
import { aProject } from '../../../support/platform/app';
import { campaignCalls } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { act, api, deliver, draft, finish, freeze, get, rows, running } = campaignCalls(() => app);

interface Announced {
  readonly name: string;
  readonly contactId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of a campaign, in the order of their receipt: what it did and its figures then. */
async function announced(campaignId: string): Promise<readonly Announced[]> {
  const found = await stored.events.all({ name: /^email\.campaign_/, 'data.campaignId': campaignId });
  const sorted = found.toSorted((a, b) => a.receivedAt.getTime() - b.receivedAt.getTime());
  return sorted.map(({ name, contactId, data }) => ({ name: name.slice('email.campaign_'.length), contactId, data: data ?? {} }));
}

const names = async (campaignId: string): Promise<readonly string[]> => (await announced(campaignId)).map(({ name }) => name);

test('a campaign says that it started, is on hold, and was sent, with its figures', async () => {
  const id = await running(3, { name: 'Spring sale' });
  await act(id, 'pause').expect(200);
  await act(id, 'pause', { retries: 'hold' }).expect(200);
  await act(id, 'resume').expect(200);
  await deliver(await rows(id));
  await finish(id);
  await finish(id);
  const shared = { campaignId: id, name: 'Spring sale', skipped: 0 };
  expect(await announced(id)).toEqual([
    { name: 'started', contactId: null, data: expect.objectContaining({ ...shared, status: 'sending', audience: null, sent: 0 }) },
    {
      name: 'held',
      contactId: null,
      data: { ...shared, status: 'sending', audience: expect.any(Number), sent: 0, reason: 'paused' },
    },
    { name: 'sent', contactId: null, data: expect.objectContaining({ ...shared, status: 'sent', sent: expect.any(Number) }) },
  ]);
  const { audienceSize } = await stored.campaigns.get(id);
  expect((await announced(id)).at(-1)?.data).toMatchObject({ audience: audienceSize, sent: audienceSize });
});

test('a scheduled campaign says nothing until it begins, and says so once, however often its workflow asks', async () => {
  const { campaignId } = await draft();
  await act(campaignId, 'send', { scheduledFor: new Date(Date.now() + 3_600_000).toISOString() }).expect(200);
  expect(await names(campaignId)).toEqual([]);
  const key = { campaignId, projectId: app.keys.projectId };
  await Promise.all([1, 2, 3].map((minute) => beginCampaign(key, new Date(Date.now() + minute * 60_000))));
  expect(await names(campaignId)).toEqual(['started']);
});

test('each hold is one event with its reason, and workers that find the same one add none', async () => {
  const id = await running(1);
  await Promise.all([1, 2, 3, 4].map(() => setHeldReason(id, 'limit_reached')));
  await setHeldReason(id, 'disabled');
  await setHeldReason(id, null);
  await setHeldReason(id, 'limit_reached');
  const held = (await announced(id)).filter(({ name }) => name === 'held');
  expect(held.map(({ data }) => data['reason'])).toEqual(['limit_reached', 'disabled', 'limit_reached']);
});

test('a campaign is cancelled once, by a person or by its workflow, and not before the change is stored', async () => {
  const id = await running(2);
  jest.spyOn(mongoose.mongo.ClientSession.prototype, 'commitTransaction').mockRejectedValueOnce(new Error('killed'));
  await act(id, 'cancel').expect(500);
  expect([(await get(id)).status, await names(id)]).toEqual(['sending', ['started']]);
  await act(id, 'cancel').expect(200);
  await act(id, 'cancel').expect(409);
  await finish(id, true);
  await finish(id, true);
  expect(await names(id)).toEqual(['started', 'cancelled']);
  const other = await running(1);
  await Promise.all([finish(other, true), finish(other, true)]);
  expect(await names(other)).toEqual(['started', 'cancelled']);
});

test('the events are in the feed, and have testMode for a test key', async () => {
  const { campaignId } = await draft({}, app.keys.test);
  await act(campaignId, 'send', {}, app.keys.test).expect(200);
  await freeze(campaignId);
  const { body } = await api().get('/v1/events').query({ name: 'email.campaign_started' }).expect(200);
  const found = (body.data as { data: { campaignId: string; testMode?: true } }[]).find(({ data }) => data.campaignId === campaignId);
  expect(found?.data).toMatchObject({ campaignId, status: 'sending', testMode: true });
});
