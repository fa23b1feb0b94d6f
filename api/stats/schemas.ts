import { z } from 'zod';
import { count, instant, tag, timestamp } from '../http/pieces';

const counters = {
  sent: count,
  delivered: count,
  opened: count,
  clicked: count,
  bounced: count,
  complained: count,
  failed: count,
  unsubscribed: count,
  received: count,
};

const Counts = z.object(counters).meta({ id: 'Counts', description: 'opened and clicked are unique per e-mail' });

const interval = z.enum(['hour', 'day', 'month']);
const rate = z.number().nullable().meta({ minimum: 0, maximum: 1 });

export const StatsQuery = z.object({
  from: instant.optional().meta({ description: 'Inclusive; default 30 days, or 48 hours by the hour, before the end' }),
  to: instant.optional().meta({ description: 'Exclusive; default the end of the current day or hour' }),
  interval: interval.default('day').meta({ description: 'UTC; at most 400 buckets' }),
  tag,
});

export const Stats = z
  .object({
    from: timestamp,
    to: timestamp,
    interval,
    totals: Counts,
    rates: z.object({ delivery: rate, open: rate, click: rate, bounce: rate, complaint: rate, unsubscribe: rate }),
    bySource: z.object({ transactional: Counts, campaign: Counts, workflow: Counts }),
    series: z.array(z.object({ at: timestamp, ...counters })).readonly(),
    contacts: z.object({ total: count, subscribed: count, unsubscribed: count, suppressed: count }),
  })
  .meta({ id: 'Stats' });

const Node = z.object({
  nodeId: z.string(),
  type: z.string(),
  entered: count,
  completed: count,
  waiting: count,
  skipped: count,
  failed: count,
  emails: Counts.nullable(),
});

export const WorkflowStats = z
  .object({
    workflowId: z.string(),
    entered: count,
    active: count,
    completed: count,
    exited: count,
    cancelled: count,
    failed: count,
    nodes: z.array(Node).readonly(),
  })
  .meta({ id: 'WorkflowStats' });
