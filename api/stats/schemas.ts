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

const step = z.enum(['hour', 'day']);

export const TimelineQuery = z.object({
  step: step.default('hour').meta({ description: 'UTC; at most 400 buckets of this length' }),
  from: instant.optional().meta({
    description:
      'Inclusive, from the beginning of its bucket; default the start of the campaign, or the creation of the workflow but no more than 400 buckets before `to`',
  }),
  to: instant.optional().meta({ description: 'Exclusive, up to the end of its bucket; default the end of the current one' }),
});

const whole = {
  step: step.meta({ description: 'The length of a bucket' }),
  from: timestamp.meta({ description: 'The beginning of the first bucket' }),
  to: timestamp.meta({ description: 'The end of the last bucket' }),
};

const mail = {
  sent: count,
  delivered: count,
  opened: count,
  clicked: count,
  bounced: count,
  complained: count,
  unsubscribed: count,
  proxied: count.meta({ description: 'Messages whose images a proxy loaded ahead of the reader, for the first time' }),
  scanned: count.meta({ description: 'Messages that another machine opened or clicked, for the first time' }),
};

export const CampaignTimeline = z
  .object({ campaignId: z.string(), ...whole, series: z.array(z.object({ at: timestamp, ...mail })).readonly() })
  .meta({ id: 'CampaignTimeline', description: 'Live messages of a campaign over time: each message counts once in each member' });

const executions = {
  entered: count.meta({ description: 'Executions that began' }),
  completed: count.meta({ description: 'Executions that reached an end of the graph' }),
  exited: count.meta({ description: 'Executions that ended before, without an error' }),
  cancelled: count.meta({ description: 'Executions that were cancelled' }),
  failed: count.meta({ description: 'Executions that ended with an error' }),
};

export const WorkflowTimeline = z
  .object({ workflowId: z.string(), ...whole, series: z.array(z.object({ at: timestamp, ...executions, ...mail })).readonly() })
  .meta({
    id: 'WorkflowTimeline',
    description: 'Executions of a workflow and its live messages over time: each execution and each message counts once in each member',
  });
