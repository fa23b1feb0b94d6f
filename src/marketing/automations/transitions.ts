import type { ClientSession } from 'mongoose';
import { perDatabase, together } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { delayUntil } from '../../rules/automation/delay';
import type { Graph } from '../../rules/automation/graph';
import { resume, start, transitionFor } from '../../rules/automation/interpreter';
import type { Input, Transition } from '../../rules/automation/machine';
import { partOf } from './counts';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { AutomationModel } from './model';
import { write } from './transition-writes';
import type { Taken } from './transition-writes';
import { doAll } from './work';
import type { Work } from './work';

/** The result of a transition. */
export interface TransitionResult {
  /** The execution as the transition left it; null if another call made the transition, so that it must be read again. */
  readonly execution: Execution | null;
  /** The gate was open as the execution left its node: it may enter the next one. */
  readonly mayEnter: boolean;
}

/** No transition was made, or none is known yet. */
export const NOTHING_KNOWN: TransitionResult = { execution: null, mayEnter: false };

/**
 * The course of an execution in one transition: the results of its node and of those after it, as far as they are known, and the work of the node
 * after them.
 */
export interface Course {
  readonly results: readonly Input[];
  readonly work: Work | null;
  /** Names a row that all work of its kind writes. */
  readonly shared: string | null;
}

/** Returns a course by results alone; without any, by what the node itself knows: the instant of a delay. */
export const by = (...results: readonly Input[]): Course => ({ results, work: null, shared: null });

/** Applies the first transition, unless the automation is paused. */
export const begin = (execution: Execution, graph: Graph, now: Date): Promise<TransitionResult> =>
  take(execution, (_session, before) => Promise.resolve({ before, transition: start(graph, before._id), at: now }));

/** Continues a held execution: its step is closed already, the next node is entered now. */
export const continueHeld = (execution: Execution, graph: Graph, now: Date): Promise<TransitionResult> =>
  take(execution, (_session, before) => {
    const { pending, state } = before;
    if (!pending || !state) throw new Error(`Nothing is held back of ${before._id}`);
    const { records, ...transition } = transitionFor(graph, state, pending);
    return Promise.resolve({ before, transition: { ...transition, records: records.slice(1) }, at: now });
  });

/**
 * Ends the current node, and those after it, with their results. `work` does a node's work in the transaction that records the transition: both
 * are stored or neither is, so a transition that is repeated after a crash finds that it was made. If the gate is closed, the execution stops,
 * and the rest is omitted.
 */
export const complete = (execution: Execution, graph: Graph, now: Date, { results, work, shared }: Course): Promise<TransitionResult> =>
  take(
    execution,
    async (session, before) => {
      if (!before.state) throw new Error(`${before._id} has not begun`);
      let taken: Taken = { before, transition: timed(graph, resume(graph, before.state), now), at: now };
      for (const result of results) if (goesOn(taken)) taken = await leave(session, graph, taken, result);
      return taken;
    },
    { shared, work, end: (session, taken, done) => leave(session, graph, taken, done) },
  );

/** Leaves a digest. What it has gathered is counted as the transaction reads it: an event that comes meanwhile makes it read again. */
export const leaveDigest = (execution: Execution, graph: Graph, now: Date): Promise<TransitionResult> =>
  take(execution, (session, before) => {
    if (!before.state) throw new Error(`${before._id} has not begun`);
    const taken = { before, transition: resume(graph, before.state), at: now };
    return leave(session, graph, taken, { kind: 'gathered', items: before.items?.length ?? 0 });
  });

const goesOn = ({ transition, pendingResult }: Taken): boolean => pendingResult === undefined && transition.effect.kind !== 'finish';

/** Ends the current node of an execution, if the gate is open; the time of a delay that is entered runs from then on. */
async function leave(session: ClientSession, graph: Graph, { before, transition, at }: Taken, result: Input): Promise<Taken> {
  const next = transitionFor(graph, transition.state, result);
  // A transition that stays in its node enters no other: the time of a delay runs on.
  const leaves = next.records.length > 0 && result.kind !== 'cancel' && result.kind !== 'failed';
  if (leaves && (await isClosed(session, before))) {
    return {
      before,
      at,
      transition: { ...transition, records: [...transition.records, ...next.records.slice(0, 1)] },
      pendingResult: result,
    };
  }
  return { before, at, transition: timed(graph, { ...next, records: [...transition.records, ...next.records] }, at), mayEnter: leaves };
}

