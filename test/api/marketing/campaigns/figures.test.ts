import { decideCampaign } from '../../../../src/marketing/campaigns/decide';
import type { CampaignRecipient } from '../../../../src/marketing/campaigns/model';
import { laterCounts } from '../../../../src/sending/deliver/counts';
import { record } from '../../../../src/sending/deliver/record';
import type { Email } from '../../../../src/records/emails/model';
import { compare } from '../../../../src/rules/ab-test';
import { recordHits } from '../../../../src/sending/tracking/record';
import { acceptance } from '../../../support/data/accepted-mail';
import { aProject } from '../../../support/platform/app';
import { OPENED, campaignCalls, hit } from '../../../support/calls/campaigns';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const app = aProject();
const keys = aFreshProject('Figures');

const { get, act, draft, rows, deliver, running, finish } = campaignCalls(() => ({
  ...app,
  keys,
  api: (key = keys.test) => app.api(key),
}));

const WAITING = { status: 'queued', attempts: 1, dueAt: new Date(Date.now() + 3_600_000), sentAt: null, deliveredAt: null } as const;
const FAILED = { status: 'failed', sentAt: null, deliveredAt: null } as const;

describe('what became of the recipients', () => {
  test('a draft has nothing', async () => {
    const { campaignId } = await draft();
    expect(await get(campaignId)).toMatchObject({ sent: 0, skipped: 0, failed: 0, deferred: 0, bySubject: null, comparison: null });
  });

  test('is counted while it is sent, and stays as it was when messages are gone', async () => {
    const id = await running(8);
    const [a, b, c, d, e, f, g] = await rows(id);
    await deliver([a!, b!]);
    await deliver([c!], FAILED);
    await deliver([d!, e!], WAITING);
    await deliver([f!], { status: 'bounced', bouncedAt: new Date(), bounceType: 'hard' });
    await stored.recipients.change(g!._id, { status: 'skipped', skipReason: 'unsubscribed' });
    const figures = { sent: 6, skipped: 1, failed: 1, deferred: 2, totalRecipients: 8, bounced: 0 };
    expect(await get(id)).toMatchObject(figures);
    await stored.recipients.changeAll({ campaignId: id, emailId: (await rows(id))[7]!.emailId }, { status: 'skipped' });
    await finish(id);
    expect(await get(id)).toMatchObject({ ...figures, status: 'sent', skipped: 2, bounced: 1 });
    await stored.emails.changeAll({ campaignId: id, status: 'queued' }, { $set: { status: 'delivered' }, $unset: { dueAt: 1 } });
    expect(await get(id)).toMatchObject({ deferred: 0, failed: 1 });
    await stored.emails.remove({ campaignId: id });
    expect(await get(id)).toMatchObject({ sent: 6, skipped: 2 });
  });

  test('of a cancelled campaign, who still waited is skipped at once', async () => {
    const id = await running(3);
    const [a] = await rows(id);
    await deliver([a!]);
    await act(id, 'cancel').expect(200);
    expect(await get(id)).toMatchObject({ status: 'cancelled', sent: 1, skipped: 2 });
    await finish(id, true);
    expect(await get(id)).toMatchObject({ status: 'cancelled', sent: 1, skipped: 2 });
  });

  test('is found by indexes', async () => {
    const id = await running(2);
    await deliver(await rows(id), WAITING);
    const plans = [...(await queryPlans('emails', () => get(id))), ...(await queryPlans('campaign_recipients', () => get(id)))];
    expect(plans.length).toBeGreaterThan(3);
    expect(plans.filter(({ plan }) => plan.includes('COLLSCAN') || plan.includes('FETCH'))).toEqual([]);
  });
});

describe('the variants of an experiment', () => {
  const EXPERIMENT = { abSubjectB: 'Good day', abSamplePct: 60 };

  /** Sends to recipients as workers do: each message is on the wire, and its acceptance is recorded. */
  async function send(id: string, recipients: readonly CampaignRecipient[]): Promise<void> {
    const { contentIds } = await stored.campaigns.get(id);
    const onWire: Email[] = [];
    for (const variant of ['a', 'b'] as const) {
      const contentId = contentIds?.[variant] ?? '';
      const mine = recipients.filter((row) => row.variant === variant);
      onWire.push(
        ...(await deliver(mine, {
          contentId,
          status: 'sending',
          sentAt: null,
          deliveredAt: null,
          attempt: { id: 'att_1', worker: 'wrk_1', at: new Date() },
        })),
      );
    }
    await record(
      app.core,
      onWire.map((email) => acceptance(email, new Date())),
    );
    await laterCounts(app.core).inCampaigns.flush();
  }

  const started = async (size: number) => {
    const id = await running(size, EXPERIMENT);
    const all = await rows(id);
    const sample = all.filter(({ variant }) => variant === 'a' || variant === 'b');
    await send(id, sample);
    return { id, all, sample, of: (variant: string) => sample.filter((row) => row.variant === variant) };
  };

  test('count people who opened or clicked, each message once; the rest is left out of the comparison', async () => {
    const { id, of, all } = await started(10);
    await recordHits(
      [hit(of('b')[0]!.emailId, null), hit(of('b')[0]!.emailId, null), hit(of('b')[1]!.emailId, 'https://example.com/1')],
      false,
    );
    await recordHits([hit(of('a')[0]!.emailId, null, 'head'), hit(of('a')[1]!.emailId, 'https://example.com/1', 'head')], false);
    const sample = { a: { sent: 3, opened: 0, clicked: 0 }, b: { sent: 3, opened: 2, clicked: 1 } };
    const compared = { confidence: 0.95, sample, ...compare(sample.a, sample.b) };
    expect(await get(id)).toMatchObject({ bySubject: sample, comparison: { decidedAt: null, ...compared } });
    expect(await decideCampaign({ campaignId: id, projectId: keys.projectId }, () => undefined)).toBe('b');
    await stored.recipients.changeAll({ campaignId: id, variant: 'hold' }, { variant: 'b' });
    const rest = (await rows(id)).filter((row) => all.find(({ _id }) => _id === row._id)?.variant === 'hold');
    await send(id, rest);
    await recordHits([hit(rest[0]!.emailId, null), hit(of('a')[2]!.emailId, null)], false);
    await finish(id);
    const after = await get(id);
    expect(after['bySubject']).toEqual({ a: { sent: 3, opened: 1, clicked: 0 }, b: { sent: 7, opened: 3, clicked: 1 } });
    expect(after['comparison']).toEqual({ decidedAt: expect.stringMatching(/^20/), ...compared });
    expect(after['comparison']).toMatchObject({ opens: { winner: 'none' }, clicks: { winner: 'none' } });
    expect(after['abWinner']).toBe('b');
  });

  test('what a lost process did not count is counted at the end', async () => {
    const { id, of } = await started(10);
    await stored.emails.change(of('a')[0]!.emailId, OPENED);
    await stored.campaigns.change(id, { $unset: { byContent: 1 } });
    await stored.recipients.changeAll({ campaignId: id, variant: 'hold' }, { status: 'skipped' });
    await finish(id);
    expect(await get(id)).toMatchObject({ bySubject: { a: { sent: 3, opened: 1, clicked: 0 }, b: { sent: 3, opened: 0 } } });
  });

  test('say nothing certain before anything was sent', async () => {
    const id = await running(4, EXPERIMENT);
    expect(await get(id)).toMatchObject({ bySubject: { a: { sent: 0 } }, comparison: { decidedAt: null, opens: null, clicks: null } });
  });
});
