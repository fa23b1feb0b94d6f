import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { wakeSignal, webhookRetriesQuery, webhookRetryId } from '../../src/contracts/webhook';
import type { RetryCheckInput, RetryOutlook } from '../../src/contracts/webhook';
import { dueOf } from '../support/checks/due';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const SECOND = 1_000;
const HOUR = 3_600_000;

/** What the next look at each endpoint finds. */
const script = new Map<string, (RetryOutlook | null)[]>();
/** When each was looked at, in milliseconds of the workflow's time. */
const looks = new Map<string, number[]>();
let duringLook: (webhookId: string) => Promise<void>;

async function lookAtWebhookRetries({ webhookId, now }: RetryCheckInput): Promise<RetryOutlook | null> {
  looks.get(webhookId)?.push(now);
  await duringLook(webhookId);
  return script.get(webhookId)?.shift() ?? null;
}

const env = aTimeSkippingServer({ pumps: { lookAtWebhookRetries } });
beforeEach(() => {
  duringLook = () => Promise.resolve();
});

const after = (waitMs: number, deliveries = 1): RetryOutlook => ({
  waiting: { deliveries, isMore: false, since: '2026-11-23T09:00:00.000Z', lastError: 'HTTP 500', nextAttemptAt: null },
  waitMs,
});

function start(webhookId: string, ...found: readonly (RetryOutlook | null)[]): Promise<WorkflowHandleWithFirstExecutionRunId> {
  script.set(webhookId, [...found]);
  looks.set(webhookId, []);
  return env.client.workflow.start('webhookRetry', {
    workflowId: webhookRetryId(webhookId),
    taskQueue: 'pumps',
    args: [{ webhookId, projectId: 'prj_1' }],
  });
}

/** How many seconds later than it was to be each look came; a busy machine adds some. */
const lateness = (webhookId: string, seconds: readonly number[]): number[] => {
  const at = looks.get(webhookId) ?? [];
  return at.slice(1).map((ms, index) => Math.floor((ms - (at[index] ?? 0)) / SECOND - (seconds[index] ?? Number.NaN)));
};
const isInTime = (late: readonly number[]): boolean => late.every((by) => by >= 0 && by < 20);

test('a retry looks when the next attempt is due, and ends when nothing waits any more', async () => {
  await (await start('whk_rhythm', after(5 * SECOND), after(60 * SECOND), after(8 * HOUR))).result();
  const late = lateness('whk_rhythm', [5, 60, 8 * 3_600]);
  expect(late).toHaveLength(3);
  expect(isInTime(late) || late).toBe(true);
});

test('a retry is found by when the next attempt is due', async () => {
  const handle = await start('whk_due', after(5 * SECOND), after(HOUR));
  await handle.result();
  expect(Math.abs(((await dueOf(handle)) ?? 0) - (looks.get('whk_due')?.at(-1) ?? 0))).toBeLessThan(20 * SECOND);
});

test('a retry says how many deliveries wait, since when, why, and until when', async () => {
  const nextAttemptAt = '2026-11-23T17:00:00.000Z';
  const handle = await start('whk_shown', { ...after(HOUR), waiting: { ...after(HOUR).waiting, deliveries: 3, nextAttemptAt } });
  await env.sleep(SECOND);
  expect(await handle.query(webhookRetriesQuery)).toMatchObject({ deliveries: 3, lastError: 'HTTP 500', nextAttemptAt });
  expect(await handle.query<{ currentDetails: string }, []>('__temporal_workflow_metadata')).toMatchObject({
    currentDetails:
      '3 deliveries wait for another attempt; the oldest was made 2026-11-23T09:00:00.000Z; last error: HTTP 500; next attempt: 2026-11-23T17:00:00.000Z',
  });
  await handle.result();
});

test('a retry looks at once when something fails meanwhile', async () => {
  const handle = await start('whk_woken', after(8 * HOUR), after(5 * SECOND, 2));
  await env.sleep(60 * SECOND);
  await handle.signal(wakeSignal);
  await handle.result();
  const late = lateness('whk_woken', [60, 5]);
  expect(late).toHaveLength(2);
  expect(isInTime(late) || late).toBe(true);
});

test('a retry does not end over what fails while nothing is found', async () => {
  duringLook = async (id) => {
    if (looks.get(id)?.length === 1) await env.client.workflow.getHandle(webhookRetryId(id)).signal(wakeSignal);
  };
  await (await start('whk_late', null, after(5 * SECOND))).result();
  expect(looks.get('whk_late')).toHaveLength(3);
});

test('the history of an endpoint that fails all day stays short', async () => {
  const handle = await start('whk_dead', ...Array.from({ length: 60 }, () => after(30 * SECOND)));
  await handle.result();
  expect(looks.get('whk_dead')).toHaveLength(61);
  const last = await env.client.workflow.getHandle(webhookRetryId('whk_dead')).describe();
  expect(last.runId).not.toBe(handle.firstExecutionRunId);
  expect(last.historyLength).toBeLessThan(300);
});
