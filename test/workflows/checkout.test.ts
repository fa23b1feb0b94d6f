import { ApplicationFailure } from '@temporalio/activity';
import { checkoutWorkflowId } from '../../src/contracts/payments';
import type { FollowCheckoutInput, ProviderOutlook } from '../../src/contracts/payments';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const MINUTE = 60_000;
const outlook = (minutes: number): ProviderOutlook => ({ status: 'unpaid', waitMs: minutes * MINUTE });

type Found = ProviderOutlook | Error | null;

/** What the next questions about each session find. */
const script = new Map<string, Found[]>();
/** When each was asked about, in milliseconds of the workflow's time. */
const asked = new Map<string, number[]>();

function followCheckout({ sessionId, now }: FollowCheckoutInput): Promise<ProviderOutlook | null> {
  asked.get(sessionId)?.push(now);
  const found = script.get(sessionId)?.shift() ?? null;
  return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
}

const env = aTimeSkippingServer({ orchestration: { followCheckout } });

function start(sessionId: string, ...found: readonly Found[]) {
  script.set(sessionId, [...found]);
  asked.set(sessionId, []);
  return env.client.workflow.start('checkout', {
    workflowId: checkoutWorkflowId(sessionId),
    taskQueue: 'orchestration',
    args: [{ sessionId, projectId: 'prj_1' }],
  });
}

/** The waits between questions, in whole minutes. */
function waits(sessionId: string): number[] {
  const at = asked.get(sessionId) ?? [];
  return at.slice(1).map((ms, index) => Math.floor((ms - (at[index] ?? 0)) / MINUTE));
}

test('a checkout asks when the outlook says so, and ends with the session', async () => {
  const handle = await start('cks_1', outlook(5), outlook(10), outlook(240), null);
  await handle.result();
  expect(waits('cks_1')).toEqual([5, 10, 240]);
});

test('the details of a checkout say how the session stands and when the provider is asked next', async () => {
  const handle = await start('cks_2', outlook(90), null);
  await env.sleep(MINUTE);
  const details = await handle.query<string>('__temporal_workflow_metadata');
  const next = new Date((asked.get('cks_2')?.[0] ?? 0) + 90 * MINUTE).toISOString().slice(0, 16);
  expect(JSON.stringify(details)).toContain(`unpaid; asks the provider ${next}`);
  await handle.result();
});

test('a provider that is away is asked again, one that refuses a quarter of an hour later', async () => {
  const away = new Error('The payment provider did not answer');
  await (await start('cks_3', away, away, outlook(5), null)).result();
  expect(asked.get('cks_3')).toHaveLength(4);
  await (await start('cks_4', ApplicationFailure.nonRetryable('Unknown key'), outlook(5), null)).result();
  expect(waits('cks_4')).toEqual([15, 5]);
});

test('the history of a session that the provider cannot be asked about for long stays short', async () => {
  const handle = await start('cks_5', ...Array<Found>(60).fill(outlook(240)), null);
  await handle.result();
  expect(asked.get('cks_5')).toHaveLength(61);
  const last = await env.client.workflow.getHandle(checkoutWorkflowId('cks_5')).describe();
  expect(last.runId).not.toBe(handle.firstExecutionRunId);
  expect(last.historyLength).toBeLessThan(300);
});
