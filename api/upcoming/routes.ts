import { listUpcoming, UPCOMING_KINDS } from '../../src/marketing/upcoming';
import { paged } from '../http/answers';
import { extensions, listEndpoint } from '../http/endpoint';
import type { Upcoming } from '../../src/marketing/upcoming';
import { z } from 'zod';
import { id, timestamp } from '../http/pieces';

const UpcomingQuery = z.object({
  contactId: id.optional().meta({ description: 'Only what happens to this contact' }),
  campaignId: id.optional(),
  workflowId: id.optional(),
});

const UpcomingEntry = z
  .object({
    at: timestamp,
    kind: z.enum(UPCOMING_KINDS).meta({
      description:
        '`email`: a scheduled e-mail goes out. `campaign`: a scheduled campaign starts. `campaign_turn`: the next turn of a recurring campaign. `campaign_recipients`: the next recipients of a campaign with send windows or a local time. `rollout_step`: the next step of a rollout is checked and begins. `ab_decision`: an A/B test is decided. `pause_end`: a paused campaign resumes. `snooze_end`: a contact gets marketing mail again; only with `contactId`. `execution`: the wait of an execution ends, at the latest',
    }),
    emailId: z.string().optional(),
    campaignId: z.string().optional(),
    workflowId: z.string().optional(),
    executionId: z.string().optional(),
    contactId: z.string().optional(),
  })
  .meta({ id: 'UpcomingEntry', description: 'A future action, with the ids of the objects that it affects' });

export const upcomingExtensions = extensions('Extensions', [
  listEndpoint('GET /v1/upcoming', {
    operationId: 'listUpcoming',
    summary: 'List what will happen next, soonest first',
    description:
      'One list of scheduled e-mails and campaigns, turns, A/B decisions, ends of pauses, and waiting executions. Filters keep the entries that have all given ids.',
    request: { query: UpcomingQuery },
    response: UpcomingEntry,
    list: 'cursor',
    handle: ({ ctx, query, page }) => paged(listUpcoming(ctx, query, page), toUpcoming),
  }),
]);

const toUpcoming = ({ at, id: _id, ...entry }: Upcoming): z.input<typeof UpcomingEntry> => ({ at, ...entry });
