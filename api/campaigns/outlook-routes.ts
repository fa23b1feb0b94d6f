import * as campaigns from '../../src/marketing/campaigns';
import { preflight } from '../../src/marketing/preflight';
import { paged } from '../http/answers';
import { endpoint, extensions, listEndpoint } from '../http/endpoint';
import { IdParams } from '../http/pieces';
import { CampaignCoverage } from './recipient-schemas';
import { FeedOutlook } from './feed-schemas';
import { CampaignPlan, PlanCampaign, optionsOf } from './launch';
import { CampaignPreflight, PreflightQuery } from './preflight-schemas';
import { CampaignTurn } from './schedule-schemas';
import { CampaignTimeline, TimelineQuery } from '../stats/schemas';
import { toCoverage, toFeedOutlook, toPlan, toPreflight, toTimeline, toTurn } from './view';

/** Operations that show what a campaign will do, and what it did over time. */
export const outlookExtensions = extensions('Extensions', [
  endpoint('POST /v1/campaigns/{id}/plan', {
    operationId: 'planCampaign',
    summary: 'Show who would get a campaign, and when',
    description:
      'Takes the members of a send for a draft, and none for a scheduled campaign. Changes nothing. With a throttle, times are approximate.',
    request: { params: IdParams, body: PlanCampaign },
    response: CampaignPlan,
    errors: ['invalid_state'],
    handle: async ({ ctx, params, body }) => toPlan(await campaigns.planLaunch(ctx, params.id, optionsOf(body))),
  }),
  endpoint('GET /v1/campaigns/{id}/preflight', {
    operationId: 'preflightCampaign',
    summary: 'Check a campaign before its launch',
    description:
      'Checks a draft or a scheduled campaign: sender, audience, content and links. Fetches links, so it takes up to 25 seconds. Changes nothing. A launch is refused while a check that needs no fetching has the level `block`, unless it is given `force: true`.',
    request: { params: IdParams, query: PreflightQuery },
    response: CampaignPreflight,
    errors: ['invalid_state'],
    handle: async ({ ctx, params, query: { fetch = true } }) => toPreflight(await preflight(ctx, params.id, fetch)),
  }),
  endpoint('GET /v1/campaigns/{id}/coverage', {
    operationId: 'getCampaignCoverage',
    summary: 'Show which recipients of a campaign would get which language',
    description:
      'Counts the audience of a draft or a scheduled campaign by language, and lists the texts that each language lacks. Changes nothing.',
    request: { params: IdParams },
    response: CampaignCoverage,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => toCoverage(await campaigns.readCoverage(ctx, params.id)),
  }),
  endpoint('GET /v1/campaigns/{id}/timeline', {
    operationId: 'getCampaignTimeline',
    summary: 'Show what happened to the messages of a campaign, by hour or day',
    description:
      'Counted from the messages, as far back as they are kept; of a campaign with more than 100,000 recipients up to a minute old. Test-mode messages are not counted.',
    request: { params: IdParams, query: TimelineQuery },
    response: CampaignTimeline,
    handle: async ({ ctx, params, query }) => toTimeline(await campaigns.readTimeline(ctx, params.id, query)),
  }),
  listEndpoint('GET /v1/campaigns/{id}/turns', {
    operationId: 'listCampaignTurns',
    summary: 'List the turns of a recurring campaign, newest first',
    description: 'Each turn that was not skipped is a campaign of its own, with its recipients and figures.',
    request: { params: IdParams },
    response: CampaignTurn,
    list: 'cursor',
    handle: ({ ctx, params, page }) => paged(campaigns.listTurns(ctx, params.id, page), toTurn),
  }),
  endpoint('GET /v1/campaigns/{id}/feed', {
    operationId: 'getCampaignFeed',
    summary: 'Get what the next turn of a recurring campaign would send of its feed',
    description: 'Reads the feed now and changes nothing. The entries shown are not sent yet.',
    request: { params: IdParams },
    response: FeedOutlook,
    errors: ['invalid_state'],
    handle: async ({ ctx, params }) => toFeedOutlook(await campaigns.previewFeed(ctx, params.id)),
  }),
]);
