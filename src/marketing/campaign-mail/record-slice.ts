import type { Core } from '../../platform/core/context';
import { endClaim } from '../../records/emails/claims';
import type { Attempt } from '../../records/emails/model';
import { findWritten, insertWritten } from '../../records/emails/written-once';
import type { NewRow } from '../../records/emails/written-once';
import { listeningOf } from '../../records/events/listeners';
import { storeSlice } from '../../records/events/slices';
import { GROUPED_NAMES } from '../../rules/email-events';
import { emitCounted } from '../../sending/deliver/emit-counted';
import type { Engine } from '../../sending/deliver/engine';
import { countInCampaignsLater, laterCounts } from '../../sending/deliver/later-counts';
import { acceptedOf, countHardBounces, eventCountOf, eventsOf, record, suppressBounced } from '../../sending/deliver/record';
import type { Finished } from '../../sending/deliver/record';

/** What is decided once of a slice and stays so, however often a step of its record is tried again. */
interface Plan {
  readonly attempt: Attempt;
  readonly finished: readonly Finished[];
  /** How many names of events the rows of accepted messages stand for; 0 where somebody listens to one of them: then each event is a row of its own. */
  readonly grouped: number;
  /** What other workers had taken over; found when the rows are written. */
  late: readonly Finished[];
  counted: boolean;
}

/**
 * Writes what became of a slice: suppressions, then the rows, once for each message, then what follows from them, and last the end of the claim; what of it is
 * missing after a crash is made up for by the take-over of the claim (`take-over-claims.ts`). Each step may be repeated. A message that was taken over
 * meanwhile is recorded as any other whose lease was lost.
 */
export async function recordSlice(
  { core, engine }: { readonly core: Pick<Core, 'log'>; readonly engine: Pick<Engine, 'untilDone'> },
  attempt: Attempt,
  finished: readonly Finished[],
): Promise<void> {
  const plan = await engine.untilDone('A slice could not be recorded', () => planOf(attempt, finished));
  await engine.untilDone('A slice was not recorded', () => write(core, plan));
  await engine.untilDone('A claim was not ended', () => endClaim(attempt.id));
}

async function planOf(attempt: Attempt, finished: readonly Finished[]): Promise<Plan> {
  const first = finished.find(({ outcome }) => outcome.accepted);
  const names = first ? eventCountOf(first) : 0;
  const { hears } = await listeningOf(finished[0]?.email.projectId ?? '');
  const isHeard = GROUPED_NAMES.slice(0, names).some(hears);
  return { attempt, finished, grouped: isHeard ? 0 : names, late: [], counted: false };
}

const isOfSlice = ({ grouped }: Plan, finished: Finished): boolean =>
  grouped > 0 && finished.outcome.accepted && eventCountOf(finished) === grouped;

async function write(core: Pick<Core, 'log'>, plan: Plan): Promise<void> {
  const { finished } = plan;
  await suppressBounced(finished);
  plan.late = await writeRows(plan);
  const late = new Set(plan.late);
  const written = finished.filter((one) => !late.has(one));
  const sliced = written.filter((one) => isOfSlice(plan, one));
  const alone = written.filter((one) => !isOfSlice(plan, one));
  await Promise.all([sliced.length > 0 ? storeSlice(sliceOf(plan, sliced)) : null, emitCounted(alone.flatMap(eventsOf))]);
  count(core, plan, written);
  await countHardBounces(core, written);
  if (plan.late.length > 0) await record(core, plan.late, true);
}

function sliceOf({ attempt, grouped }: Plan, sliced: readonly Finished[]): Parameters<typeof storeSlice>[0] {
  const { projectId, campaignId } = (sliced[0] as Finished).email;
  return { attemptId: attempt.id, projectId, campaignId: campaignId ?? '', at: attempt.at, grouped, count: sliced.length };
}

/** Resolves to those that somebody else has taken over. What this attempt itself has written before is there as it should be. */
async function writeRows(plan: Plan): Promise<readonly Finished[]> {
  const known = await insertWritten(plan.finished.map((one) => newRow(plan, one)));
  if (known.length === 0) return [];
  const there = known.map((at) => plan.finished[at] as Finished);
  const rows = await findWritten(there.map(({ email }) => email._id));
  const ours = new Map(rows.filter(({ attempt }) => attempt?.id === plan.attempt.id).map((row) => [row._id, row]));
  return there.filter(({ email, outcome }) => {
    const row = ours.get(email._id);
    return !row || (row.status === 'queued' && outcome.set.status !== 'queued');
  });
}

function newRow(plan: Plan, finished: Finished): NewRow {
  const { email } = finished;
  const { set } = finished.outcome;
  if (!isOfSlice(plan, finished)) return { email, set, ofSlice: null };
  const response = finished.outcome.events[0]?.data?.['response'];
  return { email, set, ofSlice: { grouped: plan.grouped, response: typeof response === 'string' ? response : '' } };
}

/** The hours count slices from what stands for them. */
function count(core: Pick<Core, 'log'>, plan: Plan, written: readonly Finished[]): void {
  if (plan.counted) return;
  plan.counted = true;
  laterCounts(core).deliveries.add(acceptedOf(written));
  countInCampaignsLater(
    core,
    written.map(({ email, outcome }) => ({ email, set: outcome.set })),
  );
}
