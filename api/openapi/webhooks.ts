import { z } from 'zod';
import { BOUNCE_TYPES, EMAIL_SOURCES } from '../../src/records/emails';
import { Contact } from '../contacts/schemas';
import { EmailSummary } from '../emails/schemas';
import { count, timestamp } from '../http/pieces';
import { receivedFacts } from '../inbound/schemas';
import type { Components, Json } from './components';
import { pascal } from './pascal';

const source = z.enum(EMAIL_SOURCES).meta({ description: 'What kind of sending the message came from' });
const contactSource = z
  .enum(['api', 'import', 'send', 'event', 'inbound', 'automation'])
  .meta({ description: 'By which way the contact was made or changed' });
const testMode = z.literal(true).optional().meta({ description: 'Only on what a test key did' });

const contact = Contact.optional().meta({ description: 'The contact, where the event has one' });
const ofEmail = { source, email: EmailSummary, contact, testMode };
const response = z.string().meta({ description: "The mail server's last words" });
const reason = z.string().meta({ description: 'Why' });
const seen = {
  first: z.boolean().meta({ description: 'Whether it is the first time for this message' }),
  userAgent: z.string().nullable().meta({ description: 'What the reader used, as it names itself' }).optional(),
};
const ofContact = { source: contactSource, contact, testMode };
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
  error: z.string().optional().meta({ description: 'What went wrong' }),
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
  'email.sent': { says: 'The next mail server took it; at once for a test message', data: { ...ofEmail, response: response.optional() } },
  'email.delivered': { says: "The recipient's mail system took it", data: { ...ofEmail, response } },
  'email.bounced': {
    says: 'It was refused for good, at once or later',
    data: {
      ...ofEmail,
      bounceType: z.enum(BOUNCE_TYPES).meta({ description: 'What kind of refusal' }),
      reason,
      late: z.literal(true).optional().meta({ description: 'It came back after it was sent' }),
    },
  },
  'email.failed': { says: 'It could not be sent', data: { ...ofEmail, reason } },
  'email.cancelled': { says: 'It was stopped before it was sent', data: { ...ofEmail, reason: reason.optional() } },
  'email.opened': { says: 'It was opened; at most once a minute', data: { ...ofEmail, ...seen } },
  'email.clicked': {
    says: 'A link in it was clicked; at most once a minute for each link',
    data: { ...ofEmail, ...seen, url: z.string().meta({ description: 'Where the link leads' }) },
  },
  'email.complained': {
    says: 'The recipient reported it as spam',
    data: { ...ofEmail, feedbackType: z.string().meta({ description: 'What the report calls it' }) },
  },
  'email.unsubscribed': {
    says: 'Somebody opted out by a link or the address of this message',
    data: {
      ...ofEmail,
      method: z.enum(['link', 'one_click', 'mailto']).meta({ description: 'How' }),
      first: z.boolean().meta({ description: 'Whether it is the first time through this message' }),
    },
  },
  'email.received': {
    says: 'A message came in',
    data: {
      ...ofEmail,
      email: EmailSummary.extend(receivedFacts).meta({ id: 'ReceivedEmail', description: 'A message that came in, without its body' }),
      to: z.string().meta({ description: 'The address that it came to' }),
      fromEmail: z.string().meta({ description: "The sender's address" }),
      fromName: z.string().nullable().meta({ description: "The sender's name" }),
      subject: z.string().meta({ description: 'Its subject' }),
      attachments: count.meta({ description: 'How many attachments it has' }),
      automatic: z.literal(true).optional().meta({ description: 'A machine wrote it (RFC 3834)' }),
    },
  },
  'contact.created': { says: 'A contact came to be', data: ofContact },
  'contact.updated': {
    says: 'A field of a contact changed',
    data: { ...ofContact, changed: z.array(z.string()).meta({ description: 'The fields that changed' }) },
  },
  'contact.deleted': {
    says: 'A contact was deleted',
    data: { source: contactSource, contactId: z.string().meta({ description: 'The id that it had' }), testMode },
  },
  'contact.subscribed': { says: 'A contact became subscribed', data: ofContact },
  'contact.unsubscribed': { says: 'A contact stopped being subscribed', data: { ...ofContact, source: contactSource.optional() } },
  'segment.entered': { says: 'A contact came into a segment', data: ofSegment },
  'segment.exited': { says: 'A contact left a segment', data: ofSegment },
  'workflow.entered': { says: 'A contact entered a workflow', data: ofWorkflow },
  'workflow.completed': { says: 'An execution came to its end', data: ofWorkflow },
  'workflow.exited': { says: 'An execution ended at an exit', data: ofWorkflow },
  'workflow.failed': { says: 'An execution could not go on', data: ofWorkflow },
  'workflow.cancelled': { says: 'An execution was cancelled', data: ofWorkflow },
};

const payload = (type: z.ZodType, data: z.ZodType) =>
  z.object({
    id: z.string().meta({ description: "The event's id: the same over attempts and replays" }),
    type,
    createdAt: timestamp.meta({ description: 'When it happened' }),
    projectId: z.string().meta({ description: 'The project that it belongs to' }),
    testMode: z.boolean().meta({ description: 'Whether a test key did it' }),
    data,
    truncated: z.array(z.string()).optional().meta({ description: 'What gave way in a payload that would be over 64 KiB' }),
  });

const HEADERS: Readonly<Record<string, string>> = {
  'X-Service-Signature': '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` under the whole secret; several `v1` after a rotation',
  'X-Service-Event': "The event's name",
  'X-Service-Delivery': "The delivery's id",
  'X-Service-Attempt': 'The number of the attempt, from 1',
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
      '410': { description: 'The endpoint is gone: it is switched off' },
      default: { description: 'Anything else fails, and is tried again for about a day' },
    },
  },
});

/** Returns the section `webhooks`: the payload of every event, and of custom events. */
export function webhooksOf(components: Components): Json {
  const system = Object.entries(SYSTEM_EVENTS).map(([name, { says, data }]) => {
    const type = z.literal(name).meta({ description: "The event's name" });
    const schema = payload(type, z.object(data).meta({ description: 'What the event carries' }));
    return [name, webhook(says, `on${pascal(name)}`, components.named(payloadName(name), schema, 'output', says))] as const;
  });
  const type = z.string().meta({ description: 'A name of your own: not one that begins with email., contact., segment. or workflow.' });
  const data = z.record(z.string(), z.unknown()).meta({ description: "The event's `data` as you gave it, and `contact`" });
  const own = components.named('OwnEvent', payload(type, data), 'output', 'An event of your own');
  return Object.fromEntries([...system, ['own', webhook('An event that you recorded with `POST /v1/events`', 'onOwnEvent', own)]]);
}
