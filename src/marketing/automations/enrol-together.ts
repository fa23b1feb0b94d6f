import type { ClientSession } from 'mongoose';
import { findContacts } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { emit } from '../../records/events';
import { insertRows, ofProjects, perDatabase, together } from '../../platform/mongo';
import { want } from '../../platform/outbox';
import { getProject } from '../../records/projects';
import type { Graph } from '../../rules/automation/graph';
import { EnrolmentGuardModel, countEntered, partOf } from './counts';
import type { EnrolmentGuard } from './counts';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { Gatherings } from './gather';
import type { Gatherer } from './gather';
import { runIntent } from './intents';
import { AutomationModel } from './model';
import type { Automation } from './model';
import { begun } from './transition-writes';

const FIRST_CHECK_MS = 60_000;

/** Why a contact is enrolled: an event, or a request. */
export interface Cause {
  readonly executionId: string;
  readonly projectId: string;
  readonly automationId: string;
  readonly contactId: string;
  readonly eventId: string | null;
  /** The name of its event, or of the event that a request stands for, and when it was. */
  readonly name: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
  readonly testMode: boolean;
  readonly depth: number;
}

/** Returns whether a contact may be enrolled now. An event enrolls in an automation that was active at its receipt, also if it has been paused since. */
export const mayEnter = ({ eventId }: Cause, { status }: Pick<Automation, 'status'>): boolean => eventId !== null || status === 'active';

/** An enrollment whose filter holds. */
interface Enrolment {
  readonly cause: Cause;
  /** The graph whose filter was checked. */
  readonly graphId: string;
  readonly graph: Graph;
  /** Stores more in the transaction of the enrollment. */
  readonly keep?: (session: ClientSession, execution: Execution) => Promise<void>;
}

type Refusal = 'repeated' | 'not_active' | 'no_contact' | 'reentry_refused';
/** `gatherer`: an execution has it among its items. `stale`: the automation has got another graph. */
type Outcome = { readonly execution: Execution } | { readonly gatherer: Gatherer } | { readonly refused: Refusal } | 'stale';

/**
 * Enrolls contacts, or hands what would enroll them to an execution that gathers for them: stores the guard of (automation, contact), the execution with its first transition, its counter, its event and its workflow's intent, in one
 * transaction that enrollments in one automation share. Every enrollment of the contact writes the guard, which serializes concurrent ones. Resolves to
 * the execution as it was enrolled, before its first transition.
 *
 * | killed            | found                    | happens                                                                      |
 * |-------------------|--------------------------|------------------------------------------------------------------------------|
 * | before the commit | nothing                  | the event comes again, or the caller has no answer                           |
 * | after it          | all of it, no workflow   | the outbox's sweep starts it; the event that comes again finds the execution |
 */
export const enrolTogether = (enrolment: Enrolment): Promise<Outcome> => commitTogether()([partOf(enrolment.cause, 'enters')], enrolment);

const commitTogether = perDatabase(() =>
  together(async (session, enrolments: readonly Enrolment[]) => {
    const known = await read(session, enrolments);
    const outcomes = enrolments.map((enrolment) => decide(known, enrolment));
    const entered = enrolments.flatMap(({ graph }, index) => {
      const outcome = outcomes[index];
      return outcome && outcome !== 'stale' && 'execution' in outcome ? [{ execution: outcome.execution, graph }] : [];
    });
    await known.gatherings.write(session);
    if (entered.length > 0) await store(session, entered, known);
    for (const [index, { keep }] of enrolments.entries()) {
      const execution = executionIn(outcomes[index]);
      if (execution) await keep?.(session, execution);
    }
    return outcomes;
  }),
);

function executionIn(outcome: Outcome | undefined): Execution | null {
  if (!outcome || outcome === 'stale' || 'refused' in outcome) return null;
  return 'execution' in outcome ? outcome.execution : outcome.gatherer.execution;
}

type GuardWrite = Parameters<typeof EnrolmentGuardModel.collection.bulkWrite>[0][number];

/** The rows that the transaction has read, and the enrollments decided so far. */
interface Known {
  readonly contacts: ReadonlyMap<string, Contact>;
  readonly automations: ReadonlyMap<string, Automation>;
  readonly executions: Set<string>;
  readonly guards: Map<string, Pick<EnrolmentGuard, 'running' | 'total' | 'since'>>;
  readonly guardWrites: GuardWrite[];
  readonly gatherings: Gatherings;
}

const guardOf = ({ automationId, contactId }: Pick<Cause, 'automationId' | 'contactId'>): string => `${automationId}:${contactId}`;

async function read(session: ClientSession, enrolments: readonly Enrolment[]): Promise<Known> {
  const causes = enrolments.map(({ cause }) => cause);
  const each = (of: (cause: Cause) => string) => ({ $in: [...new Set(causes.map(of))] });
  const projectId = ofProjects(causes);
  const contacts = await findContacts(projectId, [...new Set(causes.map(({ contactId }) => contactId))], session);
  const automations = await AutomationModel.find(
    { _id: each(({ automationId }) => automationId), projectId },
    { projectId: 1, status: 1, graphId: 1, reentry: 1, gathers: 1 },
    { session },
  ).lean<Automation[]>();
  const executions = await ExecutionModel.find({ _id: each(({ executionId }) => executionId), projectId }, { _id: 1 }, { session }).lean<
    Execution[]
  >();
  const guards = await EnrolmentGuardModel.find({ _id: each(guardOf), projectId }, null, { session }).lean<EnrolmentGuard[]>();
  const gathering = new Set(automations.flatMap(({ _id, gathers }) => (gathers ? [_id] : [])));
  const asked = enrolments.filter(({ cause }) => gathering.has(cause.automationId));
  const gatherers = asked.map(({ cause, graph }) => ({ cause, graph, contact: contacts.get(cause.contactId) }));
  return {
    gatherings: await Gatherings.read(session, gatherers),
    contacts,
    automations: new Map(automations.map((row) => [row._id, row])),
    executions: new Set(executions.map(({ _id }) => _id)),
    guards: new Map(guards.map((row) => [row._id, row])),
    guardWrites: [],
  };
}

