import type { Server } from 'node:http';
import net from 'node:net';
import { setImmediate as nextIteration, setTimeout as wait } from 'node:timers/promises';

/** Requests sent before the stop signal may still be on their way. */
const ARRIVING_MS = 200;
const DRAIN_MS = 17_000;
const IDLE_CHECK_MS = 100;

/** Resolves when every connection that had reached this machine is taken: one that is made now comes after them. */
async function connectionsTaken(server: Server): Promise<void> {
  const listening = server.address();
  if (listening === null || typeof listening === 'string') return;
  const last = net.connect(listening.port, listening.address);
  await new Promise<void>((resolve) => {
    server.on('connection', (taken) => taken.remotePort === last.localPort && resolve());
    last.on('error', () => resolve());
  });
  last.destroy();
}

async function closed(server: Server): Promise<void> {
  await wait(ARRIVING_MS);
  await connectionsTaken(server);
  // What they brought is read in the iteration after the one in which they were taken.
  await nextIteration();
  await nextIteration();
  const closing = new Promise<void>((resolve) => server.close(() => resolve()));
  const closingIdle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  await closing;
  clearInterval(closingIdle);
}

/**
 * Ends when every request that was begun has its answer, or after 17 seconds. Connections that wait for a next request are closed, but not before what has
 * reached this machine already is read: to Node, its connection is idle, or not there yet.
 */
export async function drain(server: Server): Promise<void> {
  await Promise.race([closed(server), wait(DRAIN_MS, undefined, { ref: false })]);
  server.closeAllConnections();
}
