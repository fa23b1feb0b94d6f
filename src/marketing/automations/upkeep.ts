import { inLanes } from '../../platform/async';
import type { Core } from '../../platform/core';
import { SWEEP_FEW, nudgeSignal } from '../../contracts/automation';
import type { NudgePageInput } from '../../contracts/automation';
import type { StartIntent } from '../../contracts/processes';
import { areRunning, cancelUpTo } from './cancel';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { nudgeOf, runIntent } from './intents';
import { CHECK_EVERY_MS } from './transition-writes';

const PAGE = 500;
const AT_ONCE = 50;
/** Starts of one share at once. All shares together ask no more of Temporal than it answers in time on a busy machine. */
const SHARE_AT_ONCE = 16;
const CANCEL_MS = 20_000;
const LATE_MS = 60_000;
/** After a loss of Temporal, executions whose wait ends within this time start at once. Longer than the interval of checks: whatever may continue is checked within it. */
const AHEAD_MS = 3_600_000;
/** A sweep begins nothing after this time: the next one comes ten seconds after it began. */
const SWEEP_MS = 8_000;
const CHECKED_FIELDS = { projectId: 1, automationId: 1, contactId: 1, state: 1, waitingFor: 1, gathering: 1, nudge: 1, turn: 1 } as const;

/**
 * Nudges the workflows of a page of marked executions. Resolves to where the next page begins, null after the last one. A repeated nudge is harmless, and
 * an ended workflow needs none.
 */
export async function nudgePage(core: Core, { projectId, automationId, cancelUpTo: upTo, after }: NudgePageInput): Promise<string | null> {
  if (upTo !== null && after === '') {
    await cancelUpTo(core, projectId, automationId, new Date(upTo), Date.now() + CANCEL_MS);
    if (await areRunning(projectId, automationId, new Date(upTo))) return '';
  }
  const page = await ExecutionModel.find({ projectId, automationId, nudge: true, _id: { $gt: after } }, { status: 1, checkAt: 1 })
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Pick<Execution, '_id' | 'checkAt'>[]>();
  await inLanes(page, { atOnce: AT_ONCE }, ({ _id }) => core.processes.signal(nudgeOf(_id, 'nudge')));
  const over = page.filter(({ checkAt }) => checkAt === undefined).map(({ _id }) => _id);
  await ExecutionModel.collection.updateMany({ _id: { $in: over }, projectId }, { $unset: { nudge: '' } });
  return page.length === PAGE ? (page.at(-1)?._id ?? null) : null;
}

/** Resolves to whether no nudge is left to send. */
export async function isNudgeOver({ projectId, automationId, cancelUpTo: upTo }: Omit<NudgePageInput, 'after'>): Promise<boolean> {
  if (upTo !== null && (await areRunning(projectId, automationId, new Date(upTo)))) return false;
  return (await ExecutionModel.exists({ projectId, automationId, nudge: true, checkAt: { $exists: false } })) === null;
}

/**
 * Starts the workflows of executions that have none. Leaves a running one alone, unless its execution should have continued by now: then the workflow waits
 * for something else, and is nudged. An execution that waits is checked again when its time is over, any other every quarter of an hour. Resolves to how many
 * were found. `SWEEP_FEW` are a backlog: they are left to the sweeps of its shares.
 */
export async function sweepExecutions(core: Core, now: Date): Promise<number> {
  const rows = await dueExecutions(now, SWEEP_FEW);
  if (rows.length < SWEEP_FEW) {
    const { failures } = await checkPage(core, rows, { now, atOnce: AT_ONCE, deadline: performance.now() + SWEEP_MS });
    if (failures.length > 0) throw failures[0];
  }
  return rows.length;
}

/**
 * Does the same for one of `SWEEP_SHARES`, as many as time allows. Resolves to how many were checked. Two sweeps of a share do no harm: Temporal refuses to
 * start a workflow twice.
 */
export async function sweepExecutionShare(core: Core, now: Date, share: string): Promise<number> {
  const deadline = performance.now() + SWEEP_MS;
  const failures: unknown[] = [];
  for (let checked = 0; ;) {
    const rows = await dueExecutions(now, PAGE, { _id: { $regex: `[${share}]$` } });
    const page = await checkPage(core, rows, { now, atOnce: SHARE_AT_ONCE, deadline });
    checked += page.checked;
    failures.push(...page.failures);
    if (rows.length === PAGE && performance.now() <= deadline) continue;
    if (failures.length > 0) throw failures[0];
    return checked;
  }
}

/** Resolves to the executions whose check has been due for the longest time. The hint keeps the database from looking for a share in all ids. */
const dueExecutions = (now: Date, limit: number, share: object = {}): Promise<Execution[]> =>
  ExecutionModel.find({ checkAt: { $lte: now }, ...share }, CHECKED_FIELDS)
    .sort({ checkAt: 1 })
    .hint({ checkAt: 1 })
    .limit(limit)
    .lean<Execution[]>()
    .exec();

interface Pace {
  readonly now: Date;
  readonly atOnce: number;
  /** Nothing begins after this time. */
  readonly deadline: number;
}

interface Checked {
  readonly checked: number;
  readonly failures: readonly unknown[];
}

