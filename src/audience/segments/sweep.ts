import { inLanes } from '../../platform/async';
import type { Core } from '../../platform/core';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { recount, differences } from './counts';
import { OUTLIVES_MS, complete } from './fill';
import { SegmentModel } from './model';
import type { Segment } from './model';
import { loadTogether } from './load-plan';
import type { Together } from './load-plan';
import type { PlannedSegment } from './plan';
import { updateMemberships } from './memberships';

/** Interval for comparing members with conditions that depend on time; with others, in case something was missed. */
const TIMELY_MS = 60_000;
const OTHERS_MS = 24 * 3_600_000;
/** A computation that has written nothing for this long is abandoned. */
const ABANDONED_MS = 30_000;
const JUDGED_TOGETHER = 500;
const PAGE = 50;
const AT_ONCE = 2;

/** Returns the time of the workflow that sweeps, so that tests can skip it. */
type Clock = () => Date;

export interface SweepHost {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly beat: () => void;
}

const nothing = (): void => undefined;

/**
 * Compares all contacts with the conditions of a segment, and judges those again whose membership disagrees with the conditions: most by
 * far are only read. Resolves to the number of changes.
 *
 * | killed                  | found                           | happens                                                     |
 * |-------------------------|---------------------------------|-------------------------------------------------------------|
 * | between two portions    | due, some portions done         | compared again: what is done is no difference any more      |
 * | in a portion            | due, the portion as it was      | the same                                                    |
 * | before the next time is set | due, nothing to do          | compared again, without a change                            |
 */
async function compareAll(
  projectId: string,
  { own, order }: Together,
  { clock, testMode, beat = nothing }: { readonly clock: Clock; readonly testMode: boolean; readonly beat?: () => void },
): Promise<number> {
  let changes = 0;
  for await (const portion of differences(projectId, own, clock(), JUDGED_TOGETHER)) {
    const contactIds = portion.map(({ contactId }) => contactId);
    changes += await inTransaction(
      (session) => updateMemberships(session, projectId, contactIds, order, { testMode, at: clock() }),
      OUTLIVES_MS,
    );
    beat();
  }
  return changes;
}

/** A segment without its conditions, of which a page of segments may have more than a process holds. */
type Due = Omit<Segment, 'conditions' | 'segmentIds'>;

/** Compares all segments that are due, until none is. Resolves to how many contacts came and went. */
export async function sweepSegments(core: Pick<Core, 'log'>, host: SweepHost): Promise<number> {
  let changes = 0;
  for (;;) {
    const due = await SegmentModel.find({ sweepAt: { $lte: host.clock() } }, { conditions: 0, segmentIds: 0 })
      .sort({ sweepAt: 1, _id: 1 })
      .limit(PAGE)
      .lean<Due[]>();
    if (due.length === 0 || host.signal.aborted) return changes;
    await inLanes(due, { atOnce: AT_ONCE, isOver: () => host.signal.aborted }, async (segment) => {
      changes += await sweepOne(core, segment, host);
      host.beat();
    });
  }
}

/** Compares one segment; a failure does not stop the others. */
async function sweepOne(core: Pick<Core, 'log'>, segment: Due, { clock, beat }: SweepHost): Promise<number> {
  const { _id, projectId, revision, sweepAt } = segment;
  try {
    if (segment.computing) {
      await resume(segment, clock);
      return 0;
    }
    const together = await loadTogether(projectId, _id);
    if (!together) return 0;
    const changes = await compareAll(projectId, together, { clock, testMode: false, beat });
    // One that somebody wanted compared meanwhile stays due.
    const filter = { _id, projectId, revision, sweepAt, computing: false };
    await SegmentModel.updateOne(filter, { $set: { sweepAt: nextSweep(together.own, clock()) } });
    return changes;
  } catch (error) {
    core.log.error({ err: error, projectId, segmentId: _id }, 'A segment was not compared with its conditions');
    await SegmentModel.updateOne({ _id, projectId, revision }, { $set: { sweepAt: new Date(clock().getTime() + TIMELY_MS) } });
    return 0;
  }
}

const nextSweep = ({ dependsOnTime }: Pick<PlannedSegment, 'dependsOnTime'>, now: Date): Date =>
  new Date(now.getTime() + (dependsOnTime ? TIMELY_MS : OTHERS_MS));

/** Continues a computation whose process died. */
async function resume({ _id, projectId, revision, filledAt }: Due, clock: Clock): Promise<void> {
  const idleMs = (await databaseNow()).getTime() - (filledAt?.getTime() ?? 0);
  if (idleMs >= ABANDONED_MS) {
    await complete(projectId, _id);
    return;
  }
  const filter = { _id, projectId, revision, computing: true };
  await SegmentModel.updateOne(filter, { $set: { sweepAt: new Date(clock().getTime() + ABANDONED_MS) } });
}

/** Compares a segment now and counts it. */
export async function compareNow(projectId: string, segmentId: string, testMode: boolean): Promise<void> {
  const together = await loadTogether(projectId, segmentId);
  if (!together) return;
  const ahead = (await databaseNow()).getTime() - Date.now();
  await compareAll(projectId, together, { clock: () => new Date(Date.now() + ahead), testMode });
  await recount(projectId, segmentId);
}
