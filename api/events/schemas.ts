import { z } from 'zod';
import { OptInState, onlyWithOptIn, optInFields, segmentNames, workflowNames } from '../contacts/schemas';
import {
  added,
  because,
  callerEventName,
  count,
  emailAddress,
  eventData,
  eventName,
  id,
  instant,
  json,
  optionalText,
  timestamp,
  together,
  wholeNumber,
} from '../http/pieces';
import { oneOf } from '../http/together';

const AHEAD_MS = 5 * 60_000;

export const Event = z
  .object({
    eventId: z.string(),
    projectId: z.string(),
    contactId: optionalText,
    emailId: optionalText,
    name: z.string(),
    data: json.nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'Event' });

export const IngestEvent = onlyWithOptIn(
  z.strictObject({
    name: callerEventName,
    email: emailAddress.optional(),
    contactId: id.optional(),
    data: eventData.nullable().optional(),
    createContact: z.boolean().optional().meta({ description: 'Default true' }),
    occurredAt: instant
      .refine((at) => at.getTime() - Date.now() <= AHEAD_MS, because('invalid_date', 'At most five minutes ahead'))
      .optional()
      .meta({ description: 'Becomes createdAt; waits and triggers use the time of receipt' }),
    ...optInFields,
  }),
)
  .refine(
    ({ email, contactId }) => (email === undefined) !== (contactId === undefined),
    together('Give exactly one of email and contactId', 'email'),
  )
  .refine(({ optIn, email }) => optIn === undefined || email !== undefined, together('`optIn` is for an address: give `email`', 'optIn'))
  .refine(
    ({ optIn, createContact }) => optIn === undefined || createContact === undefined,
    together('With `optIn`, the confirmation creates the contact', 'createContact'),
  )
  .meta(oneOf('email', 'contactId'));

/** A web page may set few fields: its key is public. */
export const PublicEvent = z.strictObject({ name: callerEventName, email: emailAddress, data: eventData.nullable().optional() });

const matched = { workflowId: z.string(), name: z.string(), trigger: z.string() };

export const IngestedEvent = z
  .object({
    eventId: z.string(),
    contactId: optionalText,
    triggered: z.array(z.object({ ...matched, status: z.literal('dispatched') }).meta({ id: 'TriggeredWorkflow' })).readonly(),
    skipped: z
      .array(z.object({ ...matched, reason: z.enum(['workflow_paused', 'workflow_draft']) }).meta({ id: 'SkippedWorkflow' }))
      .readonly(),
    optIn: added(
      OptInState.optional(),
      'only where `optIn` was given. While it is pending, the event of an address without a contact has no contact',
    ),
    replay: z.literal(true).optional(),
  })
  .meta({ id: 'IngestedEvent' });

export const EventQuery = z.object({
  name: eventName.optional(),
  contactId: id.optional(),
  email: emailAddress.optional(),
  from: instant.optional().meta({ description: 'Inclusive' }),
  to: instant.optional().meta({ description: 'Exclusive' }),
});

export const FeedQuery = z
  .object({
    after: z.string().meta({ pattern: '^[A-Za-z0-9_-]+$' }).optional().meta({ description: '`next` of the answer before, unchanged' }),
    from: instant.optional().meta({ description: 'The receipt time to start at, inclusive. Default: the oldest stored event' }),
    limit: wholeNumber(1, 100).default(50),
  })
  .refine(({ after, from }) => after === undefined || from === undefined, together('`from` begins a feed, `after` continues it', 'from'));

export const EventFeed = z
  .object({
    data: z.array(Event).readonly().meta({ description: 'The events, in the order of their receipt' }),
    next: z.string().meta({ description: 'Pass it as `after` in the next request; always present' }),
  })
  .meta({ id: 'EventFeed', description: 'A part of the feed' });

export const EventName = z.object({ name: z.string(), count, lastSeenAt: timestamp, system: z.boolean() }).meta({ id: 'EventName' });

export const EventStatsQuery = z.object({
  name: eventName.optional(),
  from: instant.optional().meta({ description: 'Inclusive; default 30 days, or 48 hours by the hour, before the end' }),
  to: instant.optional().meta({ description: 'Exclusive; default the end of the current hour or day' }),
  interval: z.enum(['hour', 'day']).default('day').meta({ description: 'UTC; at most 400 buckets' }),
});

export const EventStats = z
  .object({ total: count, series: z.array(z.object({ at: timestamp, count })).readonly() })
  .meta({ id: 'EventStats', description: 'Includes empty buckets' });

export const EventParams = z.object({ name: eventName });
export const CallerEventParams = z.object({ name: callerEventName });

export const EventUsage = z
  .object({ name: z.string(), count, workflows: workflowNames, segments: segmentNames })
  .meta({ id: 'EventUsage' });

export const RemovedEvents = z.object({ name: z.string(), removed: count }).meta({ id: 'RemovedEvents' });
