import { AGAIN, CAMPAIGN, DOMAIN, ON_PLAN, SENT, TOMORROW, by } from './story-parts';
import type { StoryStep } from './story-parts';

export const CAMPAIGNS: readonly StoryStep[] = [
  [
    'createCampaign',
    {
      body: {
        name: 'November news',
        subject: 'What is new in November',
        abSubjectB: 'Three things we built for you',
        abSamplePct: 20,
        body: '<p>Hello {{firstName | "there"}}, <a href="https://example.com/news">read on</a>.</p>',
        fromEmail: `news@${DOMAIN}`,
        fromName: 'Example',
        audience: 'all',
      },
    },
  ],
  ['listCampaigns', {}],
  ['countAudience', { body: { audience: 'filter', filter: ON_PLAN } }],
  ['breakDownAudience', { body: { audience: 'filter', filter: ON_PLAN } }],
  ['getCampaign', by(CAMPAIGN)],
  ['updateCampaign', by(CAMPAIGN, { body: { previewText: 'Shorter than last time' } })],
  ['testSendCampaign', by(CAMPAIGN, { body: { to: 'ada@example.com' } })],
  ['planCampaign', by(CAMPAIGN, { body: { throttlePerMinute: 1_000 } })],
  ['sendCampaign', by(CAMPAIGN, { body: { throttlePerMinute: 1_000 } })],
  ['pauseCampaign', by(CAMPAIGN, { body: { until: TOMORROW } })],
  ['listUpcoming', { query: { campaignId: CAMPAIGN, limit: 10 } }],
  ['reviseCampaign', by(CAMPAIGN, { body: { previewText: 'With the right date' } })],
  ['resumeCampaign', by(CAMPAIGN, { body: {} })],
  ['retryFailedMessages', by(CAMPAIGN)],
  ['cancelCampaign', by(CAMPAIGN)],
  ['duplicateCampaign', by(CAMPAIGN)],
  ['listCampaignRecipients', by(SENT, { query: { status: 'sent' } })],
  ['listCampaignLinks', by(SENT)],
  ['certifyCampaign', by(SENT)],
  ['explainContact', by('ada@example.com', { query: { campaignId: SENT } })],
  ['listCampaignTurns', by(SENT, { query: { limit: 10 } })],
  ['resendToNonOpeners', by(SENT, { body: { subject: 'In case you missed it', scheduledFor: TOMORROW } })],
  ['rescheduleCampaign', by(AGAIN, { body: { scheduledFor: TOMORROW } })],
  ['unscheduleCampaign', by(AGAIN)],
  ['deleteCampaign', by(CAMPAIGN)],
];
