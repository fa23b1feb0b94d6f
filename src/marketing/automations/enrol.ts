import { contactIdOf, findContact, findContacts, noteOnce } from '../../audience/contacts';
import { afterwards } from '../../platform/async';
import type { Context, Core } from '../../platform/core';
import { AppError, invalidState, newId, notFound, timedId } from '../../platform/core';
import type { Event } from '../../records/events';
import type { Keep } from '../../platform/idempotency';
import { startSoon } from '../../platform/outbox';
import { withPlace, calleeOf } from './calls';
import { enrolTogether, mayEnter } from './enrol-together';
import type { Cause } from './enrol-together';
import type { Execution } from './execution-model';
import type { Gatherer } from './gather';
import type { Graph } from '../../rules/automation/graph';
import { filledTree } from '../../rules/automation/trees';
import { scopeOf } from './act';
import { loadGraph } from './graphs';
import { nameOfTrigger } from './listening';
import { evaluateFor } from './evaluate-for';
import type { NodeRun } from './act';
import { automationNow } from './now';
import { readAutomation } from './service';
import { filled } from './texts';
import type { StartIntent } from '../../contracts/processes';
import { isWorthNoting } from '../../contracts/rounds';
import { start } from '../../rules/automation/interpreter';
import { goOnOf, runIntent } from './intents';

/** An event of this depth enrolls no contact, which ends loops of automations (docs/automations.md, Enrollment). */
const DEEPEST = 10;

type Refusal = 'repeated' | 'not_active' | 'no_contact' | 'filter_not_matched' | 'reentry_refused';
type Enrolled = { readonly execution: Execution } | { readonly gatherer: Gatherer } | { readonly refused: Refusal };

