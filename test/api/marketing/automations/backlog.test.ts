import { SWEEP_FEW, SWEEP_SHARES } from '../../../../src/contracts/automation';
import type { StartIntent } from '../../../../src/contracts/processes';
import { checkAllExecutionsNow, sweepExecutionShare, sweepExecutions } from '../../../../src/marketing/automations/upkeep';
import { newId } from '../../../../src/platform/core/ids';
import { chain, hour, started } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';
import { aProject } from '../../../support/platform/app';

const app = aProject();
const start = (): jest.Mock => app.processes.start;

/** Stores executions that wait for an hour and whose workflows Temporal has lost. Resolves to their ids. */
async function lost(count: number, projectId = app.keys.projectId): Promise<readonly string[]> {
  const { executionId } = await started(app, chain(hour));
  const like = await stored.executions.get(executionId);
  const rows = Array.from({ length: count }, () => ({ ...like, _id: newId('exe'), projectId }));
  await stored.executions.remove(executionId);
  await stored.executions.collection.insertMany(rows);
  return rows.map(({ _id }) => _id);
}

const begun = (): string[] => start().mock.calls.map(([{ input }]: [StartIntent]) => (input as { executionId: string }).executionId);
const sweepShares = (now: Date): Promise<readonly number[]> =>
  Promise.all(SWEEP_SHARES.map((share) => sweepExecutionShare(app.core, now, share)));

beforeEach(async () => {
  await stored.executions.remove();
  start().mockReset().mockResolvedValue(undefined);
});

test('a backlog is left to its shares, which start each execution once between them', async () => {
  const ids = await lost(SWEEP_FEW);
  const now = new Date();
  await checkAllExecutionsNow(now);
  start().mockClear();
  expect(await sweepExecutions(app.core, now)).toBe(SWEEP_FEW);
  expect(begun()).toEqual([]);
  const counts = await sweepShares(now);
  expect(begun().toSorted()).toEqual(ids.toSorted());
  for (const count of counts) expect(count).toBeGreaterThan(SWEEP_FEW / 10);
  expect(await sweepShares(now)).toEqual(SWEEP_SHARES.map(() => 0));
});

test('an execution that cannot be started holds back no other, and is tried again a minute later', async () => {
  const ids = await lost(100);
  const now = new Date();
  await checkAllExecutionsNow(now);
  start().mockReset().mockRejectedValueOnce(new Error('away')).mockResolvedValue(undefined);
  const swept = await Promise.allSettled(SWEEP_SHARES.map((share) => sweepExecutionShare(app.core, now, share)));
  expect(swept.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(begun().toSorted()).toEqual(ids.toSorted());
  const [failed] = begun();
  start().mockClear();
  await sweepShares(now);
  expect(begun()).toEqual([]);
  await sweepShares(new Date(now.getTime() + 60_000));
  expect(begun()).toEqual([failed]);
});

test('a project with few executions does not wait for one with many', async () => {
  await lost(60);
  const few = await lost(3, app.otherKeys.projectId);
  const now = new Date();
  await checkAllExecutionsNow(now);
  start().mockClear();
  await sweepExecutions(app.core, now);
  expect(begun().slice(0, 6)).toEqual(expect.arrayContaining([...few]));
});