/** Computes the delay that a transition has reached. */
function timed(graph: Graph, transition: Transition, at: Date): Transition {
  if (transition.effect.kind !== 'computeDelay') return transition;
  const until = delayUntil(transition.effect.delay, at).toISOString();
  return { ...transitionFor(graph, transition.state, { kind: 'delayComputed', until }), records: transition.records };
}

const gates = new WeakMap<ClientSession, Map<string, Promise<boolean>>>();

/** Resolves to whether the automation's gate is closed; read once for all its executions in the transaction. */
function isClosed(session: ClientSession, execution: Execution): Promise<boolean> {
  const asked = gates.get(session) ?? new Map<string, Promise<boolean>>();
  gates.set(session, asked);
  const answer = asked.get(execution.automationId) ?? askWhetherClosed(session, execution);
  asked.set(execution.automationId, answer);
  return answer;
}

async function askWhetherClosed(session: ClientSession, { projectId, automationId }: Execution): Promise<boolean> {
  const paused = await AutomationModel.exists({ _id: automationId, projectId, status: 'paused' }).session(session);
  return paused !== null || (await getProject(projectId)).disabledAt !== null;
}

/** Ends an execution in any state, by the transition that `transitionOf` computes; concurrent ends share transactions, as steps do. */
export const finish = (
  execution: Execution,
  at: Date,
  transitionOf: (before: Execution) => Promise<Transition>,
): Promise<TransitionResult> => take(execution, async (_session, before) => ({ before, transition: await transitionOf(before), at }));

/** Parameters of the transaction of a transition. */
interface Means {
  readonly shared: string | null;
  readonly work: Work | null;
  /** Ends the node of `work` with what came of it. */
  readonly end: (session: ClientSession, taken: Taken, done: Input) => Promise<Taken>;
}

/** An execution that waits for the transaction of its transition: `decide` brings it to the node that has work, whose result ends that node. */
interface Pending {
  readonly execution: Execution;
  readonly decide: (session: ClientSession, before: Execution) => Promise<Taken>;
  readonly means: Means | null;
}

const versionKey = ({ _id, turn }: Execution): string => `${_id} ${turn}`;

const commitTogether = perDatabase(() =>
  together(async (session, pending: readonly Pending[]) => {
    const ids = pending.map(({ execution }) => execution._id);
    const projectIds = [...new Set(pending.map(({ execution }) => execution.projectId))];
    const rows = await ExecutionModel.find({ _id: { $in: ids }, projectId: { $in: projectIds } }, null, { session }).lean<Execution[]>();
    const stored = new Map(rows.map((row) => [versionKey(row), row]));
    const open = new Map<Pending, Taken>();
    for (const one of pending) {
      const key = versionKey(one.execution);
      const before = stored.get(key);
      if (before) open.set(one, await one.decide(session, before));
      stored.delete(key);
    }
    const taken = await worked(session, open);
    const left = await write(session, taken);
    const results = new Map([...open.keys()].map((one, index) => [one, resultOf(taken[index], left[index])]));
    return pending.map((one): TransitionResult => results.get(one) ?? NOTHING_KNOWN);
  }),
);

/** Does the work of the executions that reached a node with work. Resolves to all transitions, in order. */
async function worked(session: ClientSession, open: ReadonlyMap<Pending, Taken>): Promise<readonly Taken[]> {
  const works = [...open].flatMap(([{ means }, taken]) => (means?.work && goesOn(taken) ? [means.work] : []));
  const done = await doAll(session, works);
  const all: Taken[] = [];
  for (const [{ means }, taken] of open) {
    const result = means?.work && done.get(means.work);
    all.push(means && result ? await means.end(session, taken, result) : taken);
  }
  return all;
}

function resultOf(taken: Taken | undefined, execution: Execution | undefined): TransitionResult {
  if (!taken || !execution) return NOTHING_KNOWN;
  return { execution, mayEnter: taken.mayEnter === true };
}

/** Applies a transition; does nothing if it was made meanwhile. */
const take = (execution: Execution, decide: Pending['decide'], means: Means | null = null): Promise<TransitionResult> =>
  commitTogether()([...(means?.shared ? [means.shared] : []), partOf(execution, 'goesOn')], { execution, decide, means });
