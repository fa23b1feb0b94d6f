import { ApplicationFailure } from '@temporalio/activity';
import { checkUpdate, domainProgressQuery, domainVerificationId, checkAgainSignal } from '../../src/contracts/domain-verification';
import type { DomainCheckInput, DomainCheckResult } from '../../src/contracts/domain-verification';
import { createProcesses } from '../../src/platform/temporal/processes';
import { verificationIntent } from '../../src/sending/domains/service';
import { dueOf } from '../support/checks/due';
import { eventually } from '../support/platform/platform';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PENDING: DomainCheckResult = { status: 'pending', waitMs: 5 * MINUTE };
const VERIFIED: DomainCheckResult = { status: 'verified', waitMs: DAY };
const FAILED: DomainCheckResult = { status: 'failed', waitMs: null };

/** What the next checks find, by the domain; the last one is found for ever. */
const script = new Map<string, (DomainCheckResult | Error | null)[]>();
/** When each domain was checked, in milliseconds of the workflow's time. */
const checks = new Map<string, number[]>();
let duringCheck: (domainId: string) => Promise<void>;

async function checkDomain({ domainId, now }: DomainCheckInput): Promise<DomainCheckResult | null> {
  const results = script.get(domainId) ?? [];
  checks.get(domainId)?.push(now);
  const result = results.length > 1 ? results.shift() : results[0];
  await duringCheck(domainId);
  if (result instanceof Error) throw result;
  return result ?? null;
}

const env = aTimeSkippingServer({ orchestration: { checkDomain } });
beforeEach(() => {
  duringCheck = () => Promise.resolve();
});

type Result = DomainCheckResult | Error | null;

function plan(domainId: string, ...results: readonly Result[]): void {
  script.set(domainId, [...results]);
  checks.set(domainId, []);
}

function start(domainId: string, ...results: readonly Result[]) {
  plan(domainId, ...results);
  return env.client.workflow.start('domainVerification', {
    workflowId: domainVerificationId(domainId),
    taskQueue: 'orchestration',
    args: [{ domainId, projectId: 'prj_1' }],
  });
}

/** As the API asks for a check. */
const ask = (domainId: string, withinMs = 60_000): Promise<void> =>
  createProcesses(env.client).ask(verificationIntent({ _id: domainId, projectId: 'prj_1' }), checkUpdate.name, withinMs);

/** The waits between checks, in whole minutes. */
function waits(domainId: string): number[] {
  const at = checks.get(domainId) ?? [];
  return at.slice(1).map((ms, index) => Math.floor((ms - (at[index] ?? 0)) / MINUTE));
}

const currentRun = (domainId: string) => env.client.workflow.getHandle(domainVerificationId(domainId));

test('a domain is checked at once, then every five minutes until the window ends', async () => {
  const handle = await start('dom_1', PENDING, PENDING, PENDING, FAILED);
  await handle.result();
  expect(waits('dom_1')).toEqual([5, 5, 5]);
  expect(await handle.query(domainProgressQuery)).toEqual({ status: 'failed', nextCheckAt: null });
});

test('a domain verification is found by when it looks again', async () => {
  const handle = await start('dom_due', PENDING, VERIFIED, null);
  await handle.result();
  const last = checks.get('dom_due')?.at(-1) ?? 0;
  expect(Math.abs(((await dueOf(handle)) ?? 0) - last)).toBeLessThan(20_000);
});

test('a domain is checked daily once it is verified, and its workflow ends when it is gone', async () => {
  const handle = await start('dom_2', PENDING, ...Array<DomainCheckResult>(10).fill(VERIFIED), null);
  await handle.result();
  expect(waits('dom_2')).toEqual([5, ...Array<number>(10).fill(24 * 60)]);
});

test('a domain verification looks again on a signal, and ends at once when the domain was deleted', async () => {
  const handle = await start('dom_3', VERIFIED, VERIFIED, null);
  await env.sleep(2 * MINUTE);
  await handle.signal(checkAgainSignal);
  await env.sleep(MINUTE);
  expect(waits('dom_3')).toHaveLength(1);
  expect(waits('dom_3')[0]).toBeLessThan(10);
  await handle.signal(checkAgainSignal);
  await handle.result();
  expect(checks.get('dom_3')).toHaveLength(3);
});

test('a request that comes while the last check of a window runs is not missed', async () => {
  duringCheck = async (domainId) => {
    if (checks.get(domainId)?.length === 1) await currentRun(domainId).signal(checkAgainSignal);
  };
  const handle = await start('dom_4', FAILED, PENDING, FAILED);
  await handle.result();
  expect(checks.get('dom_4')).toHaveLength(3);
});

