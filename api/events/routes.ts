import { eventUsage, ingestEvent, listEvents, removeEvents } from '../../src/audience/activity';
import { eventFeed, eventStats, seenNames } from '../../src/records/events';
import { mapped } from '../../src/platform/mongo';
import { reply, paged } from '../http/answers';
import { endpoint, group, listEndpoint } from '../http/endpoint';
import {
  CallerEventParams,
  Event,
  EventFeed,
  EventName,
  EventParams,
  EventQuery,
  EventStats,
  EventStatsQuery,
  EventUsage,
  FeedQuery,
  IngestEvent,
  IngestedEvent,
  PublicEvent,
  RemovedEvents,
} from './schemas';
import { feedPosition, toEvent, toEventName, toFeed, toIngested, toStats, toUsage, confirmationOf } from './view';
import { clientOfRequest } from '../http/client-of-request';

export const eventRoutes = group('Events', [
  endpoint('POST /v1/events', {
    operationId: 'ingestEvent',
    summary: 'Record a product event and start the workflows that it triggers',
    description:
      'The only operation that accepts a public key; with it, only `name`, `email` and `data` are allowed. `triggered` lists what was dispatched: enrollment happens after the response and can be refused. With `optIn: "double"` (an extension of this implementation), the person is asked to confirm, and no contact is created until they do.',
    request: { body: IngestEvent, publicBody: PublicEvent },
    status: 201,
    response: IngestedEvent,
    limits: { hot: true },
    idempotent: true,
    errors: ['send_failed'],
    handle: async ({ ctx, body, idempotency, incoming }) => {
      const request = { idempotency, client: clientOfRequest(ctx.core, incoming), before: confirmationOf(ctx, body) };
      const ingested = await ingestEvent(ctx, request.before ? { ...body, createContact: false } : body, request);
      return reply(201, toIngested(ingested), ingested.replay && { 'X-Idempotent-Replay': 'true' });
    },
  }),
  listEndpoint('GET /v1/events', {
    operationId: 'listEvents',
    summary: 'List events, newest first',
    request: { query: EventQuery },
    response: Event,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(listEvents(ctx, query, page), toEvent),
  }),
  listEndpoint('GET /v1/events/names', {
    operationId: 'listEventNames',
    summary: 'List the names of all events, last seen first',
    description: 'With `limit` or `cursor`, pages are sorted by name; within a page, the last seen comes first.',
    response: EventName,
    list: 'whole',
    arrange: (a, b) => new Date(b.lastSeenAt).getTime() - new Date(a.lastSeenAt).getTime(),
    handle: ({ ctx, page }) => mapped(seenNames(ctx.projectId, page), toEventName),
  }),
  endpoint('GET /v1/events/stats', {
    operationId: 'getEventStats',
    summary: 'Count events by hour or day',
    request: { query: EventStatsQuery },
    response: EventStats,
    handle: async ({ ctx, query }) => toStats(await eventStats(ctx, query)),
  }),
  endpoint('GET /v1/events/{name}/usage', {
    operationId: 'getEventUsage',
    summary: 'Count an event, and list what refers to it',
    request: { params: EventParams, neverMissing: true },
    response: EventUsage,
    handle: async ({ ctx, params: { name } }) => toUsage(name, await eventUsage(ctx, name)),
  }),
  endpoint('DELETE /v1/events/{name}', {
    operationId: 'deleteEvents',
    summary: "Delete all events of one of the caller's names",
    request: { params: CallerEventParams, neverMissing: true },
    response: RemovedEvents,
    errors: ['in_use'],
    audit: ({ params }) => ['event.delete', params.name],
    handle: async ({ ctx, params: { name } }) => ({ name, removed: await removeEvents(ctx, name) }),
  }),
]);

export const eventExtensions = group('Extensions', [
  endpoint('GET /v1/events/feed', {
    operationId: 'readEventFeed',
    summary: 'Read events in order of receipt, from a position on',
    description:
      'An extension of this implementation, for receivers that webhooks cannot reach. Pass `next` as `after`, even if `data` is empty. You then get every event exactly once. An event appears 90 seconds after its receipt.',
    request: { query: FeedQuery },
    response: EventFeed,
    handle: async ({ ctx, query }) => toFeed(ctx, await eventFeed(ctx.projectId, feedPosition(ctx, query), query.limit)),
  }),
]);
