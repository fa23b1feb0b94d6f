import { freezeAudience } from '../../src/campaigns/freeze';
import type { BulkHost } from '../../src/campaigns/freeze';
import { CampaignModel, CampaignRecipientModel } from '../../src/campaigns/model';
import type { Campaign, CampaignRecipient } from '../../src/campaigns/model';
import type { CampaignPlan } from '../../src/contracts/campaign';
import type { Email } from '../../src/emails/model';
import { storeEmails } from './email-rows';
import type { TestApp } from './app';

export interface WireCampaign {
  readonly campaignId: string;
  readonly status: string;
  readonly name: string;
  readonly [member: string]: unknown;
}

/** A host for activities that are called by themselves. */
export const hostOf = (change: Partial<BulkHost<string>> = {}): BulkHost<string> => ({
  reached: null,
  beat: () => undefined,
  signal: new AbortController().signal,
  ...change,
});

/** Calls that most tests of campaigns make, as the first project, and the parts of a run of a campaign without its workflow. */
export const campaignCalls = (app: () => TestApp) => {
  const api = (key?: string) => app().api(key);
  const DRAFT = { name: 'News', subject: 'Hello', body: '<p>Hello {{firstName}}</p>', fromEmail: 'team@hello.test' };
  const calls = {
    api,
    async draft(more: object = {}, key?: string): Promise<WireCampaign> {
      const { body } = await api(key)
        .post('/v1/campaigns')
        .send({ ...DRAFT, ...more })
        .expect(201);
      return body.data as WireCampaign;
    },
    async get(id: string): Promise<WireCampaign> {
      return (await api().get(`/v1/campaigns/${id}`).expect(200)).body.data as WireCampaign;
    },
    act: (id: string, act: string, body: object = {}, key?: string) => api(key).post(`/v1/campaigns/${id}/${act}`).send(body),
    async contact(email: string, more: object = {}): Promise<string> {
      const { body } = await api()
        .post('/v1/contacts')
        .send({ email, ...more });
      return body.data.contactId as string;
    },
    stored: async (id: string): Promise<Campaign> => (await CampaignModel.findById(id).lean<Campaign>()) as Campaign,
    /** The frozen audience, in its random order. */
    rows: (id: string): Promise<CampaignRecipient[]> =>
      CampaignRecipientModel.find({ campaignId: id }).sort({ _id: 1 }).lean<CampaignRecipient[]>(),
    freeze: (id: string, host = hostOf()): Promise<CampaignPlan | null> =>
      freezeAudience({ campaignId: id, projectId: app().keys.projectId }, host),
    /** What a page does to recipients: each has a message, as `change` says. */
    deliver: async (rows: readonly CampaignRecipient[], change: Partial<Email> = {}): Promise<Email[]> => {
      if (rows.length === 0) return [];
      return storeEmails(
        app().keys.projectId,
        ...rows.map((row): Partial<Email> => ({
          _id: row.emailId,
          source: 'campaign',
          type: 'marketing',
          campaignId: row.campaignId,
          contactId: row.contactId,
          to: row.email,
          status: 'delivered',
          attempts: 1,
          sentAt: new Date(),
          deliveredAt: new Date(),
          ...change,
        })),
      );
    },
  };
  return calls;
};
