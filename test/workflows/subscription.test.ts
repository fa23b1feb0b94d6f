import { ApplicationFailure } from '@temporalio/activity';
import type { ProviderOutlook, ReconcileInput } from '../../src/contracts/payments';
import { subscriptionChangedSignal, subscriptionWorkflowId } from '../../src/contracts/payments';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MONTH: ProviderOutlook = { status: 'active', waitMs: 30 * DAY };

type Found = ProviderOutlook | Error | null;

/** What the next look at each subscription finds; the last one is found for ever. */
const script = new Map<string, Found[]>();
/** When each was looked at, in milliseconds of the workflow's time. */
const looks = new Map<string, number[]>();
let duringLook: (subscriptionId: string) => Promise<void>;

async function reconcileSubscription({ subscriptionId, now }: ReconcileInput): Promise<ProviderOutlook | null> {
  const found = script.get(subscriptionId) ?? [];
  looks.get(subscriptionId)?.push(now);
  const result = found.length > 1 ? found.shift() : found[0];
  await duringLook(subscriptionId);
  if (result instanceof Error) throw result;
  return result ?? null;
}

const env = aTimeSkippingServer({ orchestration: { reconcileSubscription } });
beforeEach(() => {
  duringLook = () => Promise.resolve();
});

function start(subscriptionId: string, ...found: readonly Found[]) {
  script.set(subscriptionId, [...found]);
  looks.set(subscriptionId, []);
  return env.client.workflow.start('subscription', {
    workflowId: subscriptionWorkflowId(subscriptionId),
    taskQueue: 'orchestration',
    args: [{ subscriptionId, projectId: 'prj_1' }],
  });
}

/** The waits between looks, in whole minutes. */
function waits(subscriptionId: string): number[] {
  const at = looks.get(subscriptionId) ?? [];
  return at.slice(1).map((ms, index) => Math.floor((ms - (at[index] ?? 0)) / MINUTE));
}

test('a subscription looks at each billing date, a year long, and its workflow ends with it', async () => {
  await (await start('sub_1', ...Array<Found>(12).fill(MONTH), null)).result();
  expect(waits('sub_1')).toEqual(Array(12).fill(30 * 24 * 60));
});

test('a subscription looks at once when something has changed', async () => {
  const handle = await start('sub_2', MONTH, MONTH, null);
  await env.sleep(2 * MINUTE);
  await handle.signal(subscriptionChangedSignal);
  await env.sleep(MINUTE);
  expect(waits('sub_2')).toHaveLength(1);
  await handle.signal(subscriptionChangedSignal);
  await handle.result();
  expect(looks.get('sub_2')).toHaveLength(3);
});

test('a change that comes while a subscription is found over is not missed', async () => {
  duringLook = async (id) => {
    if (looks.get(id)?.length === 1) await env.client.workflow.getHandle(subscriptionWorkflowId(id)).signal(subscriptionChangedSignal);
  };
  await (await start('sub_3', null, MONTH, null)).result();
  expect(looks.get('sub_3')).toHaveLength(3);
});

test('a provider that is away is asked again for five minutes, then every quarter of an hour; one that refuses is not pressed', async () => {
  const away = new Error('The payment provider did not answer');
  await (await start('sub_4', ...Array<Found>(30).fill(away), MONTH, null)).result();
  expect(looks.get('sub_4')).toHaveLength(32);
  expect(Math.max(...waits('sub_4').slice(0, 30))).toBeGreaterThanOrEqual(15);
  expect(Math.max(...waits('sub_4').slice(0, 30))).toBeLessThanOrEqual(20);
  await (await start('sub_5', ApplicationFailure.nonRetryable('Unknown key'), MONTH, null)).result();
  expect(waits('sub_5')[0]).toBe(15);
});

test('the history of a subscription of many years stays short', async () => {
  const handle = await start('sub_6', ...Array<Found>(60).fill(MONTH), null);
  await handle.result();
  expect(looks.get('sub_6')).toHaveLength(61);
  const last = await env.client.workflow.getHandle(subscriptionWorkflowId('sub_6')).describe();
  expect(last.runId).not.toBe(handle.firstExecutionRunId);
  expect(last.historyLength).toBeLessThan(300);
});
