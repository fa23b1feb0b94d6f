import { erasureProgressQuery } from '../../src/contracts/removals';
import type { ErasureProgress, ErasureBatchInput } from '../../src/contracts/removals';
import { aTimeSkippingServer, withActivities } from '../support/platform/time-skipping';

const env = aTimeSkippingServer({ orchestration: {} });

const INPUT = { erasureId: 'era_1', projectId: 'prj_1' };

const at = (status: ErasureProgress['status'], waitMs = 0, open = 0): ErasureProgress => ({ status, contacts: 1, erased: 7, open, waitMs });

/** Runs the workflow on turns of the test's own. Resolves to when each began, and to what is seen of it in the end. */
async function run(name: string, turn: (count: number) => ErasureProgress) {
  const turns: ErasureBatchInput[] = [];
  const eraseTurn = (input: ErasureBatchInput): Promise<ErasureProgress> => {
    turns.push(input);
    return new Promise((resolve) => resolve(turn(turns.length)));
  };
  return withActivities(env, { bulk: { eraseTurn } }, async () => {
    const first = await env.client.workflow.start('erasure', { workflowId: `erasure/${name}`, taskQueue: 'orchestration', args: [INPUT] });
    await first.result();
    const last = env.client.workflow.getHandle(`erasure/${name}`);
    const { runId, historyLength } = await last.describe();
    return { turns, progress: await last.query(erasureProgressQuery), runs: new Set([first.firstExecutionRunId, runId]), historyLength };
  });
}

test('an erasure takes turns until nothing is left, and waits as long as each says', async () => {
  const hour = 3_600_000;
  const { turns, progress } = await run(
    'waits',
    (count) => [at('running'), at('waiting', 30_000), at('waiting', hour, 1)][count - 1] ?? at('completed'),
  );
  expect(turns.map(({ erasureId, projectId }) => ({ erasureId, projectId }))).toEqual(Array(4).fill(INPUT));
  const [first = 0, second = 0, third = 0, fourth = 0] = turns.map(({ now }) => now);
  expect(second - first).toBeLessThan(30_000);
  expect(third - second).toBeGreaterThanOrEqual(30_000);
  expect(fourth - third).toBeGreaterThanOrEqual(hour);
  expect(progress).toEqual(at('completed'));
});

test('a turn that fails is taken again', async () => {
  const { turns, progress } = await run('fails', (count) => {
    if (count < 4) throw new Error('The database cannot be reached');
    return at('completed');
  });
  expect([turns.length, progress]).toEqual([4, at('completed')]);
});

test('mail that is long on its way keeps its history short', async () => {
  const { turns, runs, historyLength } = await run('long', (count) => (count < 300 ? at('waiting', 60_000, 1) : at('completed')));
  expect(turns).toHaveLength(300);
  expect(runs.size).toBe(2);
  expect(historyLength).toBeLessThan(1_500);
});
