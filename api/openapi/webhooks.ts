import { z } from 'zod';
import { BOUNCE_TYPES, EMAIL_SOURCES } from '../../src/records/emails';
import { Contact } from '../contacts/schemas';
import { EmailSummary } from '../emails/schemas';
import { SYSTEM_EVENT_NAMES, SYSTEM_EVENT_WORDS } from '../../src/rules/system-events';
import type { SystemEventName } from '../../src/rules/system-events';
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

/** The data that events of the system carry. */
export const SYSTEM_EVENTS: Readonly<Record<SystemEventName, z.ZodRawShape>> = {
  'email.queued': ofEmail,
  'email.scheduled': { ...ofEmail, scheduledFor: timestamp.meta({ description: 'When it is to be sent' }) },
  'email.skipped': {
    source,
    reason: SkipReason.meta({ description: 'Why, as `skipped` in the response' }),
    detail: skipDetail.optional(),
    contact,
    testMode,
  },
  'email.deferred': {
    ...ofEmail,
    reason,
    attempts: count.meta({ description: 'How many attempts there were' }),
    nextAttemptAt: timestamp.meta({ description: 'When the next attempt is' }),
  },
  'email.sent': { ...ofEmail, response: response.optional() },
  'email.delivered': { ...ofEmail, response },
  'email.bounced': {
    ...ofEmail,
    bounceType: z.enum(BOUNCE_TYPES).meta({ description: 'The kind of bounce' }),
    reason,
    late: z.literal(true).optional().meta({ description: 'It bounced after it was sent' }),
  },
  'email.failed': { ...ofEmail, reason },
  'email.cancelled': { ...ofEmail, reason: reason.optional() },
  'email.opened': {
    ...ofEmail,
    ...seen,
    openedBy: by,
    proxy: z.string().optional().meta({ description: 'The proxy: `google`, `yahoo` or `other`' }),
  },
  'email.clicked': { ...ofEmail, ...seen, clickedBy: by, url: z.string().meta({ description: 'Where the link leads' }) },
  'email.complained': { ...ofEmail, feedbackType: z.string().meta({ description: 'Its name in the report' }) },
  'email.unsubscribed': {
    ...ofEmail,
    method: z.enum(['link', 'one_click', 'mailto']).meta({ description: 'How' }),
    first: z.boolean().meta({ description: 'Whether it is the first time through this message' }),
    reason: z.string().optional().meta({ description: 'The reason that the recipient gave on the preference page' }),
  },
  'email.received': {
    ...ofEmail,
    email: EmailSummary.extend(receivedFacts).meta({ id: 'ReceivedEmail', description: 'A received message, without its body' }),
    to: z.string().meta({ description: 'The address that received it' }),
    fromEmail: z.string().meta({ description: "The sender's address" }),
    fromName: z.string().nullable().meta({ description: "The sender's name" }),
    subject: z.string().meta({ description: 'Its subject' }),
    attachments: count.meta({ description: 'How many attachments it has' }),
    automatic: z.literal(true).optional().meta({ description: 'An automatic reply (RFC 3834)' }),
  },
  'email.domain_verified': ofDomain,
  'email.domain_failed': ofDomain,
  'email.feed_failed': {
    campaignId: z.string().meta({ description: 'The recurring campaign' }),
    turn: count.meta({ description: 'The number of the turn' }),
    scheduledFor: timestamp.meta({ description: 'The instant of the turn' }),
    error: z.string().nullable().meta({ description: 'The last error' }),
    testMode,
  },
  'email.campaign_started': ofCampaign,
  'email.campaign_held': { ...ofCampaign, reason: z.string().meta({ description: 'Why, as `heldReason` of the campaign' }) },
  'email.campaign_sent': ofCampaign,
  'email.campaign_cancelled': ofCampaign,
  'contact.created': ofContact,
  'contact.updated': { ...ofContact, changed: z.array(z.string()).meta({ description: 'The fields that changed' }) },
  'contact.deleted': { source: contactSource, contactId: z.string().meta({ description: 'Its former id' }), testMode },
  'contact.subscribed': ofContact,
  'contact.unsubscribed': { ...ofContact, source: contactSource.optional() },
  'contact.suppressed': ofSuppression,
  'contact.unsuppressed': ofSuppression,
  'contact.topic_subscribed': ofTopic,
  'contact.topic_unsubscribed': ofTopic,
  'contact.snoozed': { ...ofSnooze, until: timestamp.meta({ description: 'When the pause ends' }) },
  'contact.resumed': ofSnooze,
  'segment.entered': ofSegment,
  'segment.exited': ofSegment,
  'workflow.entered': ofWorkflow,
  'workflow.completed': ofWorkflow,
  'workflow.exited': ofWorkflow,
  'workflow.failed': ofWorkflow,
  'workflow.cancelled': ofWorkflow,
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
  const system = SYSTEM_EVENT_NAMES.map((name) => {
    const says = SYSTEM_EVENT_WORDS[name];
    const type = z.literal(name).meta({ description: "The event's name" });
    const schema = payload(type, z.object(SYSTEM_EVENTS[name]).meta({ description: 'The data of the event' }));
    return [name, webhook(says, `on${pascal(name)}`, components.named(payloadName(name), schema, 'output', says))] as const;
  });
  const type = z.string().meta({ description: 'Your own event name: it does not begin with email., contact., segment. or workflow.' });
  const data = z.record(z.string(), z.unknown()).meta({ description: "The event's `data` as you gave it, and `contact`" });
  const own = components.named('OwnEvent', payload(type, data), 'output', 'Your own event');
  return Object.fromEntries([...system, ['own', webhook('An event that you recorded with `POST /v1/events`', 'onOwnEvent', own)]]);
}
