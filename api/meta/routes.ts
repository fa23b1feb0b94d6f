import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Check, ProbeAnswer, ProbePath } from '../../src/platform/probes';
import { VERSION, releaseOf } from '../../src/platform/config';
import { Compressed } from '../http/compressed';
import { Streamed } from '../http/answers';
import { bareEndpoint, endpoint, group } from '../http/endpoint';
import { unavailable } from '../http/errors';

export interface Health {
  readonly mongodb: Check;
  readonly temporal: Check;
  /** Sentences about parts that are stalled although both are up. */
  readonly details?: readonly string[];
}

/** Answers a probe from memory. */
export type Probe = (path: ProbePath) => ProbeAnswer;

export interface MetaDeps {
  readonly health: () => Promise<Health>;
  readonly document: () => Record<string, unknown>;
}

const check = z.enum(['up', 'down']);

const HealthResponse = z
  .object({
    status: z.literal('ok'),
    version: z.string(),
    release: z.string().optional().describe('Extension: the version with its build, if RELEASE_COMMIT is set'),
    checks: z.object({ mongodb: check, temporal: check }),
    details: z
      .array(z.string())
      .optional()
      .describe('Extension: parts that are stalled although both are up, with the reason, in a sentence each; absent while none is'),
  })
  .meta({ id: 'Health' });

async function described(text: Compressed, acceptEncoding: string | undefined): Promise<Streamed> {
  const { bytes, headers } = await text.answerTo(acceptEncoding);
  return new Streamed(Readable.from([bytes]), { ...headers, 'Content-Type': 'application/json; charset=utf-8' });
}

const textOf = (document: MetaDeps['document']): Compressed => new Compressed(() => Buffer.from(JSON.stringify(document())));

export const metaRoutes = ({ health, document }: MetaDeps, text = textOf(document)) =>
  group('Meta', [
    endpoint('GET /v1/health', {
      operationId: 'getHealth',
      summary: 'Check the health of the service and its dependencies',
      access: 'none',
      response: HealthResponse,
      handle: async ({ core: { config } }) => {
        const { details = [], ...checks } = await health();
        const down = Object.entries(checks).filter(([, state]) => state === 'down');
        if (down.length > 0) throw unavailable(`Not available: ${down.map(([name]) => name).join(', ')}`);
        return {
          status: 'ok' as const,
          version: VERSION,
          ...(config.RELEASE_COMMIT !== undefined && { release: releaseOf(config) }),
          checks,
          ...(details.length > 0 && { details: [...details] }),
        };
      },
    }),
    bareEndpoint('GET /v1/openapi.json', {
      operationId: 'getOpenApi',
      summary: 'Get this description, OpenAPI 3.1',
      response: z.record(z.string(), z.unknown()),
      handle: ({ incoming }) => described(text, incoming.headers['accept-encoding']),
    }),
  ]);

const Live = z.object({ status: z.literal('live') }).meta({ id: 'Live' });
const Ready = z.object({ status: z.literal('ready'), checks: z.object({ mongodb: check, temporal: check }) }).meta({ id: 'Ready' });

function answered(probe: Probe, path: ProbePath): unknown {
  const { status, body } = probe(path);
  if (status === 503) throw unavailable(`This process is ${String(body['status'])}`);
  return body;
}

/** Returns the probes of orchestrators and load balancers; answered at once, even while other servers are unavailable. */
export const probeRoutes = (probe: Probe) =>
  group('Extensions', [
    bareEndpoint('GET /livez', {
      operationId: 'getLive',
      summary: 'Liveness: whether this process runs; if not, restart it',
      response: Live,
      handle: () => Promise.resolve(answered(probe, '/livez') as z.input<typeof Live>),
    }),
    bareEndpoint('GET /readyz', {
      operationId: 'getReady',
      summary: 'Readiness: whether this process accepts requests; requires MongoDB and reports Temporal',
      response: Ready,
      handle: () => Promise.resolve(answered(probe, '/readyz') as z.input<typeof Ready>),
    }),
  ]);
