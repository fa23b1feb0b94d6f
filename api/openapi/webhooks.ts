import { z } from 'zod';
import { BOUNCE_TYPES, EMAIL_SOURCES } from '../../src/records/emails';
import { Contact } from '../contacts/schemas';
import { EmailSummary } from '../emails/schemas';
import { count, timestamp } from '../http/pieces';
import { skipDetail } from '../http/skip-detail';
import { receivedFacts } from '../inbound/schemas';
import { SkipReason } from '../send/schemas';
import { SuppressionSource } from '../suppressions/schemas';
import { topicSource } from '../topics/schemas';
import type { Components, Json } from './components';
import { pascal } from './pascal';

const source = z.enum(EMAIL_SOURCES).meta({ description: 'The source of the message' });
const contactSource = z
  .enum(['api', 'import', 'send', 'event', 'inbound', 'automation', 'form', 'opt_in'])
  .meta({ description: 'How the contact was created or changed' });
const testMode = z.literal(true).optional().meta({ description: 'Only for test keys' });

const contact = Contact.optional().meta({ description: 'The contact, if the event has one' });
const ofEmail = { source, email: EmailSummary, contact, testMode };
const response = z.string().meta({ description: "The mail server's last words" });
const reason = z.string().meta({ description: 'Why' });
const seen = {
  first: z.boolean().meta({ description: 'Whether it is the first time for this message' }),
  userAgent: z.string().nullable().meta({ description: 'The user agent of the reader' }).optional(),
};
const by = z.enum(['person', 'proxy', 'machine']).optional().meta({ description: 'Who did it; webhooks are not called for machines' });
const ofSuppression = {
  suppressionId: z.string().meta({ description: 'The record' }),
  reason: z.enum(['hard_bounce', 'complaint', 'manual']).meta({ description: 'Why the address was suppressed' }),
  source: SuppressionSource.meta({ description: 'The source of the record' }),
  contact,
  testMode,
};
const ofDomain = {
  domainId: z.string().meta({ description: 'The domain' }),
  domain: z.string().meta({ description: 'Its name' }),
  testMode,
};
const ofCampaign = {
  campaignId: z.string().meta({ description: 'The campaign' }),
  name: z.string().meta({ description: 'Its name' }),
  status: z.string().meta({ description: 'Its status since then' }),
  audience: count.nullable().meta({ description: 'Number of recipients; null until they are known, and for a recurring campaign' }),
  sent: count.meta({ description: 'Recipients that were sent to so far' }),
  skipped: count.meta({ description: 'Recipients that were skipped so far' }),
  seriesId: z.string().optional().meta({ description: 'For the campaign of a turn: the recurring campaign' }),
  testMode,
};
const ofContact = { source: contactSource, contact, testMode };
const ofTopic = {
  topicId: z.string().meta({ description: 'The topic' }),
  key: z.string().meta({ description: 'The key of the topic' }),
  source: topicSource,
  contact,
  testMode,
};
const ofSnooze = {
  source: z.enum(['preferences', 'time']).meta({ description: 'Who caused it: the contact, on the preference page, or the clock' }),
  contact,
  testMode,
};
const ofSegment = {
  segmentId: z.string().meta({ description: 'The segment' }),
  name: z.string().meta({ description: "The segment's name" }),
  contact,
  testMode,
};
const ofWorkflow = {
  workflowId: z.string().meta({ description: 'The workflow' }),
  executionId: z.string().meta({ description: 'The execution' }),
  reason: reason.optional(),
  error: z.string().optional().meta({ description: 'The error' }),
  contact,
  testMode,
};

interface SystemEvent {
  readonly says: string;
  readonly data: z.ZodRawShape;
}

