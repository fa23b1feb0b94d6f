import type { RetentionProgress, RetentionBatchInput } from '../../src/contracts/removals';
import { aTimeSkippingServer, withActivities } from '../support/platform/time-skipping';

const env = aTimeSkippingServer({ orchestration: {} });

/** Runs the workflow on turns of the test's own, some days from now. */
async function run(name: string, days: number, turn: (count: number) => RetentionProgress) {
  const turns: RetentionBatchInput[] = [];
  const retentionTurn = (input: RetentionBatchInput): Promise<RetentionProgress> => {
    turns.push(input);
    return new Promise((resolve) => resolve(turn(turns.length)));
  };
  return withActivities(env, { bulk: { retentionTurn } }, async () => {
    await env.sleep(`${days} days`);
    const at = await env.currentTimeMs();
    const first = await env.client.workflow.start('retention', { workflowId: name, taskQueue: 'orchestration', args: [] });
    const outcome = await first.result().then(
      () => 'done',
      () => 'failed',
    );
    const { runId, historyLength } = await env.client.workflow.getHandle(name).describe();
    return { turns, at, outcome, isContinued: runId !== first.firstExecutionRunId, historyLength };
  });
}

const goesOn = (after: string | null): RetentionProgress => ({ counts: { emails: 2 }, next: { after } });
const OVER: RetentionProgress = { counts: {} };

test('retention takes turns until nothing is left, each from where the last stopped, by the time it is then', async () => {
  const began = await env.currentTimeMs();
  const { turns, at, outcome } = await run('turns', 400, (count) => [goesOn(null), goesOn('prj_1'), goesOn('prj_2')][count - 1] ?? OVER);
  expect(outcome).toBe('done');
  expect(turns.map(({ after }) => after)).toEqual([null, null, 'prj_1', 'prj_2']);
  expect(at - began).toBeGreaterThanOrEqual(400 * 86_400_000);
  expect(turns[0]?.now).toBeGreaterThanOrEqual(at);
});

test('a turn that fails is taken again; a run that fails leaves the rest to the next one', async () => {
  const mended = await run('mended', 0, (count) => {
    if (count < 4) throw new Error('The database cannot be reached');
    return OVER;
  });
  expect([mended.turns.length, mended.outcome]).toEqual([4, 'done']);
  const failed = await run('failed', 0, () => {
    throw new Error('The database cannot be reached');
  });
  expect([failed.turns.length, failed.outcome]).toEqual([5, 'failed']);
});

test('a first run over years of mail keeps its history short', async () => {
  const { turns, isContinued, historyLength } = await run('long', 0, (count) => (count < 300 ? goesOn(`prj_${count}`) : OVER));
  expect(turns.at(-1)?.after).toBe('prj_299');
  expect([turns.length, isContinued]).toEqual([300, true]);
  expect(historyLength).toBeLessThan(1_500);
});
