import { listUpcoming } from '../../src/marketing/upcoming';
import { paged } from '../http/answers';
import { group, listEndpoint } from '../http/endpoint';
import { UpcomingEntry, UpcomingQuery } from './schemas';
import { toUpcoming } from './view';

export const upcomingExtensions = group('Extensions', [
  listEndpoint('GET /v1/upcoming', {
    operationId: 'listUpcoming',
    summary: 'List what will happen next, soonest first',
    description:
      'An extension of this implementation. One list of scheduled e-mails and campaigns, turns, A/B decisions, ends of pauses, and waiting executions. Filters keep the entries that have all given ids.',
    request: { query: UpcomingQuery },
    response: UpcomingEntry,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(listUpcoming(ctx, query, page), toUpcoming),
  }),
]);
