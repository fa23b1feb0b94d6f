import mongoose from 'mongoose';
import { createActivities } from '../../../activities';
import { sweepRemovals, sweepSegments } from '../../../src/audience/segments';
import { checkAllExecutionsNow } from '../../../src/marketing/automations';
import { IdleCampaigns } from '../../../src/marketing/campaigns/reached';
import { readBacklog } from '../../../src/upkeep/backlog';
import { applyRetention } from '../../../src/upkeep/retention/apply';
import { queryPlans } from '../../support/checks/query-plans';
import { aProject } from '../../support/platform/app';

const app = aProject();

/** Collections that passes read whole: they have a row for each shard, endpoint or automation. */
const SMALL = ['wakes', 'webhooks', 'automation_counts'];

/** It numbers the executions of each project that may continue soon: no index has them in that order. */
const SORTS = 'executions after a loss of Temporal';

const signal = new AbortController().signal;
const activities = () => createActivities({ core: app.core, delivery: null, fanOut: null, webhooks: null });

const SWEEPS = [
  'sweepOutbox',
  'sweepDelivery',
  'sweepReputation',
  'sweepContacts',
  'sweepFanOut',
  'sweepEventCounts',
  'sweepExecutions',
  'sweepDomains',
  'sweepWebhooks',
  'sweepSubscriptions',
  'foldSegmentCounts',
] as const;

// Empty collections tell: a query that no index serves scans them too.
test.each<readonly [string, () => Promise<unknown>]>([
  ...SWEEPS.map((name) => [name, () => activities()[name]()] as const),
  ['segments by time', () => sweepSegments(app.core, { clock: () => new Date(), signal, beat: () => undefined })],
  ['removed segments', () => sweepRemovals(new Date())],
  ['retention', () => applyRetention(app.core, { now: Date.now(), after: null }, signal)],
  ['the figures of the queues', () => readBacklog(new IdleCampaigns())],
  [SORTS, () => checkAllExecutionsNow(new Date())],
])('%s: reads along indexes, in their order', async (pass, work) => {
  const collections = Object.values(mongoose.models).map(({ collection }) => collection.collectionName);
  const large = collections.filter((name) => !SMALL.includes(name));
  const plans = await queryPlans(large, work);
  expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || (sorted && pass !== SORTS))).toEqual([]);
});
