import { endPause } from '../../../../src/marketing/campaigns/control';
import { approvalCalls } from '../../../support/calls/approvals';
import { campaignCalls, faultsOf, storeSegment } from '../../../support/calls/campaigns';
import { preflightCalls } from '../../../support/calls/preflight';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });
const { draft, get: campaign, act, contact, freeze } = campaignCalls(() => app);
const { ask, requested, get, decide, turn, keyOf } = approvalCalls(() => app);
const { sentTo } = preflightCalls(() => app);

const PEOPLE = ['ada@example.com', 'bob@example.com', 'eve@example.com'];
const settings = (approvalNeededAbove: number | null) => app.api().patch('/v1/settings').send({ approvalNeededAbove }).expect(200);
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

let person: string;
beforeAll(async () => {
  person = await keyOf();
  for (const email of PEOPLE) await contact(email);
});
beforeEach(() => settings(2));

/** Has an approval given by another key, and carried out. */
async function approved(approvalId: string): Promise<string> {
  await decide(approvalId, 'approve', person).expect(200);
  await turn(approvalId);
  return (await get(approvalId)).state;
}

test('the setting is kept, shown, and turned off with null', async () => {
  expect((await app.api().get('/v1/settings').expect(200)).body.data.approvalNeededAbove).toBe(2);
  expect((await settings(null)).body.data.approvalNeededAbove).toBeNull();
  await app.api().patch('/v1/settings').send({ approvalNeededAbove: -1 }).expect(422);
  const { campaignId } = await draft();
  await act(campaignId, 'send').expect(200);
});

describe('a campaign with more recipients', () => {
  test.each([
    ['at once', {}],
    ['later', { scheduledFor: inHours(2) }],
    ['in steps', { rollout: [{ percent: 50, wait: { amount: 1, unit: 'hours' } }, { percent: 100 }] }],
    ['by force', { force: true, forceReason: 'It is urgent' }],
  ])('is not sent %s, and the answer says how to request it', async (_how, options) => {
    const { campaignId } = await draft();
    const { body } = await act(campaignId, 'send', options).expect(403);
    expect(body).toMatchObject({ code: 'approval_needed', error: expect.stringContaining('POST /v1/approvals and sendCampaign') });
    expect(await campaign(campaignId)).toMatchObject({ status: 'draft' });
  });

  test('is sent once another key has approved it, and not by the one that asked', async () => {
    const { campaignId } = await draft();
    const { approvalId } = await requested(campaignId);
    await decide(approvalId, 'approve', app.keys.secret).expect(403);
    expect(await approved(approvalId)).toBe('executed');
    expect(await campaign(campaignId)).toMatchObject({ status: 'sending' });
    await freeze(campaignId);
    expect(await stored.campaigns.get(campaignId)).toMatchObject({ audienceSize: 3, approvedFor: 3 });
    expect((await stored.campaigns.get(campaignId)).paused).toBeUndefined();
  });

  describe('that a check blocks', () => {
    const WHY = 'The list was cleaned today';
    const complained = () => sentTo('gmail.com', 1_000, 5);
    afterEach(() => Promise.all([stored.emails.remove(), stored.deliveryCounts.remove()]));

    test('is requested by force, which the approver reads, and is forced once it is approved', async () => {
      await complained();
      const { campaignId } = await draft();
      const refused = await ask({ operation: 'sendCampaign', parameters: { id: campaignId } }).expect(422);
      expect(refused.body.details).toMatchObject([{ path: 'parameters.force', message: expect.stringContaining('in the console') }]);
      const unforced = await ask({ operation: 'sendCampaign', parameters: { id: campaignId, forceReason: WHY } }).expect(422);
      expect(faultsOf(unforced.body)).toEqual([['parameters.forceReason', 'invalid_combination']]);
      const { approvalId, parameters } = await requested(campaignId, { force: true, forceReason: WHY });
      expect(parameters).toEqual({ id: campaignId, force: true, forceReason: WHY });
      const text =
        'Sends the campaign “News” to 3 contacts at once. Checks that block the launch are overridden: “The list was cleaned today”.';
      expect((await get(approvalId)).summary.text).toBe(text);
      expect(await approved(approvalId)).toBe('executed');
      expect(await stored.audit.all({ subject: campaignId })).toMatchObject([
        { action: 'campaign.send_forced', by: `approval ${approvalId}`, reason: WHY },
      ]);
    });

    test('is not sent by an approval that was requested without force', async () => {
      const { campaignId } = await draft();
      const { approvalId } = await requested(campaignId);
      await complained();
      expect(await approved(approvalId)).toBe('failed');
      expect(await campaign(campaignId)).toMatchObject({ status: 'draft' });
    });
  });

  test('needs none in test mode', async () => {
    const { campaignId } = await draft();
    const { body } = await app.api(app.keys.test).post(`/v1/campaigns/${campaignId}/send`).send({}).expect(200);
    expect(body.data.status).toBe('sending');
  });

  test('needs another one after it was unscheduled', async () => {
    const { campaignId } = await draft();
    const { approvalId } = await requested(campaignId, { scheduledFor: inHours(2) });
    expect(await approved(approvalId)).toBe('executed');
    await act(campaignId, 'unschedule').expect(200);
    expect((await stored.campaigns.get(campaignId)).approvedFor).toBeUndefined();
    await act(campaignId, 'send').expect(403);
  });
});

