import { endpoint } from '../http/endpoint';
import { IdParams } from '../http/pieces';
import { Stats, StatsQuery, WorkflowStats } from './schemas';

const tag = 'Stats';

export const statsRoutes = [
  endpoint({
    method: 'get',
    path: '/v1/stats',
    operationId: 'getStats',
    summary: 'Counts and rates of a time span',
    description: 'Test-mode traffic is left out; opens and clicks are unique per e-mail.',
    tag,
    query: StatsQuery,
    response: Stats,
  }),
  endpoint({
    method: 'get',
    path: '/v1/stats/workflows/{id}',
    operationId: 'getWorkflowStats',
    summary: 'The funnel of a workflow, node by node',
    tag,
    params: IdParams,
    response: WorkflowStats,
  }),
];
