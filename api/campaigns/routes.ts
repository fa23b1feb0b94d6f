import type { z } from 'zod';
import { auditedLaunch, templateFaults } from '../../src/marketing/campaigns';
import * as campaigns from '../../src/marketing/campaigns';
import { cancelWithTurn, pauseWithTurn, resumeWithTurn } from '../../src/marketing/series';
import { unmatchedTypes } from '../../src/audience/segments';
import type { Context, ErrorDetail } from '../../src/platform/core';
import { mapped } from '../../src/platform/mongo';
import { deleted, paged } from '../http/answers';
import { archiveOperations } from '../http/archive';
import { endpoint, extensions, group, listEndpoint } from '../http/endpoint';
import { answeredOnce, storedReply } from '../http/once';
import { Deleted, IdParams, textsOf } from '../http/pieces';
import { variantTexts } from '../http/variants';
import { foreignSyntax } from '../http/warnings';
import { conditionFaultsIn } from '../segments/condition-faults';
import { outlookExtensions } from './outlook-routes';
import { TestSent } from '../templates/schemas';
import { AudienceBreakdown, AudienceCount, CampaignLink, CampaignRecipient, LinkQuery, RecipientQuery } from './recipient-schemas';
import { SendCampaign, optionsOf } from './launch';
import {
  Audience,
  Campaign,
  CampaignDetail,
  CampaignQuery,
  CreateCampaign,
  PausedCampaign,
  ResendNonOpeners,
  StartedCampaign,
  TestSendCampaign,
  UpdateCampaign,
} from './schemas';
import { PauseCampaign, RescheduleCampaign, ResumeCampaign, ReviseCampaign } from './control-schemas';
import { toBreakdown, toCampaign, toCampaignDetail, toLink, toPausedCampaign, toRecipient } from './view';

const furtherFaults = (body: unknown): readonly ErrorDetail[] => [
  ...templateFaults({ ...textsOf(body, ['subject', 'body', 'previewText', 'abSubjectB']), variants: variantTexts(body) }),
  ...conditionFaultsIn(body, 'filter'),
];

type Written = Partial<Pick<z.output<typeof CreateCampaign>, 'subject' | 'body' | 'previewText' | 'abSubjectB' | 'filter'>>;

const warnings = async (ctx: Context, { subject, body, previewText, abSubjectB, filter }: Written): Promise<readonly string[]> => [
  ...foreignSyntax(subject, abSubjectB, previewText, body),
  ...(await unmatchedTypes(ctx, filter)),
];

