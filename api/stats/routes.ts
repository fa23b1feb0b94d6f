import { readFunnel } from '../../src/marketing/automations';
import { toWorkflowStats } from '../automations/view';
import { readStats } from '../../src/audience/statistics';
import { endpoint, group } from '../http/endpoint';
import { IdParams } from '../http/pieces';
import { Stats, StatsQuery, WorkflowStats } from './schemas';
import type { z } from 'zod';
import type { Stats as StoredStats } from '../../src/audience/statistics';

export const statsRoutes = group('Stats', [
  endpoint('GET /v1/stats', {
    operationId: 'getStats',
    summary: 'Get the counts and rates of a time span',
    description: 'Counted in whole hours. Test-mode traffic is excluded; opens and clicks are unique per e-mail.',
    request: { query: StatsQuery },
    response: Stats,
    handle: async ({ ctx, query }) => toStats(await readStats(ctx, query)),
  }),
  endpoint('GET /v1/stats/workflows/{id}', {
    operationId: 'getWorkflowStats',
    summary: 'Get the funnel of a workflow, node by node',
    request: { params: IdParams },
    response: WorkflowStats,
    handle: async ({ ctx, params }) => toWorkflowStats(await readFunnel(ctx, params.id)),
  }),
]);

const toStats = ({ series, ...stats }: StoredStats): z.input<typeof Stats> => ({
  ...stats,
  series: series.map(({ at, counts }) => ({ at, ...counts })),
});
