import { campaignCalls, faultsOf } from '../../../support/calls/campaigns';
import { checksIn, preflightCalls } from '../../../support/calls/preflight';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const { draft, act, get } = campaignCalls(() => app);
const { sentTo } = preflightCalls(() => app);

beforeEach(async () => {
  await Promise.all([stored.contacts.remove(), stored.emails.remove(), stored.deliveryCounts.remove(), stored.audit.remove()]);
});

describe('a launch', () => {
  const WHY = 'The list was cleaned today';

  test('is refused while a check blocks, forced with a reason, and written into the audit', async () => {
    await sentTo('gmail.com', 1_000, 5);
    const { campaignId } = await draft();
    expect((await app.api().get(`/v1/campaigns/${campaignId}/preflight`)).body.data.blocking).toBe(true);
    const { body } = await act(campaignId, 'send').expect(422);
    expect([body.code, checksIn(body)]).toEqual(['validation_error', [['force', 'invalid_combination', 'complaint_rate']]]);
    expect((await get(campaignId)).status).toBe('draft');
    expect((await act(campaignId, 'send', { force: false }).expect(422)).body.code).toBe('validation_error');
    await act(campaignId, 'send', { force: true, forceReason: WHY }).expect(200);
    expect(await stored.audit.all()).toMatchObject([{ action: 'campaign.send_forced', subject: campaignId, reason: WHY }]);
  });

  test('that is moved, or goes to non-openers, is refused and forced alike', async () => {
    const [{ campaignId: later }, { campaignId: sent }] = [await draft(), await draft()];
    const [tomorrow, nextWeek] = [1, 7].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
    await act(later, 'send', { scheduledFor: tomorrow }).expect(200);
    await stored.campaigns.change(sent, { status: 'sent', startedAt: new Date() });
    await sentTo('gmail.com', 1_000, 5);
    await stored.audit.remove();
    for (const [id, what, body] of [
      [later, 'reschedule', { scheduledFor: nextWeek }],
      [sent, 'resend-non-openers', {}],
    ] as const) {
      expect(checksIn((await act(id, what, body).expect(422)).body)).toEqual([['force', 'invalid_combination', 'complaint_rate']]);
      await act(id, what, { ...body, force: true }).expect(what === 'reschedule' ? 200 : 201);
    }
    expect((await stored.audit.all({}, { _id: 1 })).map(({ action, reason }) => [action, reason])).toEqual([
      ['campaign.reschedule_forced', undefined],
      ['campaign.send_forced', undefined],
    ]);
  });

  test('a series is refused alike, and a test key is not', async () => {
    await sentTo('gmail.com', 1_000, 5);
    const { campaignId } = await draft({ schedule: { rrule: 'FREQ=WEEKLY;BYDAY=TU;BYHOUR=9;BYMINUTE=0', timezone: 'UTC' } });
    const { body } = await act(campaignId, 'send').expect(422);
    expect(checksIn(body)).toEqual([['force', 'invalid_combination', 'complaint_rate']]);
    const { campaignId: tried } = await draft();
    expect((await act(tried, 'send', {}, app.keys.test).expect(200)).body.data.testMode).toBe(true);
  });

  test('a reset of the reputation by the operator begins anew', async () => {
    await sentTo('gmail.com', 1_000, 5);
    await stored.projects.change(app.keys.projectId, { 'reputation.resetAt': new Date(Date.now() + 1_000) });
    const { campaignId } = await draft();
    expect((await act(campaignId, 'send').expect(200)).body.data.status).toBe('sending');
    await stored.projects.change(app.keys.projectId, { 'reputation.resetAt': null });
  });

  test.each([
    [{ forceReason: WHY }, 'forceReason', 'invalid_combination'],
    [{ force: true, forceReason: '' }, 'forceReason', 'too_small'],
    [{ force: true, forceReason: 'x'.repeat(501) }, 'forceReason', 'too_big'],
    [{ force: 'yes' }, 'force', 'invalid_type'],
  ])('%j is refused', async (body, path, code) => {
    const { campaignId } = await draft();
    for (const what of ['send', 'resend-non-openers']) {
      expect(faultsOf((await act(campaignId, what, body).expect(422)).body)).toEqual([[path, code]]);
    }
  });
});
