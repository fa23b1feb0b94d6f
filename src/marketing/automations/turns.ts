import type { ClientSession } from 'mongoose';
import { emit } from '../../records/events';
import { databaseNow, leaveToEnd, perDatabase, together } from '../../platform/mongo';
import { getProject } from '../../records/projects';
import type { Graph } from '../../rules/automation/graph';
import { start, step } from '../../rules/automation/interpreter';
import type { Effect, Finish, Input, StepRecord, Turn } from '../../rules/automation/machine';
import { EnrolmentGuardModel } from './count-model';
import { countOver, partOf } from './counts';
import { ExecutionModel } from './execution-model';
import type { Execution, Step, Wait } from './execution-model';
import { AutomationModel } from './model';
import { doAll } from './work';
import type { Work } from './work';

/** An execution as read in the transaction, and the turn that it takes. */
export interface Taken {
  readonly before: Execution;
  readonly turn: Turn;
  readonly at: Date;
  /** The result of the current node, which is kept while the execution may not enter the next one. */
  readonly held?: Input;
  /** Whether the gate was asked, and was open. */
  readonly mayEnter?: boolean;
}

/** What a turn came to. */
export interface Turned {
  /** The execution as the turn left it; null when another took the turn, so that it has to be read anew. */
  readonly execution: Execution | null;
  /** The gate was open as the execution left its node: it may enter the next one. */
  readonly mayEnter: boolean;
}

/** No turn was taken, or none is known yet. */
export const NOTHING_KNOWN: Turned = { execution: null, mayEnter: false };

/** The reason of a cancellation that emits no event, as the contact is deleted. */
export const CONTACT_DELETED = 'contact_deleted';

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
 * Ends the current node with its result. `work` does the node's work in the transaction that records the step: both are stored or neither is, so that a
 * step which is repeated after a crash finds that its turn was taken. `shared` names a row that all work of its kind writes.
 */
export const complete = (
  execution: Execution,
  graph: Graph,
  now: Date,
  work: Work | Input,
  shared: string | null = null,
): Promise<Turned> =>
  take(
    execution,
    async (session, before, done) => {
      if (!before.state) throw new Error(`${before._id} has not begun`);
      const input = done ?? (work as Input);
      const turn = step(graph, before.state, input);
      // A turn that stays in its node enters no other: the time of a delay runs on.
      const leaves = turn.records.length > 0 && input.kind !== 'cancel' && input.kind !== 'failed';
      const holds = leaves && (await isClosed(session, before));
      return { before, turn, at: now, mayEnter: leaves && !holds, ...(holds && { held: input }) };
    },
    { shared, work: 'kind' in work ? null : work },
  );

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

type Decide = (session: ClientSession, execution: Execution, done: Input | null) => Promise<Taken>;

/** A step of an execution that waits for a transaction: its work is done there, and `decide` gets the result. */
interface Pending {
  readonly execution: Execution;
  readonly work: Work | null;
  readonly decide: Decide;
}

const turnOf = ({ _id, turn }: Execution): string => `${_id} ${turn}`;

const commitTogether = perDatabase(() =>
  together(async (session, pending: readonly Pending[]) => {
    const ids = pending.map(({ execution }) => execution._id);
    const projectIds = [...new Set(pending.map(({ execution }) => execution.projectId))];
    const rows = await ExecutionModel.find({ _id: { $in: ids }, projectId: { $in: projectIds } }, null, { session }).lean<Execution[]>();
    const stored = new Map(rows.map((row) => [turnOf(row), row]));
    const open = new Map<string, Pending>();
    for (const one of pending) {
      const key = turnOf(one.execution);
      if (stored.has(key) && !open.has(key)) open.set(key, one);
    }
    const done = await doAll(
      session,
      [...open.values()].flatMap(({ work }) => work ?? []),
    );
    const taken: Taken[] = [];
    for (const [key, { work, decide }] of open) {
      taken.push(await decide(session, stored.get(key) as Execution, (work && done.get(work)) ?? null));
    }
    const left = await write(session, taken);
    const turned = new Map(
      [...open.values()].map((one, index) => [one, { execution: left[index] ?? null, mayEnter: taken[index]?.mayEnter === true }]),
    );
    return pending.map((one): Turned => turned.get(one) ?? NOTHING_KNOWN);
  }),
);