/** Starts the workflows of a page. One that cannot be started holds back no other: it is tried again a minute later. */
async function checkPage(core: Core, rows: readonly Execution[], { now, atOnce, deadline }: Pace): Promise<Checked> {
  const [checked, failed]: [Execution[], Execution[]] = [[], []];
  const failures: unknown[] = [];
  await inLanes(rows, { atOnce, isOver: () => performance.now() > deadline }, async (execution) => {
    await core.processes.start(runAgain(execution, now)).then(
      () => checked.push(execution),
      (error: unknown) => {
        failed.push(execution);
        failures.push(error);
      },
    );
  });
  const later = new Date(now.getTime() + LATE_MS);
  const writes = [...checked.map((row) => putOff(row, now, nextCheck(row, now))), ...failed.map((row) => putOff(row, now, later))];
  if (writes.length > 0) await ExecutionModel.collection.bulkWrite(writes);
  return { checked: checked.length, failures };
}

/** Starts the workflow of an execution again. One that runs is left alone, or nudged if late. */
const runAgain = (execution: Execution, now: Date): StartIntent => ({
  ...runIntent(execution),
  ...(isLate(execution, now) && { orSignal: nudgeSignal.name }),
});

/** Does not apply if the execution has made a transition meanwhile, or what its next check follows from has changed: an event noted, a full digest, a hold. */
const putOff = (row: Execution, now: Date, checkAt: Date) => ({
  updateOne: {
    filter: {
      _id: row._id,
      projectId: row.projectId,
      turn: row.turn,
      checkAt: { $lte: now },
      'waitingFor.eventId': row.waitingFor?.eventId ?? null,
      'gathering.until': row.gathering?.until ?? null,
      nudge: row.nudge ?? null,
    },
    update: { $set: { checkAt } },
    hint: '_id_',
  },
});

const nextCheck = (execution: Execution, now: Date): Date =>
  new Date(Math.max(now.getTime() + CHECK_EVERY_MS, mayWait(execution, now) ? (waitsUntil(execution) ?? 0) + LATE_MS : 0));

/** Returns whether only an event can end a wait early: none is noted, and the workflow has had the time to search for one that came before the wait was stored. */
const mayWait = ({ waitingFor, nudge }: Pick<Execution, 'waitingFor' | 'nudge'>, now: Date): boolean =>
  !nudge && (waitingFor === undefined || (waitingFor.eventId === null && waitingFor.since.getTime() < now.getTime() - LATE_MS));

const READY = { $or: ['$nudge', { $ifNull: ['$waitingFor.eventId', false] }] };
const UNTIL = { $ifNull: ['$waitingFor.until', '$gathering.until', { $convert: { input: '$state.until', to: 'date', onError: null } }] };
const leftAt = (now: Date) => ({ $cond: [READY, 0, { $max: [0, { $ifNull: [{ $subtract: [UNTIL, now] }, 0] }] }] });

/**
 * Marks the executions that need a workflow to be checked by the sweep now: Temporal has lost its workflows. One that waits for longer needs none, as its document
 * says all, and an event starts it: the sweep comes to it when its wait is over, as before. A wait for an event that is in the range however long it lasts may not
 * have been searched, and is marked too.
 *
 * A mark is the execution's place among those of its project: as many milliseconds after 1970. Those that may continue come first, then those that wait, in the
 * order in which their waits end. So the sweep takes one of each project in turn, and a project with few does not wait for one with many.
 */
export async function checkAllExecutionsNow(now: Date): Promise<void> {
  const isSoon = { $or: [{ $lte: ['$left', AHEAD_MS] }, { $ifNull: ['$waitingFor', false] }] };
  const mark = { $cond: [isSoon, { $add: [new Date(0), '$place'] }, { $add: ['$until', LATE_MS] }] };
  const isUnchanged = { $eq: ['$checkAt', '$$new.checkAt'] };
  await ExecutionModel.collection
    .aggregate([
      { $match: { checkAt: { $gt: now, $lte: new Date(now.getTime() + AHEAD_MS + LATE_MS) } } },
      { $project: { projectId: 1, checkAt: 1, waitingFor: 1, left: leftAt(now), until: UNTIL } },
      { $setWindowFields: { partitionBy: '$projectId', sortBy: { left: 1 }, output: { place: { $documentNumber: {} } } } },
      { $project: { projectId: 1, checkAt: 1, mark } },
      {
        $merge: {
          into: ExecutionModel.collection.collectionName,
          whenMatched: [{ $set: { checkAt: { $cond: [isUnchanged, '$$new.mark', '$checkAt'] } } }],
          whenNotMatched: 'discard',
        },
      },
    ])
    .toArray();
}

/** A check that is due before this instant is a mark: no wait is as long as the time between 1970 and it. */
const MARKS_END = new Date('2000-01-01');

/**
 * Resolves to when the next check of an execution is due, or was; null where none will be. Executions that a loss of Temporal has marked have no such time, and
 * are left out: the sweep comes to all others after them.
 */
export async function nextExecutionCheck(maxTimeMS: number): Promise<Date | null> {
  const row = await ExecutionModel.collection.findOne<Pick<Execution, 'checkAt'>>(
    { checkAt: { $gt: MARKS_END } },
    { projection: { checkAt: 1 }, sort: { checkAt: 1 }, maxTimeMS },
  );
  return row?.checkAt ?? null;
}

/** Returns whether an execution should have continued a while ago: its document has it neither waiting nor held. */
const isLate = (execution: Execution, now: Date): boolean => !execution.nudge && (waitsUntil(execution) ?? 0) < now.getTime() - LATE_MS;

/** Returns until when an execution waits; null where it does not. */
const waitsUntil = (execution: Pick<Execution, 'state' | 'waitingFor' | 'gathering'>): number | null =>
  (execution.waitingFor ?? execution.gathering)?.until.getTime() ?? sleepsUntil(execution);

/** Returns until when an execution is in a delay; null where it is not. */
const sleepsUntil = ({ state }: Pick<Execution, 'state'>): number | null => (state?.phase === 'sleeping' ? Date.parse(state.until) : null);