export const campaignRoutes = group('Campaigns', [
  listEndpoint('GET /v1/campaigns', {
    operationId: 'listCampaigns',
    summary: 'List campaigns',
    request: { query: CampaignQuery },
    response: Campaign,
    list: 'whole',
    handle: ({ ctx, query, page }) => mapped(campaigns.listCampaigns(ctx, query, page), toCampaign),
  }),
  endpoint('POST /v1/campaigns', {
    operationId: 'createCampaign',
    summary: 'Create a draft',
    request: { body: CreateCampaign, verbatim: 'bodyBlocks', furtherFaults, warn: warnings },
    status: 201,
    response: Campaign,
    handle: async ({ ctx, body }) => toCampaign(await campaigns.createCampaign(ctx, body)),
  }),
  endpoint('POST /v1/campaigns/audience-count', {
    operationId: 'countAudience',
    summary: 'Count the current recipients of a campaign',
    request: { body: Audience, furtherFaults },
    response: AudienceCount,
    errors: ['not_found'],
    handle: async ({ ctx, body: { audience, segmentId = null, filter = null, topicId = null } }) => ({
      count: await campaigns.countAudienceOf(ctx, { audience, segmentId, filter, topicId }),
    }),
  }),
  endpoint('GET /v1/campaigns/{id}', {
    operationId: 'getCampaign',
    summary: 'Get a campaign with its estimated audience',
    request: { params: IdParams },
    response: CampaignDetail,
    handle: async ({ ctx, params }) => toCampaignDetail(await campaigns.getCampaign(ctx, params.id), ctx.project),
  }),
  endpoint('PATCH /v1/campaigns/{id}', {
    operationId: 'updateCampaign',
    summary: 'Update a draft',
    description: 'You can also change a running recurring campaign, except its schedule. Changes apply to future turns.',
    request: { params: IdParams, body: UpdateCampaign, verbatim: 'bodyBlocks', furtherFaults, warn: warnings },
    response: Campaign,
    errors: ['invalid_state'],
    handle: async ({ ctx, params, body }) => toCampaign(await campaigns.patchCampaign(ctx, params.id, body)),
  }),
  endpoint('DELETE /v1/campaigns/{id}', {
    operationId: 'deleteCampaign',
    summary: 'Delete a campaign that is neither scheduled nor sending',
    request: { params: IdParams },
    response: Deleted,
    errors: ['invalid_state'],
    audit: ({ params }) => ['campaign.delete', params.id],
    handle: ({ ctx, params }) => deleted(campaigns.deleteCampaign(ctx, params.id)),
  }),
  endpoint('POST /v1/campaigns/{id}/send', {
    operationId: 'sendCampaign',
    summary: 'Send a draft now, or schedule it',
    request: { params: IdParams, body: SendCampaign },
    response: StartedCampaign,
    idempotent: { replay: (ctx, idempotency) => storedReply<z.input<typeof Campaign>>(ctx, idempotency, 200) },
    errors: ['invalid_state', 'approval_needed'],
    audit: ({ params, body }) => auditedLaunch('campaign.send', params.id, body),
    handle: ({ ctx, params, body, idempotency }) =>
      answeredOnce(ctx, idempotency, { status: 200, present: toCampaign }, (keep) =>
        campaigns.sendCampaign(ctx, params.id, optionsOf(body), keep),
      ),
  }),
  endpoint('POST /v1/campaigns/{id}/cancel', {
    operationId: 'cancelCampaign',
    summary: 'Cancel a scheduled or sending campaign',
    description: 'Messages already handed over stay sent; pending recipients are skipped.',
    request: { params: IdParams },
    response: Campaign,
    errors: ['invalid_state'],
    audit: ({ params }) => ['campaign.cancel', params.id],
    handle: async ({ ctx, params }) => toCampaign(await cancelWithTurn(ctx, params.id)),
  }),
  endpoint('POST /v1/campaigns/{id}/duplicate', {
    operationId: 'duplicateCampaign',
    summary: 'Duplicate a campaign as a draft',
    request: { params: IdParams },
    status: 201,
    response: Campaign,
    handle: async ({ ctx, params }) => toCampaign(await campaigns.duplicateCampaign(ctx, params.id)),
  }),
  endpoint('POST /v1/campaigns/{id}/resend-non-openers', {
    operationId: 'resendToNonOpeners',
    summary: 'Send a campaign again to recipients that did not open it',
    description: 'Creates a static segment of them and a new campaign to it.',
    request: { params: IdParams, body: ResendNonOpeners, furtherFaults },
    status: 201,
    response: Campaign,
    errors: ['limit_exceeded', 'invalid_state'],
    audit: ({ data, body }) => auditedLaunch('campaign.send', data.campaignId, body),
    handle: async ({ ctx, params, body: { subject = null, scheduledFor = null, force = false } }) =>
      toCampaign(await campaigns.resendToNonOpeners(ctx, params.id, { subject, scheduledFor, force })),
  }),
  endpoint('POST /v1/campaigns/{id}/test-send', {
    operationId: 'testSendCampaign',
    summary: 'Send the content to one address, its subject prefixed with [Test]',
    request: { params: IdParams, body: TestSendCampaign },
    response: TestSent,
    errors: ['send_failed', 'invalid_state'],
    handle: ({ ctx, params, body }) => campaigns.testSendCampaign(ctx, params.id, body),
  }),
  listEndpoint('GET /v1/campaigns/{id}/recipients', {
    operationId: 'listCampaignRecipients',
    summary: 'List the recipients of a campaign',
    request: { params: IdParams, query: RecipientQuery },
    response: CampaignRecipient,
    list: 'inner',
    handle: ({ ctx, params, query: { status = null }, page }) => paged(campaigns.listRecipients(ctx, params.id, status, page), toRecipient),
  }),
  listEndpoint('GET /v1/campaigns/{id}/links', {
    operationId: 'listCampaignLinks',
    summary: 'List the clicks by link, most clicked first',
    description: 'With `limit` or `cursor`, each page has its own most clicked first.',
    request: { params: IdParams, query: LinkQuery },
    response: CampaignLink,
    list: 'whole',
    arrange: (a, b) => b.uniqueClicks - a.uniqueClicks || b.clicks - a.clicks,
    handle: async ({ ctx, params, query: { version = null }, page }) =>
      mapped(await campaigns.listLinks(ctx, params.id, version, page), (link) => toLink(link, version)),
  }),
]);