test('a check that cannot be carried out is tried again, then left out', async () => {
  const away = new Error('The database cannot be reached');
  const handle = await start('dom_5', PENDING, away, away, PENDING, ApplicationFailure.nonRetryable('A defect'), FAILED);
  await handle.result();
  expect(checks.get('dom_5')).toHaveLength(6);
  expect(new Set(checks.get('dom_5')).size).toBe(4);
  expect(waits('dom_5').reduce((sum, wait) => sum + wait)).toBeLessThan(30);
});

test('the history of a long window stays short', async () => {
  const handle = await start('dom_6', ...Array<DomainCheckResult>(60).fill(PENDING), FAILED);
  await handle.result();
  expect(checks.get('dom_6')).toHaveLength(61);
  const last = await currentRun('dom_6').describe();
  expect(last.runId).not.toBe(handle.firstExecutionRunId);
  expect(last.historyLength).toBeLessThan(300);
});

describe('a check by request', () => {
  test.each([
    ['pending', PENDING],
    ['verified', VERIFIED],
  ])('of a domain that is %s is made at once by the workflow that waits, which goes on', async (status, result) => {
    const id = `dom_asked_${status}`;
    const handle = await start(id, result, result, null);
    await env.sleep(MINUTE);
    await ask(id);
    expect(checks.get(id)).toHaveLength(2);
    expect(waits(id)[0]).toBeLessThan(5);
    await handle.result();
    expect(waits(id)[1]).toBe((result.waitMs ?? 0) / MINUTE);
  });

  test('of a domain that failed starts its workflow again, with one check', async () => {
    const handle = await start('dom_again', FAILED);
    await handle.result();
    plan('dom_again', PENDING, FAILED);
    await ask('dom_again');
    expect(checks.get('dom_again')).toHaveLength(1);
    await currentRun('dom_again').result();
    expect(checks.get('dom_again')).toHaveLength(2);
  });

  test.each([
    ['failed', FAILED],
    ['was deleted', null],
  ])('is answered when the domain %s, and the workflow ends', async (what, result) => {
    const id = `dom_over_${what.replace(' ', '_')}`;
    plan(id, result);
    await ask(id);
    await currentRun(id).result();
    expect(checks.get(id)).toHaveLength(1);
  });

  test('that comes while another check runs is answered by the one after it, together with all others', async () => {
    const answered: number[] = [];
    const asked: Promise<unknown>[] = [];
    duringCheck = async (domainId) => {
      if (asked.length > 0) return;
      for (let n = 0; n < 5; n++) asked.push(ask(domainId).then(() => answered.push(checks.get(domainId)?.length ?? 0)));
      await eventually('all are under way', async () => (await updatesOf(domainId)) === 5);
    };
    plan('dom_race', FAILED, PENDING, FAILED);
    const handle = await env.client.workflow.start('domainVerification', {
      workflowId: domainVerificationId('dom_race'),
      taskQueue: 'orchestration',
      args: [{ domainId: 'dom_race', projectId: 'prj_1' }],
    });
    await eventually('somebody asked', () => asked.length === 5);
    await Promise.all(asked);
    expect(answered).toEqual([2, 2, 2, 2, 2]);
    await handle.result();
    expect(checks.get('dom_race')).toHaveLength(3);
  });

  test('is answered also where the history has become long', async () => {
    const id = 'dom_long';
    const handle = await start(id, ...Array<DomainCheckResult>(60).fill(VERIFIED), null);
    for (let n = 2; n <= 40; n++) {
      await ask(id);
      expect(checks.get(id)?.length).toBeGreaterThanOrEqual(n);
    }
    await handle.result();
    expect((await currentRun(id).describe()).runId).not.toBe(handle.firstExecutionRunId);
  });

  test('is given up after a time, and not forgotten', async () => {
    duringCheck = () => new Promise((resolve) => setTimeout(resolve, 2_000));
    plan('dom_slow', FAILED);
    await expect(ask('dom_slow', 500)).rejects.toThrow('The request took too long');
    await currentRun('dom_slow').result();
    expect(checks.get('dom_slow')).toHaveLength(1);
  });
});

/** How many updates of a workflow were accepted. */
async function updatesOf(domainId: string): Promise<number> {
  const { events } = await currentRun(domainId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes).length;
}
