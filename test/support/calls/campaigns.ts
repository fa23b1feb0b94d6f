import { finishCampaign } from '../../../src/marketing/campaigns/finish';
import { freezeAudience } from '../../../src/marketing/campaigns/freeze';
import type { BulkHost } from '../../../src/marketing/campaigns/freeze';
import { CampaignModel, CampaignRecipientModel } from '../../../src/marketing/campaigns/model';
import type { CampaignRecipient } from '../../../src/marketing/campaigns/model';
import type { FinishResult } from '../../../src/contracts/campaign';
import type { Email } from '../../../src/records/emails/model';
import { newId } from '../../../src/platform/core/ids';
import { recipientsOf } from '../../../src/marketing/campaigns/walk';
import { SegmentMemberModel } from '../../../src/audience/segments/member-model';
import { SegmentModel } from '../../../src/audience/segments/model';
import type { Hit } from '../../../src/sending/tracking/machine';
import { storeEmails } from '../data/email-rows';
import type { TestApp } from '../platform/app';
import { storePeople } from '../data/people';

export interface WireCampaign {
  readonly campaignId: string;
  readonly status: string;
  readonly name: string;
  readonly [member: string]: unknown;
}

/** Path and code of each fault that an answer names. */
export const faultsOf = (body: unknown): (readonly [string, string])[] =>
  (body as { details: { path: string; code: string }[] }).details.map(({ path, code }) => [path, code] as const);

/** Somebody's request for the pixel or for a link. */
export const hit = (emailId: string, url: string | null, machine: Hit['machine'] = null): Hit => ({
  emailId,
  url,
  machine,
  userAgent: 'Mail',
  client: null,
  at: new Date(),
  kind: url === null ? 'open' : 'click',
});

/** Fields of an opened message. */
export const OPENED = { openedAt: new Date(), status: 'opened', opens: 1 } as const;

/** A static segment. */
export async function storeSegment(projectId: string, members: readonly string[] = []): Promise<string> {
  const now = new Date();
  const _id = newId('seg');
  await SegmentModel.create([{ _id, projectId, name: 'Some', type: 'static', createdAt: now, updatedAt: now }]);
  const rows = members.map((contactId) => ({
    _id: `${_id}:${contactId}`,
    projectId,
    segmentId: _id,
    contactId,
    enteredAt: now,
    contactCreatedAt: now,
  }));
  if (rows.length > 0) await SegmentMemberModel.insertMany(rows);
  return _id;
}

/** Returns a host for activities that are called directly. */
export const hostOf = (change: Partial<BulkHost> = {}): BulkHost => ({
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
      return (body as { data: { contactId: string } }).data.contactId;
    },
    /** A live campaign to new contacts that was frozen. With a test key From needs no verified domain. */
    async running(size: number, more: object = {}, options: object = {}): Promise<string> {
      await storePeople(app().keys.projectId, size);
      const { campaignId } = await calls.draft(more);
      await calls.act(campaignId, 'send', options).expect(200);
      await CampaignModel.updateOne({ _id: campaignId }, { $set: { testMode: false } });
      await calls.freeze(campaignId);
      return campaignId;
    },
    finish: (campaignId: string, cancelled = false): Promise<FinishResult> =>
      finishCampaign(app().core, { campaignId, projectId: app().keys.projectId, now: Date.now(), cancelled }, () => undefined),
    /** The frozen audience, in its random order. */
    rows: (id: string): Promise<CampaignRecipient[]> =>
      CampaignRecipientModel.find({ _id: recipientsOf(id) })
        .sort({ _id: 1 })
        .lean<CampaignRecipient[]>(),
    freeze: (id: string, host = hostOf()): ReturnType<typeof freezeAudience> =>
      freezeAudience({ campaignId: id, projectId: app().keys.projectId }, host),
    /** Stores the messages of a page's recipients, as `change` says. */
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
