import { z } from 'zod';
import type { Endpoint, List } from '../../../api/http/endpoint';
import { extensions, otherEndpoints, rooms } from '../../../api/rooms';
import { positioned } from '../../../src/platform/mongo/whole';
import { positionAt } from '../../../src/platform/core/context';
import { allWell, apiOf, serve, startTestApp } from '../platform/app';
import type { Api } from '../platform/app';

export type Fault = readonly [path: string, code: string];

const listed = (list: List, row: object) => (list === 'whole' ? positioned([row], () => positionAt('row')) : { rows: [row], next: null });

/** Every real declaration, with a handler that says what reached it. */
const echoing = (e: Endpoint): Endpoint => ({
  ...e,
  response: z.any(),
  handle: ({ params, query, body, page }) =>
    e.form.list ? listed(e.form.list, { params, query, ...(e.form.list === 'inner' && { limit: page.limit }) }) : { params, query, body },
});

export interface EchoApi {
  readonly api: (key?: string | null) => Api;
  /** Path and code of each fault that a body has; empty when it is taken. */
  readonly faultsOf: (path: string, body: object, method?: 'post' | 'patch') => Promise<Fault[]>;
  /** The body as a handler would see it. */
  readonly echoed: (path: string, body: object) => Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

/** The real declarations behind the real doors, and nothing behind them: for what can be judged from a request alone. */
export async function startEchoApi(): Promise<EchoApi> {
  const app = await startTestApp();
  const real = [
    ...rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) }),
    ...extensions(allWell),
    ...otherEndpoints,
  ];
  const served = await serve(app.core, real.map(echoing));
  const api = apiOf(served.url, app.keys.secret);
  return {
    api,
    faultsOf: async (path, body, method = 'post') => {
      const response = await api()[method](path).send(body);
      if (response.status < 300) return [];
      expect([response.status, response.body.code, response.body.success]).toEqual([422, 'validation_error', false]);
      return (response.body.details as { path: string; code: string; message: string }[]).map((detail) => {
        expect(detail.message).not.toBe('');
        return [detail.path, detail.code];
      });
    },
    echoed: async (path, body) => (await api().post(path).send(body)).body.data.body as Record<string, unknown>,
    close: async () => {
      await served.close();
      await app.close();
    },
  };
}