/** The events of the system: when they happen, and what they carry. */
export const SYSTEM_EVENTS: Readonly<Record<string, SystemEvent>> = {
  'email.queued': { says: 'A message was accepted', data: ofEmail },
  'email.scheduled': {
    says: 'A message was accepted for a later time',
    data: { ...ofEmail, scheduledFor: timestamp.meta({ description: 'When it is to be sent' }) },
  },
  'email.skipped': {
    says: 'No message was created for a recipient',
    data: {
      source,
      reason: SkipReason.meta({ description: 'Why, as `skipped` in the response' }),
      detail: skipDetail.optional(),
      contact,
      testMode,
    },
  },
  'email.deferred': {
    says: 'A mail server refused it for now, or could not be reached; not for campaigns',
    data: {
      ...ofEmail,
      reason,
      attempts: count.meta({ description: 'How many attempts there were' }),
      nextAttemptAt: timestamp.meta({ description: 'When the next attempt is' }),
    },
  },
  'email.sent': {
    says: 'The next mail server accepted it; immediate for a test message',
    data: { ...ofEmail, response: response.optional() },
  },
  'email.delivered': { says: "The recipient's mail server accepted it", data: { ...ofEmail, response } },
  'email.bounced': {
    says: 'It was rejected permanently, immediately or later',
    data: {
      ...ofEmail,
      bounceType: z.enum(BOUNCE_TYPES).meta({ description: 'The kind of bounce' }),
      reason,
      late: z.literal(true).optional().meta({ description: 'It bounced after it was sent' }),
    },
  },
  'email.failed': { says: 'It could not be sent', data: { ...ofEmail, reason } },
  'email.cancelled': { says: 'It was cancelled before it was sent', data: { ...ofEmail, reason: reason.optional() } },
  'email.opened': {
    says: 'It was opened; at most once a minute',
    data: {
      ...ofEmail,
      ...seen,
      openedBy: by,
      proxy: z.string().optional().meta({ description: 'The proxy: `google`, `yahoo` or `other`' }),
    },
  },
  'email.clicked': {
    says: 'A link in it was clicked; at most once a minute for each link',
    data: { ...ofEmail, ...seen, clickedBy: by, url: z.string().meta({ description: 'Where the link leads' }) },
  },
  'email.complained': {
    says: 'The recipient reported it as spam',
    data: { ...ofEmail, feedbackType: z.string().meta({ description: 'Its name in the report' }) },
  },
  'email.unsubscribed': {
    says: 'The recipient unsubscribed through this message',
    data: {
      ...ofEmail,
      method: z.enum(['link', 'one_click', 'mailto']).meta({ description: 'How' }),
      first: z.boolean().meta({ description: 'Whether it is the first time through this message' }),
      reason: z.string().optional().meta({ description: 'The reason that the recipient gave on the preference page' }),
    },
  },
  'email.received': {
    says: 'A message was received',
    data: {
      ...ofEmail,
      email: EmailSummary.extend(receivedFacts).meta({ id: 'ReceivedEmail', description: 'A received message, without its body' }),
      to: z.string().meta({ description: 'The address that received it' }),
      fromEmail: z.string().meta({ description: "The sender's address" }),
      fromName: z.string().nullable().meta({ description: "The sender's name" }),
      subject: z.string().meta({ description: 'Its subject' }),
      attachments: count.meta({ description: 'How many attachments it has' }),
      automatic: z.literal(true).optional().meta({ description: 'An automatic reply (RFC 3834)' }),
    },
  },
  'email.domain_verified': { says: 'A domain was verified: mail may be sent from it', data: ofDomain },
  'email.domain_failed': { says: 'A domain could not be verified, or is no longer verified', data: ofDomain },
  'email.feed_failed': {
    says: 'A turn of a recurring campaign was skipped: its feed could not be read for an hour',
    data: {
      campaignId: z.string().meta({ description: 'The recurring campaign' }),
      turn: count.meta({ description: 'The number of the turn' }),
      scheduledFor: timestamp.meta({ description: 'The instant of the turn' }),
      error: z.string().nullable().meta({ description: 'The last error' }),
      testMode,
    },
  },
  'email.campaign_started': { says: 'A campaign started: from now on it is sending', data: ofCampaign },
  'email.campaign_held': {
    says: 'A sending campaign is on hold',
    data: { ...ofCampaign, reason: z.string().meta({ description: 'Why, as `heldReason` of the campaign' }) },
  },
  'email.campaign_sent': { says: 'A campaign was sent to everybody in its audience', data: ofCampaign },
  'email.campaign_cancelled': { says: 'A campaign was cancelled', data: ofCampaign },
  'contact.created': { says: 'A contact was created', data: ofContact },
  'contact.updated': {
    says: 'A field of a contact changed',
    data: { ...ofContact, changed: z.array(z.string()).meta({ description: 'The fields that changed' }) },
  },
  'contact.deleted': {
    says: 'A contact was deleted',
    data: { source: contactSource, contactId: z.string().meta({ description: 'Its former id' }), testMode },
  },
  'contact.subscribed': { says: 'A contact became subscribed', data: ofContact },
  'contact.unsubscribed': { says: 'A contact became unsubscribed', data: { ...ofContact, source: contactSource.optional() } },
  'contact.suppressed': { says: 'An address was suppressed: it gets no more mail', data: ofSuppression },
  'contact.unsuppressed': { says: 'An address is no longer suppressed', data: ofSuppression },
  'contact.topic_subscribed': { says: 'A contact gets the mail of a topic from now on', data: ofTopic },
  'contact.topic_unsubscribed': { says: 'A contact or an address gets no more mail of a topic', data: ofTopic },
  'contact.snoozed': {
    says: 'A contact paused marketing mail',
    data: { ...ofSnooze, until: timestamp.meta({ description: 'When the pause ends' }) },
  },
  'contact.resumed': { says: 'The pause of a contact ended: at its time, or because the contact ended it', data: ofSnooze },
  'segment.entered': { says: 'A contact entered a segment', data: ofSegment },
  'segment.exited': { says: 'A contact left a segment', data: ofSegment },
  'workflow.entered': { says: 'A contact entered a workflow', data: ofWorkflow },
  'workflow.completed': { says: 'An execution completed', data: ofWorkflow },
  'workflow.exited': { says: 'An execution ended at an exit', data: ofWorkflow },
  'workflow.failed': { says: 'An execution failed', data: ofWorkflow },
  'workflow.cancelled': { says: 'An execution was cancelled', data: ofWorkflow },
};

