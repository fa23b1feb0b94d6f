import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';
import { DefaultLogger } from '@temporalio/worker';
import type { Logger } from '../src/platform/log';

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;

/** Said of each worker that runs no workflow code, which is how the task queues are meant to be. */
const EXPECTED = /^No (workflows|Nexus services) registered/;

/** Returns the SDK's own messages, in our log; its everyday news is debug to us. */
export const temporalLogger = (log: Logger): DefaultLogger =>
  new DefaultLogger('INFO', ({ level, message, meta }) => {
    log[EXPECTED.test(message) ? 'debug' : LEVELS[level]]({ ...meta }, message);
  });

/** The task queue of this process alone has a new name with each start, and would be a new series each time. */
const OWN_QUEUE = /\bdelivery\/wrk_\w+/g;

const LOOPBACK = '127.0.0.1';
const ANSWER_MS = 2_000;

interface TemporalMetrics {
  readonly metrics: MetricsExporterConfig;
  readonly read: () => Promise<string>;
}

/**
 * Resolves to the Temporal SDK's own metrics (polls, slots, cache, latencies), for the process's one scrape. The SDK can only serve them on
 * a port of its own, so it gets one on the loopback, chosen here, and its answer is appended to ours. A scrape omits them when it does not
 * answer.
 */
export async function temporalMetrics(): Promise<TemporalMetrics> {
  const address = `${LOOPBACK}:${await freePort()}`;
  const prometheus = { bindAddress: address, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  return { metrics: { prometheus }, read: () => textAt(`http://${address}/metrics`) };
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null);
  const text = response?.ok === true ? await response.text() : '';
  return text.replaceAll(OWN_QUEUE, 'delivery/own');
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
