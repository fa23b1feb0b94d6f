import type { WorkflowHandle } from '@temporalio/client';
import { SWEEP_FEW, SWEEP_SHARES } from '../../src/contracts/automation';
import { anOrchestrator } from '../support/platform/time-skipping';

const SECOND = 1_000;
const NAMES = [
  'Outbox',
  'Delivery',
  'Reputation',
  'Contacts',
  'FanOut',
  'EventCounts',
  'Executions',
  'Domains',
  'Webhooks',
  'Subscriptions',
];

let calls: string[];
let fail: (name: string) => boolean;
let found: number;

const activity = (name: string) => (): Promise<number> => {
  calls.push(name);
  return fail(name) ? Promise.reject(new Error('away')) : Promise.resolve(found);
};
const shareOf = ({ share }: { readonly share: string }): Promise<number> => activity(share)();

const env = anOrchestrator(() => {
  const sweeps = Object.fromEntries(NAMES.map((name) => [`sweep${name}`, activity(name)]));
  return Promise.resolve({ activities: { ...sweeps, sweepExecutionShare: shareOf, foldSegmentCounts: activity('fold') } as never });
});
beforeEach(() => {
  calls = [];
  fail = () => false;
  found = 0;
});

const start = (workflow: string, ...args: unknown[]): Promise<WorkflowHandle> =>
  env.client.workflow.start(workflow, { workflowId: `${workflow}-${Math.random()}`, taskQueue: 'orchestration', args });

/** The waits of a run: how long each timer was, in seconds. */
async function waitsOf(handle: WorkflowHandle): Promise<number[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds ?? 0) + Number(timer.startToFireTimeout?.nanos ?? 0) / 1e9] : [],
  );
}

test('one run sweeps in rounds, each so long after the beginning of the one before', async () => {
  const handle = await start('sweep', { rounds: 3, everyMs: 10 * SECOND });
  await handle.result();
  expect(calls.toSorted()).toEqual(NAMES.flatMap((name) => [name, name, name]).toSorted());
  const waits = await waitsOf(handle);
  expect(waits).toHaveLength(2);
  for (const wait of waits) expect(wait > 0 && wait <= 10).toBe(true);
});

test('a run that is not told how many rounds makes one', async () => {
  const handle = await start('sweep');
  await handle.result();
  expect(calls.toSorted()).toEqual(NAMES.toSorted());
  expect(await waitsOf(handle)).toEqual([]);
});

test('many executions to be started are shared by workers, and the share of one that is lost is done by another', async () => {
  found = SWEEP_FEW;
  const [lost] = SWEEP_SHARES;
  fail = (name) => name === lost && calls.filter((call) => call === lost).length === 1;
  const handle = await start('sweep');
  await handle.result();
  expect(calls.toSorted()).toEqual([...NAMES, ...SWEEP_SHARES, lost].toSorted());
});

test('a round that fails ends the run: its schedule begins the next', async () => {
  fail = () => calls.length > 3;
  const handle = await start('segmentCounts', { rounds: 30, everyMs: 20 * SECOND });
  await expect(handle.result()).rejects.toThrow('Workflow execution failed');
  expect(calls).toHaveLength(5);
});
