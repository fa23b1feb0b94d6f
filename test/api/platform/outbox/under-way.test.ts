import { campaignRemovalId, campaignWorkflowId } from '../../../../src/contracts/campaign';
import type { StartIntent } from '../../../../src/contracts/processes';
import { finishCampaign, removeCampaign, isCampaignOver } from '../../../../src/marketing/campaigns/finish';
import { inTransaction } from '../../../../src/platform/mongo/transaction';
import { want } from '../../../../src/platform/outbox';
import { checkAllNow, sweepUnderWay } from '../../../../src/platform/outbox/under-way';
import { removeDeliveriesOf } from '../../../../src/sending/webhooks/service';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const MINUTE_MS = 60_000;
const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

beforeEach(async () => {
  await stored.underWay.remove();
  app.processes.start.mockReset();
  app.processes.start.mockResolvedValue(undefined);
});

const intent = (n: number): StartIntent => ({
  kind: 'start',
  workflow: 'campaignSend',
  workflowId: `campaign/${n}`,
  input: { campaignId: String(n), projectId: app.keys.projectId, scheduledFor: null },
  summary: 'A campaign',
  attributes: { projectId: app.keys.projectId },
  orSignal: 'wanted',
  lasts: true,
});
const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * MINUTE_MS);
const started = (): string[] => app.processes.start.mock.calls.map(([{ workflowId }]) => workflowId as string).sort();
const noted = (): Promise<string[]> => stored.underWay.distinct('_id');
const never = (): Promise<boolean> => Promise.resolve(false);

test('what is not over is started again every five minutes, without a signal to what runs', async () => {
  await inTransaction((session) => want(session, [intent(1), intent(2)]));
  expect(await sweepUnderWay(app.core, never, inMinutes(4))).toBe(0);
  expect(await sweepUnderWay(app.core, never, inMinutes(6))).toBe(2);
  expect(started()).toEqual(['campaign/1', 'campaign/2']);
  expect(app.processes.start.mock.calls[0]?.[0]).not.toHaveProperty('orSignal');
  expect(await sweepUnderWay(app.core, never, inMinutes(6))).toBe(0);
  expect(await sweepUnderWay(app.core, never, inMinutes(12))).toBe(2);
});

test('what is over is forgotten, but not before all that was under way has come', async () => {
  await inTransaction((session) => want(session, [intent(1), intent(2)]));
  const isOver = ({ workflowId }: StartIntent) => Promise.resolve(workflowId === 'campaign/1');
  await sweepUnderWay(app.core, isOver, inMinutes(6));
  expect(await noted()).toEqual(['campaign/1', 'campaign/2']);
  await sweepUnderWay(app.core, isOver, inMinutes(12));
  expect(await noted()).toEqual(['campaign/2']);
  expect(started()).toEqual(['campaign/2', 'campaign/2']);
});

test('one that Temporal does not take keeps none of the others back, and is carried out later', async () => {
  await inTransaction((session) => want(session, [intent(1), intent(2)]));
  app.processes.start.mockImplementation(({ workflowId }: StartIntent) =>
    workflowId === 'campaign/1' ? Promise.reject(new Error('never')) : Promise.resolve(),
  );
  await expect(sweepUnderWay(app.core, never, inMinutes(6))).rejects.toThrow('never');
  app.processes.start.mockReset();
  expect(await sweepUnderWay(app.core, never, inMinutes(6))).toBe(1);
  expect(started()).toEqual(['campaign/1']);
});

test('a Temporal that is new has all of them looked at now', async () => {
  await inTransaction((session) => want(session, [intent(1), intent(3)]));
  await checkAllNow(new Date());
  await sweepUnderWay(app.core, never, new Date());
  expect(started()).toEqual(['campaign/1', 'campaign/3']);
});

