import type { ClientSession } from 'mongoose';
import { noteOnce } from '../contacts/notes';
import { contactIdOf, findContacts } from '../contacts/service';
import type { Contact } from '../contacts/service';
import type { Context, Core } from '../context';
import { AppError, invalidState, notFound } from '../errors';
import { emit } from '../events/emit';
import type { Event } from '../events/model';
import type { Keep } from '../idempotency/once';
import { newId, timedId } from '../ids';
import { inTransaction } from '../mongo/transaction';
import { inTurn } from '../mongo/turns';
import { startNow, want } from '../outbox/service';
import { countEntered, partOf } from './counts';
import { EnrolmentGuardModel } from './count-model';
import type { EnrolmentGuard } from './count-model';
import { ExecutionModel } from './execution-model';
import type { Execution } from './execution-model';
import { loadGraph } from './graphs';
import { runIntent } from './intents';
import { judge } from './judge';
import { AutomationModel } from './model';
import type { Automation } from './model';
import { readAutomation } from './service';

/** An enrolment by an event of this depth is refused: loops of automations end (docs/automations.md, Enrolment). */
const DEEPEST = 10;
const FIRST_CHECK_MS = 60_000;

/** What enrols a contact. */
interface Cause {
  readonly executionId: string;
  readonly projectId: string;
  readonly automationId: string;
  readonly contactId: string;
  readonly eventId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly testMode: boolean;
  readonly depth: number;
}

type Refusal = 'repeated' | 'not_active' | 'no_contact' | 'filter_not_matched' | 'reentry_refused';
type Enrolled = { readonly execution: Execution } | { readonly refused: Refusal };