function decide(known: Known, enrolment: Enrolment): Outcome {
  const { cause, graphId } = enrolment;
  const contact = known.contacts.get(cause.contactId);
  if (contact?.projectId !== cause.projectId) return { refused: 'no_contact' };
  const automation = known.automations.get(cause.automationId);
  if (automation?.projectId !== cause.projectId || !automation.graphId || !mayEnter(cause, automation)) return { refused: 'not_active' };
  if (automation.graphId !== graphId) return 'stale';
  if (known.executions.has(cause.executionId)) return { refused: 'repeated' };
  return enter(known, enrolment, automation, contact);
}

/** Hands a cause to the execution that gathers it, or makes a new one. */
function enter(known: Known, { cause, graphId, graph }: Enrolment, automation: Automation, contact: Contact): Outcome {
  const gatherer = known.gatherings.take(cause, graph, contact);
  if (gatherer) return { gatherer };
  if (!mayReenter(known, cause, automation, contact)) return { refused: 'reentry_refused' };
  known.executions.add(cause.executionId);
  const execution = executionOf(cause, graphId, contact);
  known.gatherings.begin(execution, cause, graph, contact);
  return { execution };
}

/** Returns whether re-entry rules let the contact in. Earlier enrollments of a deleted contact with the same id do not count. */
function mayReenter(known: Known, cause: Cause, { reentry }: Automation, { createdAt: since }: Contact): boolean {
  const _id = guardOf(cause);
  const { projectId, contactId } = cause;
  const found = known.guards.get(_id);
  const isAnothers = found !== undefined && found.since < since;
  const before = enrolmentsBefore(found, since);
  if (REFUSED[reentry](before)) return false;
  known.guards.set(_id, { running: before.running + 1, total: before.total + 1, since });
  const update = isAnothers
    ? { $set: { running: 1, total: 1, since } }
    : { $inc: { running: 1, total: 1 }, $setOnInsert: { contactId, since } };
  known.guardWrites.push({ updateOne: { filter: { _id: _id as never, projectId }, update, upsert: true } });
  return true;
}

type Enrolments = Pick<EnrolmentGuard, 'running' | 'total'>;

const enrolmentsBefore = (guard: (Enrolments & Pick<EnrolmentGuard, 'since'>) | null | undefined, since: Date): Enrolments =>
  guard && guard.since >= since ? guard : { running: 0, total: 0 };

/** Resolves to whether the re-entry rule would let a contact in now. */
export async function letsIn(
  { _id, projectId, reentry }: Pick<Automation, '_id' | 'projectId' | 'reentry'>,
  contact: Pick<Contact, '_id' | 'createdAt'>,
): Promise<boolean> {
  const key = { _id: guardOf({ automationId: _id, contactId: contact._id }), projectId };
  return !REFUSED[reentry](enrolmentsBefore(await EnrolmentGuardModel.findOne(key).lean<EnrolmentGuard>(), contact.createdAt));
}

const REFUSED: Readonly<Record<Automation['reentry'], (before: Enrolments) => boolean>> = {
  always: () => false,
  never: ({ total }) => total > 0,
  after_exit: ({ running }) => running > 0,
};

async function store(
  session: ClientSession,
  entered: readonly { readonly execution: Execution; readonly graph: Graph }[],
  { automations, guardWrites, gatherings }: Known,
): Promise<void> {
  const executions = entered.map(({ execution }) => execution);
  await EnrolmentGuardModel.collection.bulkWrite([...guardWrites], { session });
  const rows = entered.map(async ({ execution, graph }) => {
    const { disabledAt } = await getProject(execution.projectId);
    const isActive = automations.get(execution.automationId)?.status === 'active';
    const stored = gatherings.stored(execution);
    return disabledAt === null && isActive ? begun(stored, graph) : stored;
  });
  await insertRows(ExecutionModel, await Promise.all(rows), session);
  await countEntered(session, executions);
  await emit(
    session,
    executions.map(({ _id: executionId, projectId, automationId, contactId, testMode, depth, createdAt: at }) => {
      const data = { workflowId: automationId, executionId };
      return { projectId, name: 'workflow.entered' as const, contactId, data, testMode, at, depth: depth + 1 };
    }),
  );
  await want(session, executions.map(runIntent));
}

const executionOf = (cause: Cause, graphId: string, contact: Contact): Execution => {
  const { executionId, projectId, automationId, contactId, testMode, depth, eventId, data } = cause;
  // Never before its contact, whose time may come from another clock.
  const createdAt = new Date(Math.max(Date.now(), contact.createdAt.getTime()));
  return {
    _id: executionId,
    projectId,
    automationId,
    contactId,
    email: contact.email,
    testMode,
    graphId,
    depth,
    eventId,
    data: JSON.stringify(data),
    status: 'running',
    currentNodeId: null,
    exitReason: null,
    error: null,
    createdAt,
    finishedAt: null,
    runId: null,
    turn: 0,
    state: null,
    pending: null,
    steps: [],
    checkAt: new Date(createdAt.getTime() + FIRST_CHECK_MS),
  };
};
