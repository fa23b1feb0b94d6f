import { eventUsage, ingestEvent, listEvents, removeEvents } from '../../src/audience/activity';
import { eventStats, seenNames } from '../../src/records/events';
import { mapped } from '../../src/platform/mongo';
import { endpoint, reply } from '../http/endpoint';
import {
  CallerEventParams,
  Event,
  EventName,
  EventParams,
  EventQuery,
  EventStats,
  EventStatsQuery,
  EventUsage,
  IngestEvent,
  IngestedEvent,
  PublicEvent,
  RemovedEvents,
} from './schemas';
import { toEvent, toEventName, toIngested, toStats, toUsage } from './view';
import { clientOfRequest } from '../http/client-of-request';

const tag = 'Events';

export const eventRoutes = [
  endpoint({
    method: 'post',
    path: '/v1/events',
    operationId: 'ingestEvent',
    summary: 'Record a product event and start the workflows that it triggers',
    description:
      'The only operation that accepts a public key; with it, only `name`, `email` and `data` are allowed. `triggered` lists what was dispatched: enrollment happens after the response and can be refused.',
    tag,
    auth: 'any',
    status: 201,
    body: IngestEvent,
    publicBody: PublicEvent,
    response: IngestedEvent,
    idempotent: true,
    byKeys: true,
    cors: true,
    errors: ['rate_limited', 'idempotency_key_reused', 'idempotency_in_progress'],
    handle: async ({ ctx, body, idempotency, incoming }) => {
      const ingested = await ingestEvent(ctx, body, { idempotency, client: clientOfRequest(ctx.core, incoming) });
      return reply(201, toIngested(ingested), ingested.replay && { 'X-Idempotent-Replay': 'true' });
    },
  }),
  endpoint({
    method: 'get',
    path: '/v1/events',
    operationId: 'listEvents',
    summary: 'List events, newest first',
    tag,
    query: EventQuery,
    response: Event,
    list: 'cursor',
    handle: async ({ ctx, query, page }) => {
      const { rows, next } = await listEvents(ctx, query, page);
      return { rows: rows.map(toEvent), next };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v1/events/names',
    operationId: 'listEventNames',
    summary: 'The names of all events so far, last seen first',
    description: 'With `limit` or `cursor`, pages are sorted by name; within a page, the last seen comes first.',
    tag,
    response: EventName,
    list: 'whole',
    arrange: (a, b) => (a.lastSeenAt === b.lastSeenAt ? 0 : a.lastSeenAt < b.lastSeenAt ? 1 : -1),
    handle: ({ ctx, page }) => Promise.resolve(mapped(seenNames(ctx.projectId, page), toEventName)),
  }),
  endpoint({
    method: 'get',
    path: '/v1/events/stats',
    operationId: 'getEventStats',
    summary: 'Count events by hour or day',
    tag,
    query: EventStatsQuery,
    response: EventStats,
    handle: async ({ ctx, query }) => toStats(await eventStats(ctx, query)),
  }),
  endpoint({
    method: 'get',
    path: '/v1/events/{name}/usage',
    operationId: 'getEventUsage',
    summary: 'Count an event, and list what refers to it',
    tag,
    neverMissing: true,
    params: EventParams,
    response: EventUsage,
    handle: async ({ ctx, params: { name } }) => toUsage(name, await eventUsage(ctx, name)),
  }),
  endpoint({
    method: 'delete',
    path: '/v1/events/{name}',
    operationId: 'deleteEvents',
    summary: "Delete all events of one of the caller's names",
    tag,
    neverMissing: true,
    params: CallerEventParams,
    response: RemovedEvents,
    errors: ['in_use'],
    audit: ({ params }) => ['event.delete', params.name],
    handle: async ({ ctx, params: { name } }) => ({ name, removed: await removeEvents(ctx, name) }),
  }),
];