/** `which` is a contact's id or address; `data` replaces an event's. */
export interface EnrolByHand {
  readonly which: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Enrolls a contact in an active automation; `keep` stores the answer with the execution. Throws `not_found` for the automation and for the
 * contact, `invalid_state`, `filter_not_matched` and `reentry_refused`.
 */
export async function enrolByHand(
  ctx: Context,
  automationId: string,
  { which, data }: EnrolByHand,
  keep: Keep<Execution>,
): Promise<Execution> {
  const { projectId, testMode } = ctx;
  const { trigger } = await readAutomation(projectId, automationId);
  const contactId = contactIdOf(ctx, which);
  const what = { eventId: null, name: nameOfTrigger(trigger), at: new Date(), data, testMode, depth: 0 };
  const enrolled = await enrol(ctx.core, { executionId: newId('exe'), projectId, automationId, contactId, ...what }, keep);
  if ('refused' in enrolled) throw REFUSALS[enrolled.refused]();
  if ('gatherer' in enrolled) {
    void nudgeFull(ctx.core, enrolled.gatherer);
    return enrolled.gatherer.execution;
  }
  void begin(ctx.core, enrolled.execution);
  return enrolled.execution;
}

const REFUSALS: Readonly<Record<Refusal, () => AppError>> = {
  repeated: () => invalidState('This enrollment already exists'),
  not_active: () => invalidState('Only an active workflow enrolls contacts'),
  no_contact: () => notFound('Contact'),
  filter_not_matched: () => new AppError('filter_not_matched', "The contact does not match the trigger's filter"),
  reentry_refused: () => new AppError('reentry_refused', 'The contact may not enter this workflow again'),
};

/** Enrolls the contact of an event; a repeated event enrolls once. A refusal is no failure. */
export async function enrolByEvent(core: Core, automationId: string, contactId: string, event: Event): Promise<void> {
  const { _id: eventId, projectId, name, data, testMode, depth, receivedAt, createdAt: at } = event;
  const executionId = timedId('exe', receivedAt.getTime(), `${automationId}/${eventId}`);
  if (depth >= DEEPEST) return noteRefusal(event, automationId, executionId);
  const what = { eventId, name, at, data: data ?? {}, testMode, depth };
  const enrolled = await enrol(core, { executionId, projectId, automationId, contactId, ...what });
  // More of a project's events are handed on when Temporal has taken what the earlier ones began.
  if ('execution' in enrolled) await begin(core, enrolled.execution);
  if ('gatherer' in enrolled) await nudgeFull(core, enrolled.gatherer);
}

/** Nudges an execution whose digest is full. If the process is killed before, the event is handled again and nudges; an extra nudge does no harm. */
async function nudgeFull(core: Core, { execution, isFull }: Gatherer): Promise<void> {
  if (!isFull) return;
  const nudge = (): Promise<void> => core.processes.signal(goOnOf(execution, 'full'));
  await afterwards(core, 'A nudge was not sent in time; the sweep sends it', () => withPlace(core, execution.projectId, nudge));
}

/** Begins an execution's workflow when its project has a place; the sweep begins what takes too long. */
const begin = (core: Core, execution: Execution): Promise<void> =>
  afterwards(core, 'A workflow was not started in time; the sweep starts it', () =>
    withPlace(core, execution.projectId, async () => startSoon(core, await beginningOf(core, execution))),
  );

/**
 * Resolves to the intent to start an execution that has just been enrolled. If its first node calls a server to which this process already
 * makes as many calls as it may, it begins later: otherwise each execution of a crowd would carry out a step only to find that.
 */
async function beginningOf({ calls }: Pick<Core, 'calls'>, execution: Execution): Promise<StartIntent> {
  const intent = runIntent(execution);
  const graph = await loadGraph(execution.projectId, execution.graphId);
  const { effect } = start(graph, execution._id);
  if (effect.kind !== 'callWebhook') return intent;
  const callee = calleeOf({ execution, graph, nodeId: effect.nodeId });
  return calls.admits(callee) ? intent : later(intent, calls.returnIn(callee));
}

function later(intent: StartIntent, afterMs: number): StartIntent {
  const due = new Date(Date.now() + afterMs).toISOString();
  return { ...intent, afterMs, ...(isWorthNoting(afterMs) && { attributes: { ...intent.attributes, due } }) };
}

/** Notes a refusal once on the contact's timeline; no event is emitted. */
async function noteRefusal({ projectId, contactId, testMode, depth }: Event, automationId: string, executionId: string): Promise<void> {
  if (contactId === null) return;
  const _id = `nte_${executionId.slice('exe_'.length)}`;
  const data = { workflowId: automationId, reason: 'too_deep', depth, ...(testMode && { testMode }) };
  await noteOnce({ _id, projectId, contactId, name: 'workflow.refused', data, createdAt: new Date() });
}

/** Checks the filter, then enrolls. The filter may read much, so it is checked before the transaction, and again when the graph changed meanwhile. */
async function enrol(core: Core, cause: Cause, keep?: Keep<Execution>): Promise<Enrolled> {
  for (;;) {
    const judged = await decideFilter(core, cause);
    if ('refused' in judged) return judged;
    const enrolled = await enrolTogether({ cause, ...judged, ...(keep && { keep }) });
    if (enrolled !== 'stale') return enrolled;
  }
}

type FilterDecision = { readonly graphId: string; readonly graph: Graph } | { readonly refused: Refusal };

async function decideFilter(core: Core, cause: Cause): Promise<FilterDecision> {
  const { projectId, automationId, contactId } = cause;
  const automation = await automationNow(projectId, automationId);
  const graphId = automation && mayEnter(cause, automation) ? automation.graphId : null;
  if (!automation || !graphId) return { refused: (await exists(projectId, contactId)) ? 'not_active' : 'no_contact' };
  const graph = await loadGraph(projectId, graphId);
  const refused = await refusedByFilter(core, cause, automation, graph);
  return refused ? { refused } : { graphId, graph };
}

async function refusedByFilter(core: Core, cause: Cause, automation: NodeRun['automation'], graph: Graph): Promise<Refusal | null> {
  const { projectId, contactId, data } = cause;
  const filter = graph.nodes.find((node) => node.type === 'trigger')?.config.filter;
  if (!filter) return null;
  const contact = await findContact(projectId, contactId);
  if (!contact) return 'no_contact';
  const scope = scopeOf({ core, automation, contact, trigger: data });
  const tree = filledTree(filter, (value) => filled(value, scope));
  const judged = await evaluateFor(projectId, contactId, [tree], { trigger: data }, new Date());
  if (!judged) return 'no_contact';
  return judged.holds.every(Boolean) ? null : 'filter_not_matched';
}

async function exists(projectId: string, contactId: string): Promise<boolean> {
  return (await findContacts(projectId, [contactId])).has(contactId);
}
