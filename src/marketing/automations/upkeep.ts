import type { Core } from '../../platform/core';
import { nudgeSignal } from '../../contracts/automation';
import type { NudgePageInput } from '../../contracts/automation';
import { areRunning, cancelUpTo } from './cancel';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { nudgeOf, runIntent } from './intents';

const PAGE = 200;
const AT_ONCE = 20;
const CHECK_EVERY_MS = 15 * 60_000;
const CANCEL_MS = 20_000;
const LATE_MS = 60_000;

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
  await inPortions(page, ({ _id }) => core.processes.signal(nudgeOf(_id, 'nudge')));
  const over = page.filter(({ checkAt }) => checkAt === undefined).map(({ _id }) => _id);
  await ExecutionModel.collection.updateMany({ _id: { $in: over }, projectId }, { $unset: { nudge: '' } });
  return page.length === PAGE ? (page.at(-1)?._id ?? null) : null;
}

/** Whether no nudge is left to send. */
export async function isNudgeOver({ projectId, automationId, cancelUpTo: upTo }: Omit<NudgePageInput, 'after'>): Promise<boolean> {
  if (upTo !== null && (await areRunning(projectId, automationId, new Date(upTo)))) return false;
  return (await ExecutionModel.exists({ projectId, automationId, nudge: true, checkAt: { $exists: false } })) === null;
}

async function inPortions<T>(rows: readonly T[], work: (row: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) await Promise.all(rows.slice(from, from + AT_ONCE).map(work));
}

/**
 * Starts the workflows of executions that have none. Leaves a running one alone, unless its execution should have gone on by now: then the workflow waits
 * for something else, and is nudged. Looks at each execution every quarter of an hour, as far as time allows. Resolves to how many were looked at.
 */
export async function sweepExecutions(core: Core, now: Date): Promise<number> {
  const fields = { projectId: 1, automationId: 1, contactId: 1, state: 1, waitingFor: 1, nudge: 1 } as const;
  const rows = await ExecutionModel.find({ checkAt: { $lte: now } }, fields)
    .sort({ checkAt: 1 })
    .limit(PAGE)
    .lean<Execution[]>();
  await inPortions(rows, (execution) =>
    core.processes.start({ ...runIntent(execution), ...(isLate(execution, now) && { orSignal: nudgeSignal.name }) }),
  );
  await ExecutionModel.collection.updateMany(
    { _id: { $in: rows.map(({ _id }) => _id) }, checkAt: { $lte: now } },
    { $set: { checkAt: new Date(now.getTime() + CHECK_EVERY_MS) } },
  );
  return rows.length;
}

/** Whether an execution should have gone on a while ago: its document has it neither waiting nor held. */
function isLate({ state, waitingFor, nudge }: Pick<Execution, 'state' | 'waitingFor' | 'nudge'>, now: Date): boolean {
  const until = waitingFor?.until.getTime() ?? (state?.phase === 'sleeping' ? Date.parse(state.until) : 0);
  return !nudge && until < now.getTime() - LATE_MS;
}
