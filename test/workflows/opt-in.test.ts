import { askedSignal, optInWorkflowId } from '../../src/contracts/contacts';
import type { OptInOutlook, OptInCheckInput } from '../../src/contracts/contacts';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Found = OptInOutlook | Error | null;
const outlook = (waitMs: number, mails = 1): OptInOutlook => ({ status: 'pending', mails, waitMs });

/** What the next turns of each opt-in find. */
const script = new Map<string, Found[]>();
/** When each turn was made, in milliseconds of the workflow's time. */
const turns = new Map<string, number[]>();

function optInTurn({ optInId, now }: OptInCheckInput): Promise<OptInOutlook | null> {
  turns.get(optInId)?.push(now);
  const found = script.get(optInId)?.shift() ?? null;
  return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
}

const env = aTimeSkippingServer({ orchestration: { optInTurn } });

function start(optInId: string, ...found: readonly Found[]) {
  script.set(optInId, [...found]);
  turns.set(optInId, []);
  return env.client.workflow.start('optIn', {
    workflowId: optInWorkflowId(optInId),
    taskQueue: 'orchestration',
    args: [{ optInId, projectId: 'prj_1' }],
  });
}

/** The waits between turns, in whole hours. */
function waits(optInId: string): number[] {
  const at = turns.get(optInId) ?? [];
  return at.slice(1).map((ms, index) => Math.round((ms - (at[index] ?? 0)) / HOUR));
}

test('a pending opt-in is looked at when its reminder is due and when its time is over, and ends then', async () => {
  const handle = await start('opt_1', outlook(DAY), outlook(6 * DAY, 2), null);
  await handle.result();
  expect(waits('opt_1')).toEqual([24, 144]);
});

test('one that is asked for again is looked at once more at once', async () => {
  const handle = await start('opt_2', outlook(DAY), outlook(DAY), null);
  await env.sleep(HOUR);
  await handle.signal(askedSignal);
  await handle.result();
  expect(waits('opt_2')).toEqual([1, 24]);
});

test('a database that is away is waited for', async () => {
  const away = new Error('The database is away');
  await (await start('opt_3', away, away, outlook(DAY), null)).result();
  expect(turns.get('opt_3')).toHaveLength(4);
});

test('the details say where it stands and when it is looked at next', async () => {
  const handle = await start('opt_4', outlook(DAY), null);
  await env.sleep(HOUR);
  const details = await handle.query<string>('__temporal_workflow_metadata');
  const next = new Date((turns.get('opt_4')?.[0] ?? 0) + DAY).toISOString().slice(0, 16);
  expect(JSON.stringify(details)).toContain(`pending; 1 confirmation sent; looks again ${next}`);
  await handle.result();
});

test('one that is asked for a thousand times keeps a short history', async () => {
  const handle = await start('opt_5', ...Array.from({ length: 120 }, () => outlook(DAY)), null);
  await handle.result();
  const last = await env.client.workflow.getHandle(optInWorkflowId('opt_5')).describe();
  expect(last.runId).not.toBe(handle.firstExecutionRunId);
  expect(last.historyLength).toBeLessThan(300);
});
