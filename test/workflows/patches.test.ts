import type { WorkflowHandle } from '@temporalio/client';
import { Worker, bundleWorkflowCode } from '@temporalio/worker';
import { patchGate } from '../../worker/patches';
import { aFolder, fileIn } from '../support/run/folder';
import { replaysRecordNoStacks } from '../support/run/replay-hooks';
import { anOrchestrator } from '../support/platform/time-skipping';

const PATCH = 'changing.new-way';

let codePath: string;
let oldest = 1;
const folder = aFolder();
replaysRecordNoStacks();

const env = anOrchestrator(async () => {
  const { code } = await bundleWorkflowCode({ workflowsPath: require.resolve('../support/platform/patched-workflow') });
  codePath = fileIn(folder, 'workflows.js', code);
  return { workflowCode: { codePath }, activities: {} as never, patches: patchGate(() => oldest, { [PATCH]: 2 }) };
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