interface Means {
  /** A row that all work of its kind writes. */
  readonly shared?: string | null;
  readonly work?: Work | null;
}

/** Takes a turn; does nothing when it was taken meanwhile. */
const take = (execution: Execution, decide: Decide, { shared = null, work = null }: Means = {}): Promise<Turned> =>
  commitTogether()([...(shared === null ? [] : [shared]), partOf(execution, 'goesOn')], { execution, work, decide });

/** Writes turns of executions that the transaction has read. Resolves to the executions as the turns have left them, in order. */
export async function write(session: ClientSession, taken: readonly Taken[]): Promise<readonly Execution[]> {
  if (taken.length === 0) return [];
  const since = await databaseNow();
  const written = taken.map((one) => {
    const steps = withRecords(one.before.steps, one.held ? one.turn.records.slice(0, 1) : one.turn.records, one.at);
    return { ...one, steps, change: changeOf(one, since) };
  });
  await ExecutionModel.collection.bulkWrite(
    written.map(({ before, steps, change }) => ({
      updateOne: {
        filter: { _id: before._id as never, projectId: before.projectId, turn: before.turn },
        update: { $set: { ...changedSteps(before, steps), ...change.set }, $unset: change.unset },
      },
    })),
    { session },
  );
  await end(
    session,
    written.flatMap(({ before, turn, at, held, steps }) =>
      turn.effect.kind === 'finish' && !held ? [{ before, finish: turn.effect, at, steps }] : [],
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

/** Returns an execution as a turn has left it. */
function changed({ before, steps, change: { set, unset } }: Written): Execution {
  const kept = Object.entries(before).filter(([name]) => !(name in unset));
  return { ...(Object.fromEntries(kept) as unknown as Execution), ...set, steps };
}

const WAITING: ReadonlySet<string> = new Set(['computeDelay', 'sleepUntil', 'registerWait']);

const statusIn = ({ kind }: Effect): 'waiting' | 'running' => (WAITING.has(kind) ? 'waiting' : 'running');

/**
 * Takes the first turn of an execution that is not stored yet. One that would end with it takes it later, where ends are recorded; so does one that would
 * wait for an event, whose time runs from the start of its workflow.
 */
export function begun(execution: Execution, graph: Graph): Execution {
  const { effect, records, state } = start(graph, execution._id);
  if (effect.kind === 'finish' || effect.kind === 'registerWait') return execution;
  const steps = withRecords([], records, execution.createdAt);
  return { ...execution, state, status: statusIn(effect), currentNodeId: effect.nodeId, turn: 1, steps };
}

/** What a turn changes of an execution, beside its steps. */
interface Change {
  readonly set: Partial<Execution>;
  readonly unset: { readonly [K in 'waitingFor' | 'nudge' | 'checkAt']?: '' };
}

/** Makes the change of a turn. A wait counts events received from `since` on. */
function changeOf({ before, turn: { state, effect }, at: now, held }: Taken, since: Date): Change {
  const turn = before.turn + 1;
  if (held) return { set: { turn, pending: held, status: 'running' }, unset: { waitingFor: '', nudge: '' } };
  const going = { turn, pending: null, state };
  if (effect.kind !== 'finish') {
    const standing = { ...going, status: statusIn(effect), currentNodeId: effect.nodeId };
    if (effect.kind !== 'registerWait') return { set: standing, unset: { waitingFor: '', nudge: '' } };
    const { nodeId, event, timeoutMilliseconds } = effect;
    const waitingFor: Wait = { nodeId, event, since, until: new Date(now.getTime() + timeoutMilliseconds), eventId: null };
    return { set: { ...standing, waitingFor }, unset: { nudge: '' } };
  }
  const { status, reason, error } = effect;
  return {
    set: { ...going, status, currentNodeId: null, exitReason: reason, error, finishedAt: now },
    unset: { waitingFor: '', nudge: '', checkAt: '' },
  };
}

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
        filter: { _id: `${automationId}:${contactId}` as never, projectId, since: { $lte: createdAt } },
        update: { $inc: { running: -1 } },
      },
    })),
    { session },
  );
  await countOver(
    session,
    ended.map(({ before, finish: { status }, steps }) => ({ execution: before, status, steps })),
  );
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
