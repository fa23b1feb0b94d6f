import { endPause } from '../../../../src/marketing/campaigns/control';
import { toEmail } from '../../../../src/records/emails/row';
import { withoutBlocked } from '../../../../src/sending/deliver/recheck';
import { campaignCalls } from '../../../support/calls/campaigns';
import { campaignPages } from '../../../support/calls/campaign-pages';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';
import { aDeliveryHost } from '../../../support/platform/delivery-host';
import { aMailServer } from '../../../support/servers/smtp-fault-server';

const smtp = aMailServer();
const app = aProject(() => ({ config: { DEV_VERIFIED_DOMAINS: 'hello.test', SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } }));
const host = aDeliveryHost(app);
const { running, rows, act } = campaignCalls(() => app);
const { wholePage } = campaignPages(
  () => app,
  () => host,
);
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A campaign whose only message is due for its next attempt. */
async function deferred(): Promise<{ readonly id: string; readonly emailId: string }> {
  const id = await running(1);
  await wholePage(id);
  const emailId = (await rows(id))[0]?.emailId ?? '';
  await stored.emails.change(emailId, { status: 'queued', attempts: 1, dueAt: new Date() });
  return { id, emailId };
}
/** What would go on to be claimed of it, if a pump had found it before. */
const goesOn = async (emailId: string): Promise<boolean> => {
  const found = toEmail(await stored.emails.get(emailId));
  return (await withoutBlocked(app.core, [found], new Date())).length === 1;
};

describe('a pause of a campaign whose mail the receiver deferred', () => {
  const waitsMs = async (emailId: string): Promise<number> => Number((await stored.emails.get(emailId)).dueAt) - Date.now();

  test('keeps the retries by default', async () => {
    const { id, emailId } = await deferred();
    expect((await act(id, 'pause').expect(200)).body.data.paused).toMatchObject({ retries: 'continue' });
    expect([await goesOn(emailId), (await waitsMs(emailId)) <= 0]).toEqual([true, true]);
  });

  test('holds them if it is asked to, until the campaign is resumed', async () => {
    const { id, emailId } = await deferred();
    expect((await act(id, 'pause', { retries: 'hold' }).expect(200)).body.data.paused).toMatchObject({ retries: 'hold' });
    expect(await waitsMs(emailId)).toBeGreaterThan(60_000);
    expect(await goesOn(emailId)).toBe(false);
    // What the receiver defers after the pause is held when it is due.
    await stored.emails.change(emailId, { dueAt: new Date() });
    expect(await goesOn(emailId)).toBe(false);
    expect(await waitsMs(emailId)).toBeGreaterThan(60_000);
    await act(id, 'resume').expect(200);
    expect([await goesOn(emailId), (await waitsMs(emailId)) <= 0]).toEqual([true, true]);
  });

  test('releases them when the pause ends by itself, or continues with them', async () => {
    const { id, emailId } = await deferred();
    const until = inHours(3);
    await act(id, 'pause', { until, retries: 'hold' }).expect(200);
    await endPause(app.core, { campaignId: id, projectId: app.keys.projectId }, until);
    expect([await goesOn(emailId), (await waitsMs(emailId)) <= 0]).toEqual([true, true]);
    await act(id, 'pause', { retries: 'hold' }).expect(200);
    await act(id, 'pause').expect(200);
    expect([await goesOn(emailId), (await waitsMs(emailId)) <= 0]).toEqual([true, true]);
  });
});

test('a cancelled campaign has no retries, also if the process ended before its messages were withdrawn', async () => {
  const { id, emailId } = await deferred();
  expect(await goesOn(emailId)).toBe(true);
  await stored.campaigns.change(id, { $set: { status: 'cancelled' } });
  expect(await goesOn(emailId)).toBe(false);
  const { body } = await app.api().get(`/v1/emails/${emailId}`).expect(200);
  expect(body.data).toMatchObject({ status: 'cancelled', error: 'campaign_cancelled' });
});
