import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'supertest';
import { FAN_OUT_SHARDS } from '../../../src/contracts/fan-out';
import { WEBHOOK_SHARDS } from '../../../src/contracts/webhook';
import type { Core } from '../../../src/platform/core/context';
import { listeningOf } from '../../../src/records/events/listeners';
import type { Event } from '../../../src/records/events/model';
import { findPending, markHandedOn, projectsWaiting } from '../../../src/records/events/pending';
import { DeliveryModel } from '../../../src/sending/webhooks/delivery-model';
import { WakeWatch } from '../../../src/platform/wake-ups';
import { WEBHOOK_TIMES, WebhookHost } from '../../../src/sending/webhooks/run';
import { webhookDeliveries } from '../../../src/sending/webhooks/event-deliveries';
import type { Consumer } from '../../../src/records/fan-out/host';
import type { TestApp } from '../platform/app';
import { forTheFile } from '../run/for-the-file';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as they came. */
  readonly raw: Buffer;
  /** Any shape, as in the tests of the API. */
  readonly body: Response['body'];
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Number of open requests, now and at most. */
  readonly open: { now: number; most: number };
  /** Answers from now on; 200 unless said otherwise. */
  answer: (res: ServerResponse, request: Received) => void;
  close(): Promise<void>;
}

/** A customer's server on loopback. */
async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const open = { now: 0, most: 0 };
  const server: Server = createServer((req, res) => {
    open.most = Math.max(open.most, ++open.now);
    res.on('close', () => open.now--);
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const raw = Buffer.concat(chunks);
      const request = {
        path: req.url ?? '',
        method: req.method ?? '',
        headers: req.headers,
        raw,
        body: JSON.parse(raw.toString() || 'null'),
      };
      received.push(request);
      receiver.answer(res, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    open,
    answer: (res) => res.end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** A customer's server for the tests of a file. */
export const aReceiver = (): Receiver => forTheFile(startReceiver, (receiver) => receiver.close());

/** A customer's server for the tests of a file that hears of each test alone, and answers as it does when a test begins. */
export function aFreshReceiver(answer: Receiver['answer'] = (res) => res.end()): Receiver {
  const receiver = aReceiver();
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.answer = answer;
  });
  return receiver;
}

/** Returns the last request. */
export const lastOf = ({ received }: Receiver): Received => received.at(-1) as Received;

/** Refuses what comes with a status. */
export const refusing =
  (status: number, headers: Readonly<Record<string, string>> = {}): Receiver['answer'] =>
  (res) =>
    res.writeHead(status, headers).end('no');

/** Deletes an app's endpoints after each test: none hears what the next test does. */
export function withoutEndpointsAfterwards(app: TestApp): void {
  afterEach(async () => {
    const { body } = await app.api().get('/v1/webhooks').expect(200);
    for (const { webhookId } of body.data.data) await app.api().delete(`/v1/webhooks/${webhookId}`).expect(200);
    await DeliveryModel.deleteMany({});
  });
}

/** An endpoint, and a delivery, as the API shows them. */
export interface ShownWebhook {
  readonly webhookId: string;
  readonly secret: string;
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly [member: string]: unknown;
}
export interface ShownDelivery {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly status: string;
  readonly attempts: number;
  readonly nextAttemptAt: string | null;
  readonly [member: string]: unknown;
}

const idle = { signal: new AbortController().signal, beat: () => undefined };

/** No pump is woken here: a run that waits looks again soon. */
class QuickWatch extends WakeWatch {
  override async changed(_pump: string, seen: number): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 10));
    return seen;
  }
}

export const quickHost = (core: Core): WebhookHost => new WebhookHost(core, new QuickWatch(), { ...WEBHOOK_TIMES, lingerMs: 0 });

/** One run of every shard's pump, each until nothing is due; by a clock that is so far ahead. */
export async function deliverDue(core: Core, aheadMs = 0, host = quickHost(core)): Promise<void> {
  const now = Date.now() + aheadMs;
  await Promise.all(Array.from({ length: WEBHOOK_SHARDS }, (_, shard) => host.pump({ shard, now, ...idle })));
}

/** The events that wait to be handed on, in order. */
async function waitingEvents(): Promise<readonly Event[]> {
  const shards = await Promise.all(
    Array.from({ length: FAN_OUT_SHARDS }, async (_, shard) => {
      const projects = await projectsWaiting(shard);
      const of = { shard, until: new Date(8.64e15), without: [], limit: 10_000 };
      return Promise.all(projects.map(({ projectId }) => findPending({ ...of, projectId })));
    }),
  );
  return shards.flat(2).sort((a, b) => (a._id < b._id ? -1 : 1));
}

/** Hands on what waits to be handed on, to webhooks alone unless other consumers are given. */
export async function handOnAll(core: Core, consumers: readonly Consumer[] = [webhookDeliveries]): Promise<void> {
  for (const event of await waitingEvents()) {
    const { version } = await listeningOf(event.projectId);
    for (const consumer of consumers) await consumer.handle(core, event, version);
    await markHandedOn([event]);
  }
}

export function webhookCalls(app: () => TestApp) {
  const api = (key?: string) => app().api(key);
  return {
    api,
    register: async (url: string, change: Readonly<Record<string, unknown>> = {}): Promise<ShownWebhook> =>
      (
        await api()
          .post('/v1/webhooks')
          .send({ url, events: ['*'], ...change })
          .expect(201)
      ).body.data as ShownWebhook,
    webhook: async (id: string): Promise<ShownWebhook> => {
      const { body } = await api().get('/v1/webhooks').expect(200);
      return (body.data.data as ShownWebhook[]).find(({ webhookId }) => webhookId === id) as ShownWebhook;
    },
    patch: async (id: string, change: Readonly<Record<string, unknown>>): Promise<ShownWebhook> =>
      (await api().patch(`/v1/webhooks/${id}`).send(change).expect(200)).body.data as ShownWebhook,
    deliveries: async (id: string, query = ''): Promise<ShownDelivery[]> =>
      (await api().get(`/v1/webhooks/${id}/deliveries${query}`).expect(200)).body.data as ShownDelivery[],
    /** Ingests an event of the caller's own and has it recorded for the endpoints. Resolves to its id. */
    happen: async (
      name = 'order.placed',
      more: Readonly<Record<string, unknown>> = { email: 'ada@example.com' },
      key?: string,
    ): Promise<string> => {
      const { body } = await api(key)
        .post('/v1/events')
        .send({ name, ...more })
        .expect(201);
      await handOnAll(app().core);
      return body.data.eventId as string;
    },
    deliver: (aheadMs = 0) => deliverDue(app().core, aheadMs),
  };
}
