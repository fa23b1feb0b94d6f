import { WorkflowFailedError } from '@temporalio/client';
import type { WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { changedSignal, minuteOf, scheduledSendId } from '../../src/contracts/waiting-mail';
import type { ScheduledMinute, ScheduledMinuteInput } from '../../src/contracts/waiting-mail';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const SECOND = 1_000;
const MINUTE = 60_000;

/** The messages of each project that wait, by their instants in milliseconds of its minute; and when each was released. */
const waiting = new Map<string, Map<string, number>>();
const released = new Map<string, number>();
/** When the minute of each project begins. */
const begins = new Map<string, number>();
const cancelled: string[] = [];

const beginOf = (projectId: string): number => begins.get(projectId) ?? Number.NaN;
const heldOf = (projectId: string): Map<string, number> => waiting.get(projectId) ?? new Map<string, number>();

function releaseScheduled({ projectId, now }: ScheduledMinuteInput & { readonly now: number }): Promise<ScheduledMinute> {
  const held = heldOf(projectId);
  for (const [id, at] of held) {
    if (beginOf(projectId) + at > now) continue;
    held.delete(id);
    released.set(id, now - beginOf(projectId));
  }
  const left = [...held].sort(([, a], [, b]) => a - b);
  const at = (one: readonly [string, number] | undefined): string | null =>
    one ? new Date(beginOf(projectId) + one[1]).toISOString() : null;
  return Promise.resolve({
    waiting: left.length,
    emailIds: left.map(([id]) => id),
    recipientIds: left.map(([id]) => `ctc_of_${id}`),
    nextAt: at(left[0]),
    lastAt: at(left.at(-1)),
  });
}

function cancelScheduledMinute({ projectId }: ScheduledMinuteInput): Promise<number> {
  const ids = [...heldOf(projectId).keys()];
  waiting.delete(projectId);
  cancelled.push(...ids);
  return Promise.resolve(ids.length);
}

const env = aTimeSkippingServer({ orchestration: { releaseScheduled, cancelScheduledMinute } });

/** Starts the workflow of a minute that begins within two. */
async function start(projectId: string, messages: Readonly<Record<string, number>>): Promise<WorkflowHandleWithFirstExecutionRunId> {
  const minute = new Date(minuteOf(new Date(await env.currentTimeMs())).getTime() + 2 * MINUTE);
  begins.set(projectId, minute.getTime());
  waiting.set(projectId, new Map(Object.entries(messages)));
  return env.client.workflow.start('scheduledSend', {
    workflowId: scheduledSendId(projectId, minute),
    taskQueue: 'orchestration',
    args: [{ projectId, minute: minute.toISOString() }],
  });
}

const instant = (projectId: string, at: number): string => new Date(beginOf(projectId) + at).toISOString();

/** How late each message was released. */
const lateness = (messages: Readonly<Record<string, number>>): number[] =>
  Object.entries(messages).map(([id, at]) => (released.get(id) ?? Number.NaN) - at);
const isInTime = (late: readonly number[]): boolean => late.every((ms) => ms >= 0 && ms < 10 * SECOND);

const detailsOf = async (handle: WorkflowHandleWithFirstExecutionRunId): Promise<string> =>
  (await handle.query<{ currentDetails: string }, []>('__temporal_workflow_metadata')).currentDetails;

test('a minute releases each message when it is due, none early, and ends with the last', async () => {
  const messages = { em_1: 0, em_2: 20 * SECOND, em_3: 20 * SECOND + 1, em_4: 59_999 };
  await (await start('prj_times', messages)).result();
  const late = lateness(messages);
  expect(isInTime(late) || late).toBe(true);
});

test('a message that comes later and is due earlier is released in time', async () => {
  const handle = await start('prj_earlier', { em_last: 50 * SECOND });
  await env.sleep(SECOND);
  heldOf('prj_earlier').set('em_first', 0);
  await handle.signal(changedSignal, { soon: true });
  await handle.result();
  const late = lateness({ em_first: 0, em_last: 50 * SECOND });
  expect(isInTime(late) || late).toBe(true);
});

test('a minute shows how many wait, which ones, for whom, and until when', async () => {
  const handle = await start('prj_shown', { em_a: 10 * SECOND, em_b: 30 * SECOND });
  await env.sleep(SECOND);
  expect(await detailsOf(handle)).toBe(
    [
      `2 messages wait until ${instant('prj_shown', 10 * SECOND)} to ${instant('prj_shown', 30 * SECOND)}`,
      '- em_a',
      '- em_b',
      '',
      'First contacts: ctc_of_em_a, ctc_of_em_b',
    ].join('\n'),
  );
  expect(await handle.query<string, []>('__stack_trace')).toMatch(/condition[^]*untilReleased/);
  expect((await handle.describe()).searchAttributes).toMatchObject({
    EmailId: ['em_a', 'em_b'],
    RecipientId: ['ctc_of_em_a', 'ctc_of_em_b'],
  });
  await handle.result();
});

test('cancelled in Temporal, a minute cancels the waiting messages, and releases none of it', async () => {
  const handle = await start('prj_cancelled', { em_x: 10 * SECOND, em_y: 20 * SECOND });
  await env.sleep(SECOND);
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  expect(cancelled).toEqual(['em_x', 'em_y']);
  expect([released.has('em_x'), (await handle.describe()).status.name]).toEqual([false, 'CANCELLED']);
  expect(await detailsOf(handle)).toBe('Cancelled: 2 messages will not be sent');
});

test('a minute of many instants goes on as new with a short history, and releases all', async () => {
  const messages = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`em_many_${n}`, n * 490]));
  const handle = await start('prj_many', messages);
  await handle.result();
  const late = lateness(messages);
  expect(isInTime(late) || late).toBe(true);
  const { historyLength } = await env.client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId).describe();
  expect(historyLength).toBeLessThan(600);
});
