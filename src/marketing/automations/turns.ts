import type { ClientSession } from 'mongoose';
import { perDatabase, together } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import { delayUntil } from '../../rules/automation/delay';
import type { Graph } from '../../rules/automation/graph';
import { resume, start, step } from '../../rules/automation/interpreter';
import type { Input, Turn } from '../../rules/automation/machine';
import { partOf } from './counts';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { AutomationModel } from './model';
import { write } from './turn-writes';
import type { Taken } from './turn-writes';
import { doAll } from './work';
import type { Work } from './work';

/** The result of a turn. */
export interface Turned {
  /** The execution as the turn left it; null if another call took the turn, so that it must be read again. */
  readonly execution: Execution | null;
  /** The gate was open as the execution left its node: it may enter the next one. */
  readonly mayEnter: boolean;
}

/** No turn was taken, or none is known yet. */
export const NOTHING_KNOWN: Turned = { execution: null, mayEnter: false };

/**
 * The course of an execution in one turn: the results of its node and of those after it, as far as they are known, and the work of the node
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

/** Takes the first turn, unless the automation is paused. */
export const begin = (execution: Execution, graph: Graph, now: Date): Promise<Turned> =>
  take(execution, (_session, before) => Promise.resolve({ before, turn: start(graph, before._id), at: now }));

/** Continues a held execution: its step is closed already, the next node is entered now. */
export const goOn = (execution: Execution, graph: Graph, now: Date): Promise<Turned> =>
  take(execution, (_session, before) => {
    const { pending, state } = before;
    if (!pending || !state) throw new Error(`Nothing is held back of ${before._id}`);
    const { records, ...turn } = step(graph, state, pending);
    return Promise.resolve({ before, turn: { ...turn, records: records.slice(1) }, at: now });
  });

/**
 * Ends the current node, and those after it, with their results. `work` does a node's work in the transaction that records the turn: both
 * are stored or neither is, so a turn that is repeated after a crash finds that it was taken. If the gate is closed, the execution stops,
 * and the rest is omitted.
 */
export const complete = (execution: Execution, graph: Graph, now: Date, { results, work, shared }: Course): Promise<Turned> =>
  take(
    execution,
    async (session, before) => {
      if (!before.state) throw new Error(`${before._id} has not begun`);
      let taken: Taken = { before, turn: timed(graph, resume(graph, before.state), now), at: now };
      for (const result of results) if (goesOn(taken)) taken = await leave(session, graph, taken, result);
      return taken;
    },
    { shared, work, end: (session, taken, done) => leave(session, graph, taken, done) },
  );

/** Leaves a digest. What it has gathered is counted as the transaction reads it: an event that comes meanwhile makes it read again. */
export const leaveDigest = (execution: Execution, graph: Graph, now: Date): Promise<Turned> =>
  take(execution, (session, before) => {
    if (!before.state) throw new Error(`${before._id} has not begun`);
    const taken = { before, turn: resume(graph, before.state), at: now };
    return leave(session, graph, taken, { kind: 'gathered', items: before.items?.length ?? 0 });
  });

const goesOn = ({ turn, held }: Taken): boolean => held === undefined && turn.effect.kind !== 'finish';

/** Ends the current node of an execution, if the gate is open; the time of a delay that is entered runs from then on. */
async function leave(session: ClientSession, graph: Graph, { before, turn, at }: Taken, result: Input): Promise<Taken> {
  const next = step(graph, turn.state, result);
  // A turn that stays in its node enters no other: the time of a delay runs on.
  const leaves = next.records.length > 0 && result.kind !== 'cancel' && result.kind !== 'failed';
  if (leaves && (await isClosed(session, before))) {
    return { before, at, turn: { ...turn, records: [...turn.records, ...next.records.slice(0, 1)] }, held: result };
  }
  return { before, at, turn: timed(graph, { ...next, records: [...turn.records, ...next.records] }, at), mayEnter: leaves };
}

/** Computes the delay at which a turn has come. */
function timed(graph: Graph, turn: Turn, at: Date): Turn {
  if (turn.effect.kind !== 'computeDelay') return turn;
  const until = delayUntil(turn.effect.delay, at).toISOString();
  return { ...step(graph, turn.state, { kind: 'delayComputed', until }), records: turn.records };
}

const gates = new WeakMap<ClientSession, Map<string, Promise<boolean>>>();

/** Whether the automation's gate is closed; read once for all its executions in the transaction. */
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

/** Ends an execution in any state, by the turn that `turnOf` computes; concurrent ends share transactions, as steps do. */
export const finish = (execution: Execution, at: Date, turnOf: (before: Execution) => Promise<Turn>): Promise<Turned> =>
  take(execution, async (_session, before) => ({ before, turn: await turnOf(before), at }));

/** Parameters of the transaction of a turn. */
interface Means {
  readonly shared: string | null;
  readonly work: Work | null;
  /** Ends the node of `work` with what came of it. */
  readonly end: (session: ClientSession, taken: Taken, done: Input) => Promise<Taken>;
}

/** An execution that waits for the transaction of its turn: `decide` brings it to the node that has work, whose result ends that node. */
interface Pending {
  readonly execution: Execution;
  readonly decide: (session: ClientSession, before: Execution) => Promise<Taken>;
  readonly means: Means | null;
}

const turnKey = ({ _id, turn }: Execution): string => `${_id} ${turn}`;

const commitTogether = perDatabase(() =>
  together(async (session, pending: readonly Pending[]) => {
    const ids = pending.map(({ execution }) => execution._id);
    const projectIds = [...new Set(pending.map(({ execution }) => execution.projectId))];
    const rows = await ExecutionModel.find({ _id: { $in: ids }, projectId: { $in: projectIds } }, null, { session }).lean<Execution[]>();
    const stored = new Map(rows.map((row) => [turnKey(row), row]));
    const open = new Map<Pending, Taken>();
    for (const one of pending) {
      const key = turnKey(one.execution);
      const before = stored.get(key);
      if (before) open.set(one, await one.decide(session, before));
      stored.delete(key);
    }
    const taken = await worked(session, open);
    const left = await write(session, taken);
    const turned = new Map([...open.keys()].map((one, index) => [one, turnedOf(taken[index], left[index])]));
    return pending.map((one): Turned => turned.get(one) ?? NOTHING_KNOWN);
  }),
);

/** Has the work done of those that came to it. Resolves to all turns, in order. */
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

function turnedOf(taken: Taken | undefined, execution: Execution | undefined): Turned {
  if (!taken || !execution) return NOTHING_KNOWN;
  return { execution, mayEnter: taken.mayEnter === true };
}

/** Takes a turn; does nothing when it was taken meanwhile. */
const take = (execution: Execution, decide: Pending['decide'], means: Means | null = null): Promise<Turned> =>
  commitTogether()([...(means?.shared ? [means.shared] : []), partOf(execution, 'goesOn')], { execution, decide, means });