describe('campaigns whose documents are of an earlier instant than their workflow', () => {
  const draft = async (): Promise<string> => {
    const body = { name: 'News', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'team@hello.test' };
    return (await app.api().post('/v1/campaigns').send(body).expect(201)).body.data.campaignId as string;
  };
  const put = (id: string, set: object) => stored.campaigns.change(id, set);
  const key = (campaignId: string) => ({ campaignId, projectId: app.keys.projectId });
  const finish = (id: string, how: { cancelled: boolean; found?: boolean }) =>
    finishCampaign(app.core, { ...key(id), now: Date.now(), ...how }, () => undefined);
  const statusOf = async (id: string) => (await stored.campaigns.one(id))?.status;

  test.each([
    { status: 'scheduled', phase: null },
    { status: 'sending', phase: 'starting' },
    { status: 'sending', phase: 'freezing' },
  ])('are neither ended nor cancelled ($status, $phase)', async (stands) => {
    const id = await draft();
    await put(id, { ...stands, startedAt: stands.status === 'sending' ? new Date() : null });
    expect(await finish(id, { cancelled: false })).toMatchObject({ behind: true });
    expect(await finish(id, { cancelled: true, found: true })).toMatchObject({ behind: true });
    expect(await statusOf(id)).toBe(stands.status);
    expect(await isCampaignOver(key(id))).toBe(false);
    // By a person it is cancelled all the same.
    expect(await finish(id, { cancelled: true })).toEqual({ pending: 0, sent: 0, skipped: 0 });
    expect(await statusOf(id)).toBe('cancelled');
    expect(await isCampaignOver(key(id))).toBe(true);
  });

  test('a draft, one that is gone, and one that is sent stay as they are', async () => {
    const id = await draft();
    expect(await finish(id, { cancelled: true, found: true })).toEqual({ pending: 0, sent: 0, skipped: 0 });
    expect([await statusOf(id), await isCampaignOver(key(id))]).toEqual(['draft', true]);
    expect(await finish('cmp_gone', { cancelled: true, found: true })).toEqual({ pending: 0, sent: 0, skipped: 0 });
    const abDecideAt = new Date(0);
    await put(id, { status: 'sent', sentCount: 3, abSubjectB: 'B', abDecideAt });
    expect(await finish(id, { cancelled: true, found: true })).toEqual({
      pending: 0,
      sent: 3,
      skipped: 0,
      decideAt: abDecideAt.toISOString(),
    });
    expect([await statusOf(id), await isCampaignOver(key(id))]).toEqual(['sent', false]);
    await put(id, { abWinner: 'a' });
    expect(await isCampaignOver(key(id))).toBe(true);
  });

  test('what belongs to a campaign or an endpoint that is there again is not removed', async () => {
    const id = await draft();
    const recipient = {
      _id: `${id}/1`,
      contactId: 'c',
      email: 'a@b.c',
      status: 'pending' as const,
      emailId: 'em_1',
      createdAt: new Date(),
    };
    await stored.recipients.make({ ...recipient, campaignId: id, projectId: app.keys.projectId });
    await removeCampaign(key(id), () => undefined);
    expect(await stored.recipients.count({ _id: recipient._id })).toBe(1);
    await stored.campaigns.remove(id);
    await removeCampaign(key(id), () => undefined);
    expect(await stored.recipients.count({ _id: recipient._id })).toBe(0);

    const { body } = await app
      .api()
      .post('/v1/webhooks')
      .send({ url: 'https://example.com/hook', events: ['a'] })
      .expect(201);
    const webhookId = body.data.webhookId as string;
    const delivery = { _id: 'dlv_1', webhookId, projectId: app.keys.projectId };
    const event = { eventId: 'evt_1', eventName: 'a', createdAt: new Date() };
    await stored.deliveries.make({ ...delivery, ...event, sequence: 1, status: 'pending' });
    await removeDeliveriesOf(delivery, new AbortController().signal);
    expect(await stored.deliveries.count({ webhookId })).toBe(1);
  });

  test('starting, deleting and removing are noted with the documents', async () => {
    const id = await draft();
    await app.api().post(`/v1/campaigns/${id}/send`).send({}).expect(200);
    expect(await noted()).toEqual([campaignWorkflowId(id)]);
    await put(id, { status: 'sent' });
    await app.api().delete(`/v1/campaigns/${id}`).expect(200);
    expect(await noted()).toEqual([campaignRemovalId(id), campaignWorkflowId(id)].sort());
  });
});
