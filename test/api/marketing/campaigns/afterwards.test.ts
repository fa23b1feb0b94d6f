import { MockActivityEnvironment } from '@temporalio/testing';
import { campaignActivities } from '../../../../activities/campaigns';
import { DecisionWaits, decideCampaign } from '../../../../src/marketing/campaigns/decide';
import { removeCampaign } from '../../../../src/marketing/campaigns/finish';
import { CampaignRecipientModel } from '../../../../src/marketing/campaigns/model';
import { fillNonOpeners } from '../../../../src/marketing/campaigns/resend';
import type { StartIntent } from '../../../../src/contracts/processes';
import { optOutOf } from '../../../../src/sending/tracking/opt-out';
import { recordHits } from '../../../../src/sending/tracking/record';
import { aProject } from '../../../support/platform/app';
import { OPENED, campaignCalls, hit } from '../../../support/calls/campaigns';
import { stored } from '../../../support/data/stored';
import { aFreshProject } from '../../../support/data/projects';

const app = aProject();
const keys = aFreshProject('Results');

const { api, draft, get, act, rows, freeze, deliver, running, finish } = campaignCalls(() => ({
  ...app,
  keys,
  api: (key = keys.test) => app.api(key),
}));

describe('the decision', () => {
  async function experiment(opens: Readonly<Record<'a' | 'b', number>>, options: object = {}): Promise<string> {
    const id = await running(10, { abSubjectB: 'B', abSamplePct: 100 }, options);
    const all = await rows(id);
    for (const variant of ['a', 'b'] as const) {
      const own = all.filter((row) => row.variant === variant);
      await deliver(own.slice(0, opens[variant]), OPENED);
      await deliver(own.slice(opens[variant]));
    }
    return id;
  }
  const decide = (campaignId: string) => decideCampaign({ campaignId, projectId: keys.projectId }, () => undefined);

  test('goes by the unique-open rate, and is made once', async () => {
    const id = await experiment({ a: 2, b: 3 });
    expect(await Promise.all([decide(id), decide(id)])).toEqual(['b', 'b']);
    const a = (await rows(id)).filter(({ variant }) => variant === 'a');
    await stored.emails.changeAll({ _id: { $in: a.map(({ emailId }) => emailId) } }, { openedAt: new Date() });
    expect(await decide(id)).toBe('b');
    expect((await get(id))['abWinner']).toBe('b');
  });

  test('does not count machines', async () => {
    const id = await experiment({ a: 1, b: 0 });
    for (const { emailId, variant } of await rows(id)) {
      if (variant === 'b') await recordHits([hit(emailId, null, 'head'), hit(emailId, 'https://example.com/', 'head')], false);
    }
    expect(await decide(id)).toBe('a');
  });

  describe('of a paused campaign', () => {
    const begun = async (decide: string) => {
      const id = await experiment({ a: 1, b: 2 }, { decide });
      await act(id, 'pause').expect(200);
      return id;
    };

    test('is made on time, or waits until it is resumed, as its author said', async () => {
      expect(await decide(await begun('onTime'))).toBe('b');
      const id = await begun('afterResume');
      expect(await get(id)).toMatchObject({ decide: 'afterResume' });
      await expect(decide(id)).rejects.toThrow(DecisionWaits);
      expect((await get(id))['abWinner']).toBeNull();
      const { decideCampaign: activity } = campaignActivities(app.core);
      const tried = new MockActivityEnvironment().run(activity, { campaignId: id, projectId: keys.projectId });
      await expect(tried).rejects.toMatchObject({ nextRetryDelay: '30 seconds', nonRetryable: false });
      await act(id, 'resume').expect(200);
      expect(await decide(id)).toBe('b');
    });

    test('is asked for at the launch: a campaign that is unscheduled, or compares nothing, forgets it', async () => {
      const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
      const launched = async (more: object) => {
        const { campaignId } = await draft(more, keys.test);
        await act(campaignId, 'send', { decide: 'afterResume', scheduledFor }).expect(200);
        return campaignId;
      };
      const id = await launched({ abSubjectB: 'B' });
      expect(await get(id)).toMatchObject({ status: 'scheduled', decide: 'afterResume' });
      await act(id, 'unschedule').expect(200);
      expect(await get(id)).not.toHaveProperty('decide');
      expect(await get(await launched({}))).not.toHaveProperty('decide');
    });

    test('does not wait for a page to notice that the pause is over, and is none of a cancelled campaign', async () => {
      const id = await begun('afterResume');
      await stored.campaigns.change(id, { 'paused.until': new Date(Date.now() - 1) });
      expect(await decide(id)).toBe('b');
      const cancelled = await begun('afterResume');
      await act(cancelled, 'cancel').expect(200);
      expect(await decide(cancelled)).toBeNull();
    });
  });

  test('is A’s in a tie, and there is none in a cancelled campaign', async () => {
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
    await deliver([c!], OPENED);
    await deliver([d!], { ...OPENED, clickedAt: new Date() });
    await deliver([e!], { bouncedAt: new Date(), status: 'bounced' });
    await deliver([f!], { complainedAt: new Date(), status: 'complained' });
    await deliver([g!]);
    await optOutOf(app.core, g!.emailId, 'link');
    await stored.recipients.change(h!._id, { status: 'skipped', skipReason: 'suppressed' });
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
    expect(await stored.segments.one(segmentId)).toMatchObject({
      name: 'Non-openers of News',
      type: 'static',
      memberCount: 2,
      projectId: keys.projectId,
    });
    const members = await stored.members.all({ segmentId }, { contactId: 1 });
    expect(members.map(({ contactId }) => contactId)).toEqual(idle);
    const contacts = await stored.contacts.all({ _id: { $in: idle } }, { _id: 1 });
    expect(members.map(({ contactCreatedAt }) => contactCreatedAt)).toEqual(contacts.map(({ createdAt }) => createdAt));
    expect(await stored.events.count({ projectId: keys.projectId, name: 'segment.entered' })).toBe(0);
    expect(app.processes.start.mock.calls.filter(([intent]) => (intent as StartIntent).workflowId === `campaign/${again}`)).toEqual([
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

  test('is begun also when its segment cannot be filled at once: its workflow does that', async () => {
    const { id, idle } = await sentCampaign();
    jest.spyOn(CampaignRecipientModel, 'find').mockImplementationOnce(() => {
      throw new Error('away');
    });
    const { campaignId, segmentId } = (await act(id, 'resend-non-openers').expect(201)).body.data as {
      campaignId: string;
      segmentId: string;
    };
    expect(await stored.members.count({ segmentId })).toBe(0);
    expect(await stored.campaigns.count({ projectId: keys.projectId, 'resendOf.campaignId': id })).toBe(1);
    await fillNonOpeners({ campaignId, projectId: keys.projectId }, Infinity);
    expect((await stored.members.all({ segmentId })).map(({ contactId }) => contactId).sort()).toEqual(idle);
  });

  test('may be scheduled, and has the subject that was sent last', async () => {
    const { id } = await sentCampaign();
    await stored.campaigns.change(id, { abSubjectB: 'The better one', abWinner: 'b', name: 'n'.repeat(200) });
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
    await stored.members.remove(`${again.segmentId}:${idle[0]}`);
    await stored.campaigns.change(again.campaignId, { 'resendOf.filled': false });
    const key = { campaignId: again.campaignId, projectId: keys.projectId };
    expect(await fillNonOpeners(key, performance.now() - 1)).toBe(false);
    expect(await fillNonOpeners(key, Infinity)).toBe(true);
    expect(await stored.members.count({ segmentId: again.segmentId })).toBe(2);
    await stored.members.remove({ segmentId: again.segmentId });
    expect(await fillNonOpeners(key, Infinity)).toBe(true);
    expect(await stored.members.count({ segmentId: again.segmentId })).toBe(0);
  });
});

test('a deleted campaign’s recipients and clicks are removed, no other campaign’s; its messages stay', async () => {
  const [id, other] = [await running(3), await running(0)];
  const all = await rows(id);
  await deliver(all);
  await recordHits([hit(all[0]!.emailId, 'https://example.com/')], false);
  await finish(id);
  await api().delete(`/v1/campaigns/${id}`).expect(200);
  await removeCampaign({ campaignId: id, projectId: keys.projectId }, () => undefined);
  expect(await rows(id)).toEqual([]);
  expect(await rows(other)).toHaveLength(3);
  const ofCampaign = { _id: { $gt: `${id}/`, $lt: `${id}0` } };
  expect([await stored.campaignLinks.count(ofCampaign), await stored.campaignClicks.count(ofCampaign)]).toEqual([0, 0]);
  expect(await stored.emails.count({ campaignId: id })).toBe(3);
  await recordHits([hit(all[1]!.emailId, null)], false);
  await removeCampaign({ campaignId: id, projectId: keys.projectId }, () => undefined);
});
