import { recipientIdOf } from '../../../../src/marketing/campaigns/walk';
import { finishCampaign } from '../../../../src/marketing/campaigns/finish';
import { laterCounts } from '../../../../src/sending/deliver/counts';
import { record } from '../../../../src/sending/deliver/record';
import type { Email } from '../../../../src/records/emails/model';
import { newId } from '../../../../src/platform/core/ids';
import { acceptance, onTheWire } from '../../../support/data/accepted-mail';
import { queryPlans } from '../../../support/checks/query-plans';
import { aProject } from '../../../support/platform/app';
import { stored } from '../../../support/data/stored';

const app = aProject();

/** A campaign all of whose messages are on the wire. */
async function running(change: Partial<Email>): Promise<{ readonly campaignId: string; readonly emails: readonly Email[] }> {
  const content = { name: 'News', subject: 'S', body: '<p>B</p>', fromEmail: 'news@hello.test' };
  const { body } = await app.api().post('/v1/campaigns').send(content).expect(201);
  const campaignId = body.data.campaignId as string;
  const { projectId } = app.keys;
  await stored.campaigns.change(campaignId, { status: 'sending', phase: 'frozen', startedAt: new Date() });
  const emails = await onTheWire(
    projectId,
    Array.from({ length: 6 }, () => ({ campaignId, ...change })),
  );
  await stored.recipients.make(
    emails.map(({ _id: emailId, to: email, createdAt }, index) => {
      const contactId = `ctc_${index}`;
      const _id = recipientIdOf(campaignId, contactId);
      return { _id, projectId, campaignId, contactId, email, variant: null, status: 'pending', skipReason: null, emailId, createdAt };
    }),
  );
  return { campaignId, emails };
}

const finish = (campaignId: string) =>
  finishCampaign(app.core, { campaignId, projectId: app.keys.projectId, now: Date.now(), cancelled: false }, () => undefined);

/** Somebody ends the campaign at the moment in which what became of its messages is being counted. */
function endsMeanwhile(campaignId: string): void {
  const campaigns = stored.campaigns.collection;
  const bulkWrite = campaigns.bulkWrite.bind(campaigns);
  jest.spyOn(campaigns, 'bulkWrite').mockImplementationOnce(async (...args) => {
    await finish(campaignId);
    return bulkWrite(...args);
  });
}

test('messages that were put off and arrive while their campaign ends count once', async () => {
  const { campaignId, emails } = await running({ attempts: 2 });
  endsMeanwhile(campaignId);
  await record(
    app.core,
    emails.map((email) => acceptance(email, new Date())),
  );
  expect(await stored.campaigns.get(campaignId)).toMatchObject({ status: 'sent', sentCount: 6, counters: { delivered: 6 } });
});

test('a result that comes when another worker has begun the message again counts with the one that it gets there', async () => {
  const { campaignId, emails } = await running({ attempts: 1 });
  const again = emails.map((email): Email => ({
    ...email,
    attempts: 2,
    attempt: { id: newId('att'), worker: 'wrk_other', at: new Date() },
  }));
  for (const { _id, attempts, attempt } of again) await stored.emails.change(_id, { attempts, attempt });
  await record(
    app.core,
    emails.map((email) => acceptance(email, new Date())),
  );
  await laterCounts(app.core).inCampaigns.flush();
  expect(await stored.campaigns.get(campaignId)).toMatchObject({ counters: { delivered: 0 } });
  await record(
    app.core,
    again.map((email) => acceptance(email, new Date())),
  );
  expect(await stored.campaigns.get(campaignId)).toMatchObject({ counters: { delivered: 6 } });
});

test('a campaign is counted by its own mail alone, however much the project has sent', async () => {
  const { campaignId } = await running({ attempts: 1 });
  const plans = await queryPlans('emails', async () => {
    await app.api().get(`/v1/campaigns/${campaignId}`).expect(200);
    await finish(campaignId);
  });
  expect(plans).toContainEqual({ plan: 'IXSCAN { projectId: 1, campaignId: 1, createdAt: -1, _id: -1 }', sorted: false });
  expect(plans.filter(({ plan }) => /^(?:COLLSCAN|.*projectId: 1, createdAt)/.test(plan))).toEqual([]);
});
