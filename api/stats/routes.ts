import { readFunnel } from '../../src/marketing/automations';
import { toWorkflowStats } from '../automations/view';
import { readStats } from '../../src/audience/statistics';
import { endpoint } from '../http/endpoint';
import { IdParams } from '../http/pieces';
import { Stats, StatsQuery, WorkflowStats } from './schemas';
import { toStats } from './view';

const tag = 'Stats';

export const statsRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/stats',
    operationId: 'getStats',
    summary: 'Counts and rates of a time span',
    description: 'Counted in whole hours. Test-mode traffic is excluded; opens and clicks are unique per e-mail.',
    tag,
    query: StatsQuery,
    response: Stats,
    handle: async ({ ctx, query }) => toStats(await readStats(ctx, query)),
  }),
  endpoint({
    method: 'get',
    path: '/v1/stats/workflows/{id}',
    operationId: 'getWorkflowStats',
    summary: 'The funnel of a workflow, node by node',
    tag,
    params: IdParams,
    response: WorkflowStats,
    handle: async ({ ctx, params }) => toWorkflowStats(await readFunnel(ctx, params.id)),
  }),
];