const payload = (type: z.ZodType, data: z.ZodType) =>
  z.object({
    id: z.string().meta({ description: "The event's id: the same over attempts and replays" }),
    type,
    createdAt: timestamp.meta({ description: 'When it happened' }),
    projectId: z.string().meta({ description: 'The project that it belongs to' }),
    testMode: z.boolean().meta({ description: 'Whether it was caused by a test key' }),
    data,
    truncated: z.array(z.string()).optional().meta({ description: 'Members that were cut to keep the payload within 64 KiB' }),
  });

const HEADERS: Readonly<Record<string, string>> = {
  'X-Service-Signature': '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the whole secret; several `v1` after a rotation',
  'X-Service-Event': "The event's name",
  'X-Service-Delivery': "The delivery's id",
  'X-Service-Attempt': 'The number of the attempt, from 1',
  'X-Service-Sequence': 'The number of the event at this endpoint, from 1, without a gap: the same in all attempts and replays',
  'webhook-id': "The event's id (Standard Webhooks)",
  'webhook-timestamp': 'Seconds since 1970 (Standard Webhooks)',
  'webhook-signature': '`v1,<base64>`, several of them after a rotation (Standard Webhooks)',
};

const parameters = Object.entries(HEADERS).map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/** Returns the names of the components that payloads are, by the event. */
export const payloadName = (event: string): string => `${pascal(event)}Event`;

const webhook = (says: string, operationId: string, schema: Json): Json => ({
  post: {
    operationId,
    summary: says,
    tags: ['Webhooks'],
    security: [],
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Any 2xx within 15 seconds: it is delivered' },
      '410': { description: 'The endpoint answered 410 Gone and is disabled' },
      default: { description: 'Any other response fails and is retried for about a day' },
    },
  },
});

/** Returns the section `webhooks`: the payload of every event, and of custom events. */
export function webhooksOf(components: Components): Json {
  const system = Object.entries(SYSTEM_EVENTS).map(([name, { says, data }]) => {
    const type = z.literal(name).meta({ description: "The event's name" });
    const schema = payload(type, z.object(data).meta({ description: 'The data of the event' }));
    return [name, webhook(says, `on${pascal(name)}`, components.named(payloadName(name), schema, 'output', says))] as const;
  });
  const type = z.string().meta({ description: 'Your own event name: it does not begin with email., contact., segment. or workflow.' });
  const data = z.record(z.string(), z.unknown()).meta({ description: "The event's `data` as you gave it, and `contact`" });
  const own = components.named('OwnEvent', payload(type, data), 'output', 'Your own event');
  return Object.fromEntries([...system, ['own', webhook('An event that you recorded with `POST /v1/events`', 'onOwnEvent', own)]]);
}
