import { eventually } from '../../support/platform/platform';
import { read } from './area';
import type { Area, Ground, Ids } from './area';
import { HTML, NAME, PLANTED, TEXT, letter } from './words';

const READER = 'ada@example.com';

interface Words {
  readonly name: string;
  readonly subject: string;
  readonly html: string;
}

/** A segment, a draft to some, and an experiment that is on its way to all. */
async function makeSending({ platform, post }: Ground, { name, subject, html }: Words): Promise<Ids> {
  const filters = [
    { field: 'data.plan', operator: 'notEquals', value: subject },
    { field: 'email.opened', operator: 'countLessThan', value: 3, within: 30, unit: 'days' },
  ];
  const conditions = { logic: 'or', groups: [{ filters }, { filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] };
  const segment = await post('/v1/segments', { name, description: subject, conditions });
  const draft = { name, subject, previewText: subject, body: html, fromEmail: 'hello@hello.test', fromName: name };
  const filter = { logic: 'and', groups: [{ filters: [...filters, { field: `segment.${segment['segmentId']}`, operator: 'memberOf' }] }] };
  const { campaignId: draftId = '' } = await post('/v1/campaigns', { ...draft, audience: 'filter', filter });
  const asked = { operation: 'sendCampaign', parameters: { id: draftId }, reason: subject };
  const { approvalId = '' } = await post('/v1/approvals', asked);
  const { campaignId = '' } = await post('/v1/campaigns', { ...draft, abSubjectB: `${subject}!`, abSamplePct: 100 });
  await post(`/v1/campaigns/${campaignId}/send`, {});
  await eventually('the campaign has begun', async () => (await platform.get(`/v1/campaigns/${campaignId}`)).body.data.delivered > 0);
  return { segmentId: segment['segmentId'] ?? '', campaignId, draftId, approvalId };
}

/** Segments and campaigns, of people who are there already. */
export const sending: Area = {
  screens: [
    ['segments', () => '/segments', 'Segments', PLANTED],
    ['segment', ({ segmentId }) => `/segments/${segmentId}`, PLANTED, 'ada@example.com'],
    ['edit-segment', ({ segmentId }) => `/segments/${segmentId}/edit`, /^Edit /, 'Examples:'],
    ['campaigns', () => '/campaigns', 'Campaigns', PLANTED],
    ['campaign', ({ campaignId }) => `/campaigns/${campaignId}`, PLANTED, 'ada@example.com'],
    ['campaign-draft', ({ draftId }) => `/campaigns/${draftId}`, PLANTED, /^Recipients: /],
    ['approvals', () => '/approvals', 'Approvals', PLANTED],
    ['approval', ({ approvalId }) => `/approvals/${approvalId}`, 'Approval', PLANTED],
    ['edit-campaign', ({ draftId }) => `/campaigns/${draftId}/edit`, /^Edit /, /^Recipients: /],
  ],
  example: (ground) =>
    makeSending(ground, { name: 'Winter sale', subject: 'Half price until Sunday', html: letter('Half price until Sunday.') }),
  async planted(ground) {
    const { platform } = ground;
    const before = platform.arrived(READER).length;
    const ids = await makeSending(ground, { name: NAME, subject: TEXT, html: HTML });
    await eventually('she has it', () => platform.arrived(READER).length > before);
    await read(platform, READER, TEXT);
    const links = `/v1/campaigns/${ids['campaignId']}/links`;
    await eventually('her click is counted', async () => (await platform.get(links)).body.data.data.length > 0);
    return ids;
  },
};