test('as many recipients as the setting allows need none', async () => {
  await settings(3);
  const { campaignId } = await draft();
  expect((await act(campaignId, 'send').expect(200)).body.data.status).toBe('sending');
});

describe('an audience that has become larger by its start', () => {
  /** A campaign that began to a small audience, which was larger when it was frozen. */
  async function grown(): Promise<string> {
    const segmentId = await storeSegment(app.keys.projectId);
    const { campaignId } = await draft({ audience: 'segment', segmentId });
    await act(campaignId, 'send').expect(200);
    await app.api().post(`/v1/segments/${segmentId}/members`).send({ emails: PEOPLE }).expect(200);
    await freeze(campaignId);
    return campaignId;
  }

  test('pauses the campaign before its first message, and only an approval resumes it', async () => {
    const campaignId = await grown();
    expect(await stored.campaigns.get(campaignId)).toMatchObject({ audienceSize: 3, paused: { until: null } });
    expect((await act(campaignId, 'resume').expect(403)).body.error).toContain(`resumeCampaign of ${campaignId}`);
    await act(campaignId, 'pause', { until: inHours(1) }).expect(200);
    const { paused } = await stored.campaigns.get(campaignId);
    await endPause(app.core, { campaignId, projectId: app.keys.projectId }, (paused?.until as Date).toISOString());
    expect(await stored.campaigns.get(campaignId)).toMatchObject({ paused: { until: null } });
    const { body } = await ask({ operation: 'resumeCampaign', parameters: { id: campaignId } }).expect(201);
    expect(body.data.summary).toMatchObject({ text: 'Resumes the campaign “News”, whose audience is 3 contacts.', recipients: 3 });
    expect(await approved(body.data.approvalId as string)).toBe('executed');
    expect((await stored.campaigns.get(campaignId)).paused).toBeUndefined();
    await act(campaignId, 'pause').expect(200);
    await act(campaignId, 'resume').expect(200);
  });

  test('needs another approval after its content was corrected', async () => {
    const campaignId = await grown();
    const { body } = await ask({ operation: 'resumeCampaign', parameters: { id: campaignId } }).expect(201);
    await act(campaignId, 'revise', { subject: 'Pills' }).expect(200);
    expect(await approved(body.data.approvalId as string)).toBe('void');
    const again = await ask({ operation: 'resumeCampaign', parameters: { id: campaignId } }).expect(201);
    expect(await approved(again.body.data.approvalId as string)).toBe('executed');
    await act(campaignId, 'pause').expect(200);
    await act(campaignId, 'revise', { subject: 'Pills again' }).expect(200);
    await act(campaignId, 'resume').expect(403);
  });
});

test('a batch to more recipients needs an approval too', async () => {
  const messages = PEOPLE.map((to) => ({ to, subject: 'Hi', text: 'Hi' }));
  const { body } = await app.api().post('/v1/send/batch').send({ messages }).expect(403);
  expect(body).toMatchObject({ code: 'approval_needed', error: expect.stringContaining('POST /v1/approvals and sendBatch') });
  await app
    .api()
    .post('/v1/send/batch')
    .send({ messages: messages.slice(1) })
    .expect(200);
  const asked = await ask({ operation: 'sendBatch', parameters: { messages } }).expect(201);
  expect(await approved(asked.body.data.approvalId as string)).toBe('executed');
  expect(await stored.emails.count({ to: 'ada@example.com', subject: 'Hi' })).toBe(1);
});
