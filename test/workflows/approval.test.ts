import { approvalWorkflowId, decidedSignal } from '../../src/contracts/approval';
import type { ApprovalOutlook, ApprovalState, ApprovalCheckInput } from '../../src/contracts/approval';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Found = ApprovalOutlook | Error;
const pending = (waitMs: number): ApprovalOutlook => ({ state: 'pending', waitMs });
const over = (state: ApprovalState): ApprovalOutlook => ({ state, waitMs: null });

/** What the next turns of each approval find. */
const script = new Map<string, Found[]>();
/** When each turn was made, in milliseconds of the workflow's time. */
const turns = new Map<string, number[]>();

function approvalTurn({ approvalId, now }: ApprovalCheckInput): Promise<ApprovalOutlook> {
  turns.get(approvalId)?.push(now);
  const found = script.get(approvalId)?.shift() ?? over('expired');
  return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
}

const env = aTimeSkippingServer({ orchestration: { approvalTurn } });

function start(approvalId: string, ...found: readonly Found[]) {
  script.set(approvalId, [...found]);
  turns.set(approvalId, []);
  return env.client.workflow.start('approval', {
    workflowId: approvalWorkflowId(approvalId),
    taskQueue: 'orchestration',
    args: [{ approvalId, projectId: 'prj_1' }],
  });
}

/** The waits between turns, in whole hours. */
function waits(approvalId: string): number[] {
  const at = turns.get(approvalId) ?? [];
  return at.slice(1).map((ms, index) => Math.round((ms - (at[index] ?? 0)) / HOUR));
}

test('an approval that nobody decides ends when its time is over', async () => {
  await (await start('apr_1', pending(DAY), over('expired'))).result();
  expect(waits('apr_1')).toEqual([24]);
});

test.each(['executed', 'rejected'] as const)('one that is decided is looked at at once, and ends as %s', async (state) => {
  const handle = await start(`apr_${state}`, pending(DAY), over(state));
  await env.sleep(HOUR);
  await handle.signal(decidedSignal);
  await handle.result();
  expect(waits(`apr_${state}`)).toEqual([1]);
});

test('two decisions end it once', async () => {
  const handle = await start('apr_2', pending(DAY), over('executed'));
  await env.sleep(HOUR);
  await handle.signal(decidedSignal);
  await handle.signal(decidedSignal).catch(() => undefined);
  await handle.result();
  expect(turns.get('apr_2')?.length).toBeLessThanOrEqual(3);
});

test('what cannot be carried out yet is tried again', async () => {
  const away = new Error('The database is away');
  const handle = await start('apr_3', pending(DAY), away, away, over('executed'));
  await env.sleep(HOUR);
  await handle.signal(decidedSignal);
  await handle.result();
  expect(turns.get('apr_3')).toHaveLength(4);
});

test('the details say where it stands and until when', async () => {
  const handle = await start('apr_4', pending(DAY), over('expired'));
  await env.sleep(HOUR);
  const details = await handle.query<string>('__temporal_workflow_metadata');
  const end = new Date((turns.get('apr_4')?.[0] ?? 0) + DAY).toISOString().slice(0, 16);
  expect(JSON.stringify(details)).toContain(`pending until ${end}`);
  await handle.result();
});
