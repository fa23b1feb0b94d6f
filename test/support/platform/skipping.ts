import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import type { Worker } from '@temporalio/worker';
import type { Response } from 'supertest';
import { createActivities } from '../../../activities';
import { createApp } from '../../../api/app';
import { loadServerConfig } from '../../../src/platform/config/config';
import type { Core } from '../../../src/platform/core/context';
import { TASK_QUEUES } from '../../../src/contracts/task-queues';
import { DeliveryHost } from '../../../src/sending/deliver/host';
import { LEASE_TIMES } from '../../../src/sending/deliver/lease';
import { PUMP_TIMES } from '../../../src/sending/deliver/pump';
import { wakeFanOutThrough } from '../../../src/composition/compose';
import type { Consumer } from '../../../src/records/fan-out/host';
import { FanOutHost } from '../../../src/records/fan-out/host';
import { FAN_OUT_TIMES } from '../../../src/records/fan-out/run';
import { createLogger } from '../../../src/platform/log';
import { disconnectMongo } from '../../../src/platform/mongo/connect';
import { createProject } from '../../../src/records/projects/service';
import type { ProjectKeys } from '../../../src/records/projects/service';
import { processCore } from '../../../src/platform/temporal/connect';
import { WakeWatch } from '../../../src/platform/wake-ups';
import { WEBHOOK_TIMES, WebhookHost } from '../../../src/sending/webhooks/run';
import { createWorkers } from '../../../worker/create-workers';
import { allWell } from './app';
import { connectEmptied, testDatabase } from '../run/database';
import { forTheFile } from '../run/for-the-file';
import { testMongoUri, testWorkflowCode } from '../run/servers';
import { startTimeSkipping } from './time-skipping';
import { startSmtpServer } from '../servers/smtp-fault-server';
import type { SmtpFaultServer } from '../servers/smtp-fault-server';

/** The platform in one process, on a real MongoDB and mail server and on a Temporal whose time can be skipped. */
export interface SkippingPlatform {
  readonly core: Core;
  readonly url: string;
  readonly keys: ProjectKeys;
  readonly smtp: SmtpFaultServer;
  readonly env: TestWorkflowEnvironment;
  /** Asks the API as the first project, or with another key. The data of an answer is of any shape, as the tests of the API have it. */
  call(method: string, route: string, body?: unknown, key?: string): Promise<{ readonly status: number; readonly data: Response['body'] }>;
  stop(): Promise<void>;
}

async function startSkippingPlatform(
  more: Readonly<Record<string, string>> = {},
  consumers: readonly Consumer[] = [],
): Promise<SkippingPlatform> {
  const env = await startTimeSkipping();
  const smtp = await startSmtpServer();
  const config = loadServerConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    MONGODB_URI: testMongoUri(testDatabase()),
    TEMPORAL_ADDRESS: 'localhost:0',
    APP_SECRET: 'an application secret for tests only!',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    DEV_VERIFIED_DOMAINS: 'hello.test',
    API_RATE_PER_SECOND: '100000',
    API_RATE_BURST: '100000',
    ...more,
  });
  await connectEmptied(config.MONGODB_URI);
  const keys = await createProject('Default');
  const core = processCore(config, createLogger(config, 'test'), env.client);
  const delivery = new DeliveryHost(core, new WakeWatch(), { lease: LEASE_TIMES, pump: { ...PUMP_TIMES, lingerMs: 50 } });
  const fanOut = new FanOutHost(core, new WakeWatch(), consumers, { ...FAN_OUT_TIMES, lingerMs: 50 });
  const webhooks = new WebhookHost(core, new WakeWatch(), { ...WEBHOOK_TIMES, lingerMs: 50 });
  wakeFanOutThrough(core);
  await delivery.start();
  const workers = await createWorkers({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    queues: TASK_QUEUES,
    activities: createActivities({ core, delivery, fanOut, webhooks }),
    workflowCode: testWorkflowCode(),
  });
  const running = Promise.all(workers.map((worker: Worker) => worker.run()));
  const server = createServer(
    createApp({ core, health: () => Promise.resolve({ mongodb: 'up' as const, temporal: 'up' as const }), probe: allWell }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    core,
    url,
    call: (method, route, body, key = keys.secret) => call(method, url + route, body, key),
    keys,
    smtp,
    env,
    stop: () => stopAll(server, [delivery, fanOut, webhooks], workers, running, env, smtp),
  };
}

async function call(method: string, url: string, body: unknown, key: string): ReturnType<SkippingPlatform['call']> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, data: ((await response.json()) as { data: unknown }).data };
}

async function stopAll(
  server: Server,
  hosts: readonly { stop(): Promise<void> }[],
  workers: readonly Worker[],
  running: Promise<unknown>,
  env: TestWorkflowEnvironment,
  smtp: SmtpFaultServer,
): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  for (const worker of workers) worker.shutdown();
  await Promise.all(hosts.map((host) => host.stop()));
  await running;
  await env.teardown();
  await smtp.close();
  await disconnectMongo();
}

/** Such a platform for the tests of a file. Takes a function where settings depend on what else is started before the tests. */
export const aSkippingPlatform = (
  more: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) = {},
  consumers: readonly Consumer[] = [],
): SkippingPlatform =>
  forTheFile(
    () => startSkippingPlatform(typeof more === 'function' ? more() : more, consumers),
    (platform) => platform.stop(),
  );
