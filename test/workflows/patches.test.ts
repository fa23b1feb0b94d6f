import type { WorkflowHandle } from '@temporalio/client';
import { Worker, bundleWorkflowCode } from '@temporalio/worker';
import { patchGate } from '../../worker/patches';
import { createWorkers } from '../../worker/create-workers';
import { aFolder, fileIn } from '../support/run/folder';
import { startTimeSkipping } from '../support/platform/time-skipping';
import type { TestWorkflowEnvironment } from '@temporalio/testing';

const PATCH = 'changing.new-way';

let env: TestWorkflowEnvironment;
let codePath: string;
let worker: Worker;
let running: Promise<void>;
let oldest = 1;
const folder = aFolder();

beforeAll(async () => {
  env = await startTimeSkipping();
  const { code } = await bundleWorkflowCode({ workflowsPath: require.resolve('../support/platform/patched-workflow') });
  codePath = fileIn(folder, 'workflows.js', code);
  [worker] = (await createWorkers({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    queues: ['orchestration'],
    workflowCode: { codePath },
    activities: {} as never,
    patches: patchGate(() => oldest, { [PATCH]: 2 }),
  })) as [Worker];
  running = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await running;
  await env?.teardown();
});

async function run(): Promise<{ readonly way: string; readonly handle: WorkflowHandle }> {
  const handle = await env.client.workflow.start('changing', { workflowId: `changing-${oldest}`, taskQueue: 'orchestration' });
  return { way: (await handle.result()) as string, handle };
}

test('a patch that workers of the previous release do not know is left out, and leaves no mark; both kinds of workflow replay', async () => {
  const before = await run();
  oldest = 2;
  const after = await run();
  expect([before.way, after.way]).toEqual(['old', 'new']);
  const histories = await Promise.all([before, after].map(({ handle }) => handle.fetchHistory()));
  const marked = histories.map(({ events }) => (events ?? []).some(({ markerRecordedEventAttributes: mark }) => mark));
  expect(marked).toEqual([false, true]);
  for (const history of histories)
    await expect(Worker.runReplayHistory({ workflowBundle: { codePath } }, history)).resolves.toBeUndefined();
});
