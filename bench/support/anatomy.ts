import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import mongoose from 'mongoose';
import { automationRunId } from '../../src/contracts/automation';
import { edge, node, send } from '../../test/support/calls/automations';
import type { BenchPlatform } from './platform';
import { printTable } from './table';

/** Executions at once, so that they share work as in normal operation. */
const AT_ONCE = 50;
const IDLE_MS = 10_000;

const SUBSCRIBED = { logic: 'and', groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] };

const GRAPH = {
  nodes: [
    node('start', 'trigger'),
    node('asks', 'condition', { conditions: SUBSCRIBED }),
    send('first'),
    node('pause', 'delay', { amount: 1, unit: 'seconds' }),
    send('second'),
  ],
  edges: [edge('start', 'asks'), edge('asks', 'first', 'yes'), edge('first', 'pause'), edge('pause', 'second')],
};

const executions = () => mongoose.connection.collection('automation_executions');

/** Reads how many commands mongod has run. */
async function commands(): Promise<number> {
  const status = (await mongoose.connection.db?.admin().serverStatus()) ?? {};
  const { commands: all } = status['metrics'] as { readonly commands: Readonly<Record<string, { readonly total?: number | bigint }>> };
  return Object.entries(all).reduce((sum, [name, { total = 0 }]) => sum + (name === 'serverStatus' ? 0 : Number(total)), 0);
}

/** Counts the commands in an idle second. */
async function commandsOfNothing(): Promise<number> {
  const before = await commands();
  await sleep(IDLE_MS);
  return ((await commands()) - before) / (IDLE_MS / 1_000);
}

/** Prints what an execution of event → condition → send → delay → send consists of. */
export async function printAnatomy(platform: BenchPlatform): Promise<void> {
  const { workflowId } = await platform.call('POST', '/v1/workflows', { name: 'Sends', trigger: 'event:step', graph: GRAPH });
  await platform.call('PATCH', `/v1/workflows/${String(workflowId)}`, { status: 'active' });
  const idle = await commandsOfNothing();
  const [before, began] = [await commands(), performance.now()];
  const all = Array.from({ length: AT_ONCE }, (_, n) => ({ name: 'step', email: `user-${n}@example.com` }));
  await Promise.all(all.map((event) => platform.call('POST', '/v1/events', event)));
  const over = { automationId: workflowId, finishedAt: { $type: 'date' } };
  while ((await executions().countDocuments(over)) < AT_ONCE) await sleep(500);
  const seconds = (performance.now() - began) / 1_000;
  const used = ((await commands()) - before - idle * seconds - seconds * 2) / AT_ONCE;
  const row = await executions().findOne(over);
  printTable(
    `one execution of event → condition → send → delay → send, of ${AT_ONCE} at once`,
    ['history events', 'workflow tasks', 'activities', 'MongoDB commands'],
    [[...(await historyOf(platform, String(row?._id))), used.toFixed(1)]],
  );
}

async function historyOf(platform: BenchPlatform, executionId: string): Promise<readonly number[]> {
  const connection = await Connection.connect({ address: platform.ground.env['TEMPORAL_ADDRESS'] ?? '' });
  try {
    const { events } = await new Client({ connection }).workflow.getHandle(automationRunId(executionId)).fetchHistory();
    const count = (name: 'workflowTaskCompletedEventAttributes' | 'activityTaskScheduledEventAttributes'): number =>
      events?.filter((event) => event[name]).length ?? 0;
    return [events?.length ?? 0, count('workflowTaskCompletedEventAttributes'), count('activityTaskScheduledEventAttributes')];
  } finally {
    await connection.close();
  }
}
