import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { edge, node } from '../test/support/calls/automations';
import { insertPeople } from '../test/support/data/people';
import { checkAllExecutionsNow } from '../src/marketing/automations';
import { newId } from '../src/platform/core';
import { optionsOf, wholeNumber } from './support/options';
import { BenchPlatform } from './support/platform';
import { cpuSeconds, memoryOf } from './support/processes';
import { printTable } from './support/table';

const EXECUTIONS = 1_000_000;
/** The number of these that wait for less than an hour. */
const SOON = 3_000;
const BATCH = 2_000;
const LOOK_EVERY_MS = 250;
const PARTS = ['workers', 'mongod', 'Temporal'] as const;
const [HALF_HOUR_MS, MONTH_MS] = [1_800_000, 30 * 86_400_000];

const GRAPH = {
  nodes: [node('start', 'trigger'), node('pause', 'delay', { amount: 30, unit: 'days' }), node('end', 'exit', { reason: 'done' })],
  edges: [edge('start', 'pause'), edge('pause', 'end')],
};

interface Waiting {
  readonly _id: string;
  readonly state: object;
}

const executions = () => mongoose.connection.collection<Waiting>('automation_executions');

/** Enrolls one contact, and resolves to its execution when that waits. */
async function oneThatWaits(platform: BenchPlatform): Promise<Waiting> {
  await insertPeople(platform.ground.keys.projectId, 1);
  const { workflowId } = await platform.call('POST', '/v1/workflows', { name: 'Waits', trigger: 'event:begin', graph: GRAPH });
  await platform.call('PATCH', `/v1/workflows/${String(workflowId)}`, { status: 'active' });
  const worker = await platform.worker();
  try {
    await platform.call('POST', '/v1/events', { name: 'begin', email: 'user-0@example.com' });
    for (;;) {
      const row = await executions().findOne({ automationId: workflowId, 'state.phase': 'sleeping', runId: { $type: 'string' } });
      if (row) return row;
      worker.refuseIfEnded();
      await sleep(LOOK_EVERY_MS);
    }
  } finally {
    await worker.stop();
  }
}

/** Stores executions that wait for a time, and that Temporal has never heard of. */
async function storeLost(like: Waiting, count: number, waitMs: number): Promise<void> {
  const [until, checkAt] = [new Date(Date.now() + waitMs), new Date(Date.now() + waitMs + 60_000)];
  const state = { ...like.state, until: until.toISOString() };
  for (let n = 0; n < count; n += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - n) }, () => ({ ...like, _id: newId('exe'), state, checkAt }));
    await executions().insertMany(rows);
  }
}

/**
 * Measures how fast executions that wait are marked after Temporal has lost its store, and how fast those that wait for less than an hour are started again.
 * `--executions` says how many wait for a month, `--soon` how many for half an hour, and `--workers` how many workers share them.
 */
export async function run(args: readonly string[]): Promise<void> {
  const given = optionsOf(args, { executions: { type: 'string' }, soon: { type: 'string' }, workers: { type: 'string' } });
  const count = wholeNumber('--executions', given.executions, EXECUTIONS, 2_000_000);
  const soon = wholeNumber('--soon', given.soon, SOON, 1_000_000);
  const workers = wholeNumber('--workers', given.workers, 1, 16);
  const platform = await BenchPlatform.start();
  try {
    const like = await oneThatWaits(platform);
    await storeLost(like, count, MONTH_MS);
    await storeLost(like, soon, HALF_HOUR_MS);
    const { mongod, temporal } = platform.ground;
    const marking = performance.now();
    await checkAllExecutionsNow(new Date());
    const marked = (performance.now() - marking) / 1_000;
    const pool = await Promise.all(Array.from({ length: workers }, () => platform.worker()));
    try {
      const cpu = () => [pool.reduce((sum, worker) => sum + worker.cpuSeconds(), 0), cpuSeconds(mongod.pid), cpuSeconds(temporal.pid)];
      const [before, began] = [cpu(), performance.now()];
      while ((await executions().findOne({ checkAt: { $lte: new Date() } }, { projection: { _id: 1 } })) !== null) {
        for (const worker of pool) worker.refuseIfEnded();
        await sleep(LOOK_EVERY_MS);
      }
      const seconds = (performance.now() - began) / 1_000;
      const shares = cpu().map((after, part) => (((after - (before[part] ?? 0)) * 100) / seconds).toFixed(0));
      const peaks = [pool[0]?.pid ?? 0, mongod.pid, temporal.pid].map((pid) => String(memoryOf(pid).peak));
      printTable(
        `${count} executions wait for a month and ${soon} for half an hour, Temporal has lost them, and workers: ${workers}`,
        ['marked in s', 'started in s', 'started/s', ...PARTS.map((part) => `${part} %`), ...PARTS.map((part) => `${part} peak MiB`)],
        [[marked.toFixed(1), seconds.toFixed(0), (soon / seconds).toFixed(0), ...shares, ...peaks]],
      );
    } finally {
      await Promise.all(pool.map((worker) => worker.stop()));
    }
  } finally {
    await platform.stop();
  }
}