export const campaignExtensions = [
  ...outlookExtensions,
  ...extensions('Extensions', [
    ...archiveOperations({
      path: '/v1/campaigns/{id}',
      name: 'campaign',
      response: Campaign,
      refused: 'A scheduled or sending campaign cannot be archived, and an archived draft cannot be sent.',
      set: async (ctx, id, isArchived) => toCampaign(await campaigns.setCampaignArchived(ctx, id, isArchived)),
    }),
    endpoint('POST /v1/campaigns/{id}/pause', {
      operationId: 'pauseCampaign',
      summary: 'Pause a sending campaign',
      description:
        'Once this has answered, no further message begins until the campaign is resumed. Deferred messages keep their retries, unless `retries` is `hold`. `sent`, `inFlight`, `remaining` and the skipped recipients add up to `totalRecipients`.',
      request: { params: IdParams, body: PauseCampaign },
      response: PausedCampaign,
      errors: ['invalid_state'],
      audit: ({ params }) => ['campaign.pause', params.id],
      handle: async ({ ctx, params, body: { until = null, retries } }) =>
        toPausedCampaign(await pauseWithTurn(ctx, params.id, { until, retries })),
    }),
    endpoint('POST /v1/campaigns/{id}/resume', {
      operationId: 'resumeCampaign',
      summary: 'Resume a campaign that is paused, stopped in its rollout, or held for a provider',
      description:
        'A throttled campaign continues at its pace, without catching up. A rollout that was stopped continues with its next step. Holds for providers that refuse mail end for all campaigns of the project.',
      request: { params: IdParams, body: ResumeCampaign },
      response: Campaign,
      errors: ['invalid_state', 'approval_needed'],
      audit: ({ params }) => ['campaign.resume', params.id],
      handle: async ({ ctx, params, body: { missed = null } }) => toCampaign(await resumeWithTurn(ctx, params.id, missed)),
    }),
    endpoint('POST /v1/campaigns/{id}/retry-failed', {
      operationId: 'retryFailedMessages',
      summary: 'Retry the failed messages of a campaign',
      description:
        'Messages that failed other than by a bounce get one more chain of attempts, with the same content. Bounced messages are not retried.',
      request: { params: IdParams },
      response: Campaign,
      errors: ['invalid_state'],
      audit: ({ params }) => ['campaign.retry_failed', params.id],
      handle: async ({ ctx, params }) => toCampaign(await campaigns.retryFailed(ctx, params.id)),
    }),
    endpoint('POST /v1/campaigns/{id}/unschedule', {
      operationId: 'unscheduleCampaign',
      summary: 'Make a scheduled campaign a draft again',
      request: { params: IdParams },
      response: Campaign,
      errors: ['invalid_state'],
      audit: ({ params }) => ['campaign.unschedule', params.id],
      handle: async ({ ctx, params }) => toCampaign(await campaigns.unscheduleCampaign(ctx, params.id)),
    }),
    endpoint('POST /v1/campaigns/{id}/reschedule', {
      operationId: 'rescheduleCampaign',
      summary: 'Move a scheduled campaign to another time',
      description: 'The decision of an A/B test moves by the same time.',
      request: { params: IdParams, body: RescheduleCampaign },
      response: Campaign,
      errors: ['invalid_state'],
      audit: ({ params, body }) => auditedLaunch('campaign.reschedule', params.id, body),
      handle: async ({ ctx, params, body: { scheduledFor, force = false } }) =>
        toCampaign(await campaigns.rescheduleCampaign(ctx, params.id, scheduledFor, force)),
    }),
    endpoint('POST /v1/campaigns/{id}/revise', {
      operationId: 'reviseCampaign',
      summary: 'Correct the content of a paused campaign for the remaining recipients',
      description:
        'Messages that have begun keep their content; all others get the next version. In an A/B test a new subject replaces both, and `comparison` becomes null.',
      request: { params: IdParams, body: ReviseCampaign, verbatim: 'bodyBlocks', furtherFaults, warn: warnings },
      response: Campaign,
      errors: ['invalid_state'],
      audit: ({ params }) => ['campaign.revise', params.id],
      handle: async ({ ctx, params, body }) => toCampaign(await campaigns.reviseCampaign(ctx, params.id, body)),
    }),
    endpoint('POST /v1/campaigns/audience-breakdown', {
      operationId: 'breakDownAudience',
      summary: 'Count an audience, and the contacts that would be skipped, by reason',
      description: '`count` equals `audience-count`; each contact is counted under one reason only.',
      request: { body: Audience, furtherFaults },
      response: AudienceBreakdown,
      errors: ['not_found'],
      handle: async ({ ctx, body: { audience, segmentId = null, filter = null, topicId = null } }) =>
        toBreakdown(await campaigns.breakDownAudienceOf(ctx, { audience, segmentId, filter, topicId })),
    }),
  ]),
];
