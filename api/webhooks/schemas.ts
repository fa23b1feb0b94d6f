import { z } from 'zod';
import { WEBHOOK_FORMATS } from '../../src/sending/webhooks';
import { requireCanHappen } from '../http/event-names';
import {
  added,
  boundedArray,
  count,
  extended,
  httpUrl,
  id,
  instant,
  oneLine,
  optionalText,
  optionalTimestamp,
  tagText,
  timestamp,
  together,
} from '../http/pieces';

const status = z.enum(['pending', 'succeeded', 'failed']);

/** An event's name, a common prefix (`email.*`), or `*`. */
const eventPattern = z
  .string()
  .regex(/^(\*|[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}|[A-Za-z0-9][A-Za-z0-9_.:/-]{0,125}\.\*)$/, {
    abort: true,
    error: 'Not an event name',
  })
  .superRefine(requireCanHappen);

const events = boundedArray(eventPattern, 1, 100).meta({ description: 'Names, prefixes such as `email.*`, or `*`' });
const description = oneLine(1_000).nullable().optional();

const ONLY_TAG = 'An extension of this implementation: only events of mail with this tag, as `name:value`';
const tag = extended(tagText.nullable().optional(), ONLY_TAG);

const format = added(z.enum(WEBHOOK_FORMATS).optional(), "`resend` delivers bodies in the form of Resend's webhooks; it never changes");

export const CreateWebhook = z.strictObject({ url: httpUrl, events, description, tag, format, enabled: z.boolean().default(true) });

export const UpdateWebhook = z.strictObject({
  url: httpUrl.optional(),
  events: events.optional(),
  description,
  tag,
  enabled: z.boolean().optional().meta({ description: 'false stops deliveries and keeps the log' }),
  rotateSecret: z.literal(true).optional().meta({ description: 'For 24 hours, both secrets sign' }),
});

export const Webhook = z
  .object({
    webhookId: z.string(),
    projectId: z.string(),
    url: z.string(),
    events: z.array(z.string()).readonly(),
    description: optionalText,
    tag: extended(z.string().optional(), ONLY_TAG),
    format: added(z.enum(WEBHOOK_FORMATS).optional(), 'present if bodies have the form of another service'),
    enabled: z.boolean(),
    disabledReason: z.enum(['failing', 'gone']).nullable(),
    sequence: added(count.optional(), 'the number of its last event; absent before its first'),
    secret: z.string().optional().meta({ description: 'Returned only at registration and after a rotation' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Webhook' });

export const RegisteredWebhook = Webhook.extend({ secret: z.string().meta({ description: 'Store it: it is returned only here' }) }).meta({
  id: 'RegisteredWebhook',
});

export const DeliveryQuery = z.object({ status: status.optional() });
export const DeliveryParams = z.object({ id, deliveryId: id });

export const Delivery = z
  .object({
    deliveryId: z.string(),
    webhookId: z.string(),
    eventId: z.string(),
    eventName: z.string(),
    sequence: added(count, 'the number of the event at this endpoint'),
    status,
    attempts: count,
    responseStatus: count.nullable(),
    responseBody: optionalText.meta({ description: 'Its first 1,024 bytes' }),
    error: optionalText,
    latencyMs: z
      .number()
      .nullable()
      .meta({ description: 'Milliseconds until the last answer; without an answer, until the attempt was given up' }),
    nextAttemptAt: optionalTimestamp,
    replayOf: optionalText,
    createdAt: timestamp,
    completedAt: optionalTimestamp,
  })
  .meta({ id: 'Delivery' });

export const WholeDelivery = Delivery.extend({
  body: optionalText.meta({ description: 'The body of each call; null once the contact that it is about was deleted' }),
  tried: z
    .array(
      z
        .object({
          at: timestamp.meta({ description: 'When the attempt ended' }),
          responseStatus: count.nullable(),
          error: optionalText,
          latencyMs: count.meta({ description: 'Milliseconds until the answer; without an answer, until the attempt was given up' }),
        })
        .meta({ id: 'DeliveryAttempt', description: 'One attempt at a delivery' }),
    )
    .readonly()
    .meta({ description: 'Its attempts, the first one first' }),
}).meta({ id: 'WholeDelivery', description: 'A delivery with the body of its calls, and its attempts' });

export const GapQuery = z.object({
  from: instant.optional().meta({ description: 'Received since then; inclusive' }),
  to: instant.optional().meta({ description: 'Received before then; exclusive' }),
});

export const WebhookGap = z
  .object({
    eventId: z.string(),
    name: z.string().meta({ description: "The event's name" }),
    at: timestamp.meta({ description: 'When the event was received' }),
    status: z.enum(['pending', 'failed']),
    attempts: count,
    sequence: count.meta({ description: 'The number of the event at this endpoint' }),
    deliveryId: z.string(),
  })
  .meta({ id: 'WebhookGap', description: 'An event that the endpoint did not receive' });

export const ReplayWindow = z
  .strictObject({
    from: instant.meta({ description: 'Events received since then; inclusive' }),
    to: instant.meta({ description: 'Events received before then; exclusive' }),
    status: z.enum(['failed', 'succeeded', 'all']).default('failed').meta({ description: 'Which deliveries to queue again' }),
  })
  .refine(({ from, to }) => from < to, together('`to` must be after `from`', 'to'));

export const ReplayedWindow = z
  .object({ replayed: count.meta({ description: 'How many deliveries were queued again' }) })
  .meta({ id: 'ReplayedWindow', description: 'The result of a replay' });
