import type { z } from 'zod';
import { invalid } from '../../../src/platform/core';
import { resendMailbox } from '../../../src/rules/resend-names';
import type { Campaign as WireCampaign } from '../../campaigns/schemas';
import type { Foreign } from '../kit/declare';
import { membersOf, renamed, stated } from '../kit/members';
import type { Members } from '../kit/members';
import { perform } from '../kit/operations';
import { absent, byId, resend, wholeList } from './declare';
import { oneReply } from './message';
import { placeholdersHere } from './placeholders';
import { senderFields } from './templates';
import { instantText } from './times';

type Campaign = z.output<typeof WireCampaign>;

const STATUS: Readonly<Record<Campaign['status'], string>> = {
  draft: 'draft',
  scheduled: 'queued',
  sending: 'queued',
  sent: 'sent',
  cancelled: 'canceled',
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>\n' };

/** Writes a text as HTML: the body of a campaign is HTML. */
const asHtml = (text: unknown): unknown =>
  typeof text === 'string' ? `<p>${text.replaceAll(/[&<>\n]/g, (sign) => ESCAPES[sign] ?? sign)}</p>` : text;

function fieldsOf(given: Members): Members {
  const { subject, html, text, from, reply_to: replyTo, preview_text: previewText } = given;
  const body = html ?? asHtml(text);
  const segmentId = given['segment_id'] ?? given['audience_id'];
  return {
    ...renamed(given, { name: 'name', topic_id: 'topicId' }),
    ...(subject !== undefined && { subject: placeholdersHere(subject) }),
    ...(previewText !== undefined && { previewText: placeholdersHere(previewText) }),
    ...(body !== undefined && { body: placeholdersHere(body) }),
    ...senderFields(from),
    ...(replyTo !== undefined && { replyTo: oneReply(replyTo) }),
    ...(segmentId !== undefined && { audience: 'segment', segmentId }),
  };
}

/** Returns the body of a launch: at once, or at a time. */
const launchOf = (scheduledAt: unknown): Members => {
  const scheduledFor = instantText(scheduledAt ?? undefined, new Date());
  return scheduledFor === undefined ? {} : { scheduledFor };
};

async function create(request: Foreign) {
  const given = stated(membersOf(request.body));
  const fields = fieldsOf(given);
  const { send, scheduled_at: scheduledAt } = given;
  if (fields['segmentId'] === undefined) throw invalid('segment_id', 'invalid_type', 'Missing; must be the id of a segment');
  if (scheduledAt !== undefined && send !== true) throw invalid('scheduled_at', 'invalid_combination', 'Only with `send: true`');
  const campaign = await perform<Campaign>('createCampaign', request, { body: { name: given['subject'], ...fields } });
  const id = campaign.campaignId;
  if (send === true) await perform('sendCampaign', request, { params: { id }, body: launchOf(scheduledAt) });
  return { id };
}

const rowView = (campaign: Campaign) => ({
  id: campaign.campaignId,
  name: campaign.name,
  audience_id: campaign.segmentId,
  segment_id: campaign.segmentId,
  status: STATUS[campaign.status],
  created_at: campaign.createdAt,
  scheduled_at: campaign.scheduledFor,
  sent_at: campaign.sentAt,
});

const named = (id: string | undefined) => ({ object: 'broadcast', id });

const isScheduled = async (request: Foreign): Promise<boolean> =>
  (await perform<Campaign>('getCampaign', request, byId(request))).status === 'scheduled';

/** Cancels a broadcast: a scheduled one becomes a draft again; one that is being sent ends. */
async function cancel(request: Foreign) {
  await perform((await isScheduled(request)) ? 'unscheduleCampaign' : 'cancelCampaign', request, byId(request));
  return named(request.params['id']);
}

/** Deletes a broadcast; the launch of a scheduled one is taken back first, as there. */
async function remove(request: Foreign) {
  if (await isScheduled(request)) await perform('unscheduleCampaign', request, byId(request));
  await perform('deleteCampaign', request, byId(request));
  return { ...named(request.params['id']), deleted: true };
}

export const broadcastRoutes = [
  resend('POST /broadcasts', 'createCampaign', create),
  resend('GET /broadcasts', 'listCampaigns', (request) =>
    wholeList<Campaign>(request, { operationId: 'listCampaigns', idOf: ({ campaignId }) => campaignId, show: rowView }),
  ),
  resend('GET /broadcasts/{id}', 'getCampaign', async (request) => {
    const campaign = await perform<Campaign>('getCampaign', request, byId(request));
    return {
      object: 'broadcast',
      ...rowView(campaign),
      from: resendMailbox(campaign.fromEmail, campaign.fromName),
      subject: campaign.subject,
      reply_to: campaign.replyTo === null ? null : [campaign.replyTo],
      preview_text: campaign.previewText,
      topic_id: campaign.topicId ?? null,
      html: campaign.body,
      text: null,
    };
  }),
  resend('PATCH /broadcasts/{id}', 'updateCampaign', async (request) => {
    await perform('updateCampaign', request, { ...byId(request), body: fieldsOf(stated(membersOf(request.body))) });
    return { id: request.params['id'] };
  }),
  resend('POST /broadcasts/{id}/send', 'sendCampaign', async (request) => {
    const body = launchOf(membersOf(request.body)['scheduled_at']);
    await perform('sendCampaign', request, { ...byId(request), body });
    return { id: request.params['id'] };
  }),
  resend('DELETE /broadcasts/{id}', 'deleteCampaign', remove),
  resend('POST /broadcasts/{id}/cancel', 'cancelCampaign', cancel),
  resend('POST /broadcasts/{id}/duplicate', 'duplicateCampaign', async (request) =>
    named((await perform<Campaign>('duplicateCampaign', request, byId(request))).campaignId),
  ),
  absent('GET /broadcasts/{id}/recipients', 'GET /v1/campaigns/{id}/recipients lists them.'),
  absent('GET /broadcasts/{id}/clicked-links', 'GET /v1/campaigns/{id}/links counts clicks of links.'),
];
