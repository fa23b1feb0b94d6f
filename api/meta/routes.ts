import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import type { Endpoint } from '../http/endpoint';
import { unavailable } from '../http/errors';

export const VERSION = '0.1.0';

export type Check = 'up' | 'down';

export interface Health {
  readonly mongodb: Check;
  readonly temporal: Check;
}

export interface MetaDeps {
  readonly health: () => Promise<Health>;
  readonly document: () => Record<string, unknown>;
}

const check = z.enum(['up', 'down']);

const HealthResponse = z
  .object({ status: z.literal('ok'), version: z.string(), checks: z.object({ mongodb: check, temporal: check }) })
  .meta({ id: 'Health' });

export const metaRoutes = ({ health, document }: MetaDeps): Endpoint[] => [
  endpoint({
    method: 'get',
    path: '/v1/health',
    operationId: 'getHealth',
    summary: 'Whether all that the service needs is there',
    tag: 'Meta',
    auth: 'none',
    response: HealthResponse,
    errors: ['unavailable'],
    handle: async () => {
      const checks = await health();
      const down = Object.entries(checks).filter(([, state]) => state === 'down');
      if (down.length > 0) throw unavailable(`Not available: ${down.map(([name]) => name).join(', ')}`);
      return { status: 'ok' as const, version: VERSION, checks };
    },
  }),
  endpoint({
    method: 'get',
    path: '/v1/openapi.json',
    operationId: 'getOpenApi',
    summary: 'This description, OpenAPI 3.1',
    tag: 'Meta',
    auth: 'none',
    response: z.record(z.string(), z.unknown()),
    bare: true,
    trusted: true,
    handle: () => Promise.resolve(document()),
  }),
];
