import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import { NativeConnection, Worker } from '@temporalio/worker';
import { TASK_QUEUES } from '../../src/contracts/task-queues';
import { ensureSearchAttributes } from '../../src/platform/temporal/search-attributes';
import { runsWorkflows } from '../../worker/create-workers';
import { workflowCode } from '../../worker/workflow-code';
import { startTimeSkipping } from '../support/platform/time-skipping';
import { startTemporal } from '../support/run/servers';
import { Recording } from './recording';
import type { Place } from './recording';
import { SCENARIOS } from './scenarios';
import type { Scenario } from './scenarios';

const HISTORIES = path.join(__dirname, 'histories');
/** Events after which the server suggests to continue as new. */
const SUGGESTS_AFTER = 20;

const fileOf = ({ name }: Scenario): string => path.join(HISTORIES, `${name}.json`);

/** Starts a worker for each queue, all on the activities of the scenario that is being recorded. */
async function withWorkers(connection: NativeConnection, activities: object, work: () => Promise<void>): Promise<void> {
  const code = await workflowCode();
  const workers = await Promise.all(
    TASK_QUEUES.map((taskQueue) =>
      Worker.create({ connection, taskQueue, activities, ...(runsWorkflows(taskQueue) && { workflowBundle: code }) }),
    ),
  );
  const running = Promise.all(workers.map((worker) => worker.run()));
  try {
    await work();
  } finally {
    for (const worker of workers) worker.shutdown();
    await running;
  }
}

async function recordAll(scenarios: readonly Scenario[], place: Place, connection: NativeConnection): Promise<void> {
  const recording = new Recording(place);
  await withWorkers(connection, recording.activities, async () => {
    for (const scenario of scenarios) {
      const history = await recording.of(scenario);
      writeFileSync(fileOf(scenario), written(historyToJSON(history)));
      process.stdout.write(`${scenario.name}: ${history.events?.length ?? 0} events\n`);
    }
  });
}

const NOT_FOR_REPLAYS = new Set(['identity', 'stackTrace', 'workerVersion']);

/** Writes a history with an event in each line, and without what names the machine. */
function written(json: string): string {
  const anywhere = json.replaceAll(`${process.pid}@${os.hostname()}`, 'worker');
  const { events } = JSON.parse(anywhere, (name, value: unknown) => (NOT_FOR_REPLAYS.has(name) ? undefined : value)) as {
    events: unknown[];
  };
  return `{"events":[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]}\n`;
}

async function onSkippedTime(scenarios: readonly Scenario[]): Promise<void> {
  if (scenarios.length === 0) return;
  const env = await startTimeSkipping();
  try {
    await recordAll(scenarios, { client: env.client, now: () => env.currentTimeMs(), pass: (ms) => env.sleep(ms) }, env.nativeConnection);
  } finally {
    await env.teardown();
  }
}

async function onSuggestions(scenarios: readonly Scenario[]): Promise<void> {
  if (scenarios.length === 0) return;
  const dir = mkdtempSync(path.join(os.tmpdir(), 'histories-'));
  const server = await startTemporal({ dir, suggestsAfter: SUGGESTS_AFTER });
  const address = `127.0.0.1:${server.port}`;
  const [connection, native] = await Promise.all([Connection.connect({ address }), NativeConnection.connect({ address })]);
  try {
    const client = new Client({ connection });
    await ensureSearchAttributes(client, 'default');
    await recordAll(scenarios, { client, now: () => Promise.resolve(Date.now()), pass: null }, native);
  } finally {
    await Promise.all([connection.close(), native.close()]);
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** `npm run histories [-- name ...]`: records the scenarios that have no history, or those that are named (CONTRIBUTING.md, Change a workflow). */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new Error(`There is no scenario called ${unknown.join(', ')}`);
  const wanted = SCENARIOS.filter((scenario) => (names.length > 0 ? names.includes(scenario.name) : !existsSync(fileOf(scenario))));
  await onSkippedTime(wanted.filter(({ isContinued }) => !isContinued));
  await onSuggestions(wanted.filter(({ isContinued }) => isContinued));
}

main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exit(1);
  },
);