/** `which` is a contact's id or address; `data` stands for that of an event. */
export interface EnrolByHand {
  readonly which: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Enrols a contact in an active automation; `keep` stores the answer with the execution. Throws `not_found` for the automation and for the contact, `invalid_state`, `filter_not_matched` and
 * `reentry_refused`.
 */
export async function enrolByHand(
  ctx: Context,
  automationId: string,
  { which, data }: EnrolByHand,
  keep: Keep<Execution>,
): Promise<Execution> {
  const { projectId, testMode } = ctx;
  await readAutomation(projectId, automationId);
  const contactId = contactIdOf(ctx, which);
  const cause = { executionId: newId('exe'), projectId, automationId, contactId, eventId: null, data, testMode, depth: 0 };
  const enrolled = await enrol(ctx.core, cause, keep);
  if ('execution' in enrolled) return enrolled.execution;
  throw REFUSALS[enrolled.refused]();
}

const REFUSALS: Readonly<Record<Refusal, () => AppError>> = {
  repeated: () => invalidState('This enrolment was made before'),
  not_active: () => invalidState('Only an active workflow enrols'),
  no_contact: () => notFound('Contact'),
  filter_not_matched: () => new AppError('filter_not_matched', "The contact does not match the trigger's filter"),
  reentry_refused: () => new AppError('reentry_refused', 'The contact may not enter this workflow again'),
};

/** Enrols the contact of an event; the same event enrols once, however often it comes. A refusal is no failure. */
export async function enrolByEvent(core: Core, automationId: string, contactId: string, event: Event): Promise<void> {
  const { _id: eventId, projectId, data, testMode, depth, receivedAt } = event;
  const executionId = timedId('exe', receivedAt.getTime(), `${automationId}/${eventId}`);
  if (depth >= DEEPEST) await noteRefusal(event, automationId, executionId);
  else await enrol(core, { executionId, projectId, automationId, contactId, eventId, data: data ?? {}, testMode, depth });
}

/** Noted once on the contact's timeline, and nowhere else: it is no event. */
async function noteRefusal({ projectId, contactId, testMode, depth }: Event, automationId: string, executionId: string): Promise<void> {
  if (contactId === null) return;
  const _id = `nte_${executionId.slice('exe_'.length)}`;
  const data = { workflowId: automationId, reason: 'too_deep', depth, ...(testMode && { testMode }) };
  await noteOnce({ _id, projectId, contactId, name: 'workflow.refused', data, createdAt: new Date() });
}

/**
 * One enrolment: the guard of (automation, contact), the execution, its counter, its event and the wish for its workflow, in one transaction. Every
 * enrolment of the contact writes the guard, so that of two at once one sees the other.
 *
 * | killed            | found                    | happens                                                                    |
 * |-------------------|--------------------------|----------------------------------------------------------------------------|
 * | before the commit | nothing                  | the event comes again, or the caller has no answer                         |
 * | after it          | all of it, no workflow   | the outbox's sweep starts it; the event that comes again finds the execution |
 */
async function enrol(core: Core, cause: Cause, keep?: Keep<Execution>): Promise<Enrolled> {
  const guard = `${cause.automationId}:${cause.contactId}`;
  const part = partOf({ _id: cause.executionId, automationId: cause.automationId });
  for (;;) {
    const judged = await judgeFilter(cause);
    if ('refused' in judged) return judged;
    const work = async (session: ClientSession): Promise<Enrolled | null> => {
      const enrolled = await commit(session, guard, cause, judged.graphId);
      if (enrolled && 'execution' in enrolled) await keep?.(session, enrolled.execution);
      return enrolled;
    };
    const enrolled = await inTurn(guard, () => inTurn(part, () => inTransaction(work)));
    if (enrolled === null) continue;
    if ('execution' in enrolled) startNow(core, [runIntent(enrolled.execution)]);
    return enrolled;
  }
}

/** What is asked before the transaction: a filter may look up much. Resolves to the graph whose filter holds. */
async function judgeFilter({
  projectId,
  automationId,
  contactId,
  data,
}: Cause): Promise<{ readonly graphId: string } | { readonly refused: Refusal }> {
  const automation = await AutomationModel.findOne({ _id: automationId, projectId }).lean<Automation>();
  const active = automation?.status === 'active' && automation.graphId !== null;
  if (!active) return { refused: (await findContact(projectId, contactId)) ? 'not_active' : 'no_contact' };
  const graph = await loadGraph(projectId, automation.graphId);
  const filter = graph.nodes.find((node) => node.type === 'trigger')?.config.filter;
  const judged = await judge(projectId, contactId, filter ? [filter] : [], data, new Date());
  if (!judged) return { refused: 'no_contact' };
  return judged.holds.every(Boolean) ? { graphId: automation.graphId } : { refused: 'filter_not_matched' };
}

async function findContact(projectId: string, contactId: string, session?: ClientSession): Promise<Contact | null> {
  const contact = (await findContacts([contactId], session)).get(contactId);
  return contact?.projectId === projectId ? contact : null;
}

/** Null when the automation has another graph by now than the one whose filter was judged. */
async function commit(session: ClientSession, guard: string, cause: Cause, graphId: string): Promise<Enrolled | null> {
  const { projectId, automationId, contactId } = cause;
  const contact = await findContact(projectId, contactId, session);
  if (!contact) return { refused: 'no_contact' };
  const filter = { _id: automationId, projectId, status: 'active' } as const;
  const automation = await AutomationModel.findOne(filter, null, { session }).lean<Automation>();
  if (!automation?.graphId) return { refused: 'not_active' };
  if (automation.graphId !== graphId) return null;
  if (await ExecutionModel.exists({ _id: cause.executionId, projectId }).session(session)) return { refused: 'repeated' };
  if (!(await pass(session, guard, automation, contact))) return { refused: 'reentry_refused' };
  const execution = executionOf(cause, graphId, contact);
  await ExecutionModel.collection.insertOne(execution as never, { session });
  await countEntered(session, execution);
  const { _id: executionId, testMode, depth, createdAt: at } = execution;
  const data = { workflowId: automationId, executionId };
  await emit(session, [{ projectId, name: 'workflow.entered', contactId, data, testMode, at, depth: depth + 1 }]);
  await want(session, [runIntent(execution)]);
  return { execution };
}

/** What a contact did that was deleted, and whose id this one has, does not count. */
async function pass(session: ClientSession, _id: string, { projectId, reentry }: Automation, contact: Contact): Promise<boolean> {
  const { _id: contactId, createdAt: since } = contact;
  const before = await EnrolmentGuardModel.findOneAndUpdate(
    { _id, projectId },
    { $inc: { running: 1, total: 1 }, $setOnInsert: { contactId, since } },
    { session, upsert: true, returnDocument: 'before' },
  ).lean<EnrolmentGuard>();
  if (before && before.since < since) {
    await EnrolmentGuardModel.updateOne({ _id, projectId }, { $set: { running: 1, total: 1, since } }, { session });
    return true;
  }
  const refused = reentry !== 'always' && before !== null && (reentry === 'never' ? before.total : before.running) > 0;
  if (refused) await EnrolmentGuardModel.updateOne({ _id, projectId }, { $inc: { running: -1, total: -1 } }, { session });
  return !refused;
}

const executionOf = (cause: Cause, graphId: string, contact: Contact): Execution => {
  const { executionId, projectId, automationId, contactId, testMode, depth, eventId, data } = cause;
  // Never before its contact, whichever clock made that.
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
