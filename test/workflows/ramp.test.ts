import { rampWorkflowId } from '../../src/contracts/ramp';
import type { RampOutlook, RampTurnInput } from '../../src/contracts/ramp';
import { nextRampDay, rampDayAt } from '../../src/rules/ramps';
import { offsetsOf } from '../../src/rules/zoned-time';
import { aTimeSkippingServer } from '../support/platform/time-skipping';

const PER_DAY = [50, 100, 200];
const offsetAt = offsetsOf('America/New_York');

/** The turns of each transport, as the database has them: a day is moved on to once. */
const turns = new Map<string, { readonly day: string; readonly at: number; readonly step: number }[]>();
/** Transports whose first day is refused. */
const refused = new Set<string>();
/** Transports whose turns fail so many times before. */
const failing = new Map<string, number>();

function rampTurn({ transport, now }: RampTurnInput): Promise<RampOutlook> {
  const left = failing.get(transport) ?? 0;
  failing.set(transport, left - 1);
  if (left > 0) return Promise.reject(new Error('The database is away'));
  const heldBack = turns.get(transport)?.length === 1 && refused.has(transport) ? 'refused' : null;
  const step = stepAt(transport, now, heldBack === null ? 1 : 0);
  const amount = PER_DAY[step] ?? null;
  const nextAt = amount === null ? null : new Date(nextRampDay(now, offsetAt)).toISOString();
  return Promise.resolve({ nextAt, step: step + 1, amount, heldBack });
}

/** Notes a turn, where its day has none yet. */
function stepAt(transport: string, at: number, climb: 0 | 1): number {
  const all = turns.get(transport) ?? [];
  turns.set(transport, all);
  const day = rampDayAt(at, offsetAt);
  const last = all.at(-1);
  if (last?.day === day) return last.step;
  const step = last ? last.step + climb : 0;
  all.push({ day, at, step });
  return step;
}

const env = aTimeSkippingServer({ orchestration: { rampTurn } });

const start = (transport: string) =>
  env.client.workflow.start('ramp', { workflowId: rampWorkflowId(transport), taskQueue: 'orchestration', args: [{ transport }] });

const steps = (transport: string): number[] => (turns.get(transport) ?? []).map(({ step }) => step);
const details = async (handle: Awaited<ReturnType<typeof start>>): Promise<string> =>
  JSON.stringify(await handle.query('__temporal_workflow_metadata'));

test('climbs at each midnight of its zone, and ends after its last amount', async () => {
  await (await start('climbs')).result();
  expect(steps('climbs')).toEqual([0, 1, 2, 3]);
  const [first, ...later] = turns.get('climbs') ?? [];
  expect(new Set([first, ...later].map((turn) => turn?.day)).size).toBe(4);
  for (const { at } of later) expect(rampDayAt(at - 60_000, offsetAt) < rampDayAt(at, offsetAt)).toBe(true);
});

test('has the amount of the day before after refusals, and shows why', async () => {
  refused.add('refused');
  const handle = await start('refused');
  await env.sleep(60_000);
  expect(await details(handle)).toContain('step 1, 50 messages');
  await env.sleep(nextRampDay(turns.get('refused')?.[0]?.at ?? 0, offsetAt) - (turns.get('refused')?.[0]?.at ?? 0));
  expect(await details(handle)).toContain('step 1, 50 messages until the next day: as the day before, as providers refused too much');
  await handle.result();
  expect(steps('refused')).toEqual([0, 0, 1, 2, 3]);
});

test('one that is ended in the middle of a day and started again stays on its day', async () => {
  const ended = await start('again');
  await env.sleep(60_000);
  await ended.terminate('by hand');
  const handle = await start('again');
  await env.sleep(60_000);
  expect(steps('again')).toEqual([0]);
  await handle.result();
  expect(steps('again')).toEqual([0, 1, 2, 3]);
});

test('waits for a database that is away', async () => {
  failing.set('away', 3);
  await (await start('away')).result();
  expect(steps('away')).toEqual([0, 1, 2, 3]);
});
