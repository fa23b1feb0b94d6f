import type { ClientSession } from 'mongoose';
import { emit } from '../../records/events';
import { databaseNow, leaveToEnd } from '../../platform/mongo';
import type { Graph } from '../../rules/automation/graph';
import { start } from '../../rules/automation/interpreter';
import type { Effect, Finish, Input, StepRecord, Transition } from '../../rules/automation/machine';
import { EnrolmentGuardModel, countOver } from './counts';
import { ExecutionModel } from './execution-model';
import type { Execution, Step, Wait } from './execution-model';

/** An execution as read in the transaction, and the transition that it makes. */
export interface Taken {
  readonly before: Execution;
  readonly transition: Transition;
  readonly at: Date;
  /** The result of its current node, which is kept while the execution may not enter the next one. */
  readonly pendingResult?: Input;
  /** Whether the gate was asked, and was open. */
  readonly mayEnter?: boolean;
}

/** The reason of a cancellation that emits no event, as the contact is deleted. */
export const CONTACT_DELETED = 'contact_deleted';

/** Writes transitions of executions that the transaction has read. Resolves to the executions as the transitions have left them, in order. */
export async function write(session: ClientSession, taken: readonly Taken[]): Promise<readonly Execution[]> {
  if (taken.length === 0) return [];
  const since = await databaseNow();
  const written = taken.map((one) => {
    const steps = withRecords(one.before.steps, one.transition.records, one.at);
    return { ...one, steps, change: changeOf(one, since) };
  });
  await ExecutionModel.collection.bulkWrite(
    written.map(({ before, steps, change }) => ({
      updateOne: {
        filter: { _id: before._id, projectId: before.projectId, turn: before.turn },
        update: { $set: { ...changedSteps(before, steps), ...change.set }, $unset: change.unset },
      },
    })),
    { session },
  );
  await end(
    session,
    written.flatMap(({ before, transition, at, steps }) =>
      transition.effect.kind === 'finish' ? [{ before, finish: transition.effect, at, steps }] : [],
    ),
  );
  return written.map(changed);
}

const changedSteps = (before: Execution, steps: readonly Step[]): Readonly<Record<string, Step>> =>
  Object.fromEntries(steps.flatMap((one, index) => (one === before.steps[index] ? [] : [[`steps.${index}`, one] as const])));

interface Written extends Taken {
  readonly steps: readonly Step[];
  readonly change: Change;
}

function changed({ before, steps, change: { set, unset } }: Written): Execution {
  const kept = Object.entries(before).filter(([name]) => !(name in unset));
  return { ...(Object.fromEntries(kept) as unknown as Execution), ...set, steps };
}

const WAITING: ReadonlySet<string> = new Set(['computeDelay', 'sleepUntil', 'registerWait', 'gather']);

const statusIn = ({ kind }: Effect): 'waiting' | 'running' => (WAITING.has(kind) ? 'waiting' : 'running');

/**
 * Applies the first transition of an execution that is not stored yet. One that would end with it takes it later, where ends are recorded; so does one that would
 * wait for an event, whose time runs from the start of its workflow.
 */
export function begun(execution: Execution, graph: Graph): Execution {
  const { effect, records, state } = start(graph, execution._id);
  if (effect.kind === 'finish' || effect.kind === 'registerWait') return execution;
  const steps = withRecords([], records, execution.createdAt);
  return { ...execution, state, status: statusIn(effect), currentNodeId: effect.nodeId, turn: 1, steps };
}

/** Interval at which the sweep checks that the workflow of an execution exists, unless the execution waits for longer. */
export const CHECK_EVERY_MS = 15 * 60_000;

/** The change of an execution by a transition, in addition to its steps. */
interface Change {
  readonly set: Partial<Execution>;
  readonly unset: { readonly [K in 'waitingFor' | 'gathering' | 'nudge' | 'checkAt']?: '' };
}

/** Returns the change of a transition. A wait counts events received from `since` on. */
function changeOf({ before, transition: { state, effect }, at: now, pendingResult }: Taken, since: Date): Change {
  const isPutOff = before.checkAt !== undefined && before.checkAt.getTime() > now.getTime() + CHECK_EVERY_MS;
  const checkAt = new Date(now.getTime() + CHECK_EVERY_MS);
  const going = { turn: before.turn + 1, pending: pendingResult ?? null, state, ...(isPutOff && effect.kind !== 'finish' && { checkAt }) };
  if (effect.kind !== 'finish') {
    const standing = { ...going, status: pendingResult ? ('running' as const) : statusIn(effect), currentNodeId: effect.nodeId };
    const unset = { ...endOfGathering(effect, pendingResult), nudge: '' } as const;
    if (pendingResult || effect.kind !== 'registerWait') return { set: standing, unset: { ...unset, waitingFor: '' } };
    const { nodeId, event, timeoutMilliseconds } = effect;
    const waitingFor: Wait = { nodeId, event, since, until: new Date(now.getTime() + timeoutMilliseconds), eventId: null };
    return { set: { ...standing, waitingFor }, unset };
  }
  const { status, reason, error } = effect;
  return {
    set: { ...going, status, currentNodeId: null, exitReason: reason, error, finishedAt: now },
    unset: { waitingFor: '', gathering: '', nudge: '', checkAt: '' },
  };
}

// An execution gathers until it leaves its digest, also when it is held then.
const endOfGathering = ({ kind }: Effect, pendingResult: Input | undefined): Pick<Change['unset'], 'gathering'> =>
  kind === 'gather' && !pendingResult ? {} : { gathering: '' };

function withRecords(before: readonly Step[], records: readonly StepRecord[], now: Date): readonly Step[] {
  return records.reduce<readonly Step[]>((steps, record) => {
    if (record.kind === 'open') {
      const { nodeId, type, status } = record;
      return [...steps, { nodeId, type, status, branch: null, output: null, error: null, startedAt: now, finishedAt: null }];
    }
    const { status, branch, output, error } = record;
    return steps.map((one) => (one.nodeId === record.nodeId ? { ...one, status, branch, output, error, finishedAt: now } : one));
  }, before);
}

interface Ended {
  readonly before: Execution;
  readonly finish: Finish;
  readonly at: Date;
  readonly steps: readonly Step[];
}

/** Emits the events of executions that are over, and counts them, once each. */
async function end(session: ClientSession, ended: readonly Ended[]): Promise<void> {
  if (ended.length === 0) return;
  await EnrolmentGuardModel.collection.bulkWrite(
    ended.map(({ before: { projectId, automationId, contactId, createdAt } }) => ({
      updateOne: {
        filter: { _id: `${automationId}:${contactId}`, projectId, since: { $lte: createdAt } },
        update: { $inc: { running: -1 } },
      },
    })),
    { session },
  );
  const outcomes = ended.map(({ before, finish: { status }, steps }) => ({ execution: before, status, steps }));
  await countOver(session, outcomes);
  leaveToEnd(
    session,
    emit,
    ended.map(
      ({ before: { _id: executionId, projectId, automationId, contactId, testMode, depth }, finish: { status, reason, error }, at }) => ({
        projectId,
        name: `workflow.${status}`,
        contactId: reason === CONTACT_DELETED ? null : contactId,
        data: { workflowId: automationId, executionId, ...(reason !== null && { reason }), ...(error !== null && { error }) },
        testMode,
        at,
        depth: depth + 1,
      }),
    ),
  );
}
