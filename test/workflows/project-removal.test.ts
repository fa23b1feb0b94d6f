import { Client, Connection } from '@temporalio/client';
import { projectRemovalProgressQuery } from '../../src/contracts/removals';
import type { ProjectRemovalProgress, ProjectRemovalBatchInput } from '../../src/contracts/removals';
import { createProcesses } from '../../src/platform/temporal/processes';
import { ensureSearchAttributes, searchAttributesOf } from '../../src/platform/temporal/search-attributes';
import { createNamespace, testTemporalAddress } from '../support/run/servers';
import { aTimeSkippingServer, withActivities } from '../support/platform/time-skipping';

const env = aTimeSkippingServer({ orchestration: {} });

const at = (status: ProjectRemovalProgress['status'], waitMs = 0): ProjectRemovalProgress => ({
  status,
  step: 'emails',
  removed: 7,
  waitMs,
});

/** Runs the workflow on turns of the test's own. Resolves to when each began, and to what is seen of it in the end. */
async function run(name: string, turn: (count: number) => ProjectRemovalProgress) {
  const turns: ProjectRemovalBatchInput[] = [];
  const removeProjectTurn = (input: ProjectRemovalBatchInput): Promise<ProjectRemovalProgress> => {
    turns.push(input);
    return new Promise((resolve) => resolve(turn(turns.length)));
  };
  return withActivities(env, { bulk: { removeProjectTurn } }, async () => {
    const started = { workflowId: `project-removal/${name}`, taskQueue: 'orchestration', args: [{ projectId: 'prj_1' }] };
    const handle = await env.client.workflow.start('projectRemoval', started);
    await handle.result();
    return { turns, progress: await handle.query(projectRemovalProgressQuery) };
  });
}

test('a project removal takes turns until nothing is left, also after one that failed, and waits as each says', async () => {
  const { turns, progress } = await run('waits', (count) => {
    if (count === 2) throw new Error('The database cannot be reached');
    return [at('running'), at('running'), at('waiting', 60_000)][count - 1] ?? at('completed');
  });
  expect(turns.map(({ projectId }) => projectId)).toEqual(Array(4).fill('prj_1'));
  const [, , third = 0, fourth = 0] = turns.map(({ now }) => now);
  expect(fourth - third).toBeGreaterThanOrEqual(60_000);
  expect(progress).toEqual(at('completed'));
});

test('all workflows of a project are ended, and workflows of its neighbour run on', async () => {
  const namespace = `removal_${process.pid}_${Date.now()}`;
  await createNamespace(namespace);
  const connection = await Connection.connect({ address: testTemporalAddress() });
  const client = new Client({ connection, namespace });
  await ensureSearchAttributes(client, namespace);
  const start = (workflow: string, workflowId: string, projectId: string) =>
    client.workflow.start(workflow, {
      workflowId,
      taskQueue: 'nobody',
      args: [{}],
      typedSearchAttributes: searchAttributesOf({ projectId }),
    });
  await start('automationRun', 'automation/1', 'prj_doomed');
  await start('campaignSend', 'campaign/1', 'prj_doomed');
  await start('projectRemoval', 'project-removal/prj_doomed', 'prj_doomed');
  await start('campaignRemoval', 'campaign-removal/1', 'prj_doomed');
  await start('automationRun', 'automation/2', 'prj_neighbour');
  const { endAllOf } = createProcesses(client);
  const statusOf = async (id: string) => (await client.workflow.getHandle(id).describe()).status.name;
  for (let tries = 0; (await statusOf('campaign/1')) === 'RUNNING' || (await statusOf('automation/1')) === 'RUNNING'; tries++) {
    if (tries > 100) throw new Error('They are not found');
    await endAllOf('prj_doomed');
  }
  expect(await Promise.all(['automation/1', 'campaign/1'].map(statusOf))).toEqual(['TERMINATED', 'TERMINATED']);
  expect(await Promise.all(['project-removal/prj_doomed', 'campaign-removal/1', 'automation/2'].map(statusOf))).toEqual(
    Array(3).fill('RUNNING'),
  );
  await expect(endAllOf("prj' OR 1=1")).rejects.toThrow('Not the id');
  await connection.close();
});
