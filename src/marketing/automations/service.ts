import type { ClientSession } from 'mongoose';
import type { SendWindows } from '../../contracts/send-windows';
import type { Context, ErrorDetail, PageRequest, Rows } from '../../platform/core';
import { sendersOf } from '../../sending/domains';
import { AppError, invalid, invalidState, limitOf, newId } from '../../platform/core';
import { listenTo, lockReferences, remembered, requireRoom, withReferenceLock } from '../../records/events';
import type { Keep } from '../../platform/idempotency';
import { archivedFilter, archiving, refuseArchived } from '../../platform/archive';
import { containing, inTransaction, newest, rowsWith, ownRow } from '../../platform/mongo';
import { wantNow } from '../../platform/outbox';
import { digestOf, digestStartFaults } from '../../rules/automation/digest';
import type { Graph } from '../../rules/automation/graph';
import { segmentExists } from '../../audience/segments';
import { activationFaults, refuseFaults } from './check';
import { activeOf, closeCounts, totalsOf } from './counts';
import type { Totals } from './counts';
import { EMPTY_GRAPH, pinGraph, readGraph } from './graphs';
import { heardNames, waitsOf } from './listening';
import { AutomationModel } from './model';
import type { Automation } from './model';
import { nudgeAllIntent } from './intents';
import { segmentOfTrigger, usesOf } from './references';
import { copyName } from '../../rules/cut-text';

/** An automation with its counters. */
export interface Counted {
  readonly automation: Automation;
  readonly totals: Totals;
}

export interface NewAutomation {
  readonly name: string;
  readonly trigger: string;
  readonly graph?: Graph | null | undefined;
  readonly reentry: Automation['reentry'];
  readonly windows?: SendWindows | null | undefined;
}

type AutomationPatch = { readonly [K in keyof NewAutomation]?: NewAutomation[K] | undefined } & {
  readonly status?: 'active' | 'paused' | undefined;
};

/** Stores a draft. Throws 422 `not_found` for a trigger that names no segment. */
export const createAutomation = (ctx: Context, { name, trigger, graph = null, reentry, windows }: NewAutomation): Promise<Counted> =>
  draft(ctx, { name, trigger, reentry, graph: graph && JSON.stringify(graph), ...(windows && { windows }) });

/** Checks that the segment that a trigger names exists, and locks it: of this and a concurrent deletion, one is refused. */
async function checkTrigger(session: ClientSession, { projectId }: Context, trigger: string): Promise<void> {
  const segmentId = segmentOfTrigger(trigger);
  if (segmentId === null) return;
  await lockReferences(session, projectId);
  if (!(await segmentExists(projectId, segmentId, session))) throw invalid('trigger', 'not_found', 'This segment does not exist');
}

async function draft(ctx: Context, given: Pick<Automation, 'name' | 'trigger' | 'reentry' | 'graph' | 'windows'>): Promise<Counted> {
  const createdAt = new Date();
  const automation: Automation = {
    _id: newId('wfl', createdAt.getTime()),
    projectId: ctx.projectId,
    ...given,
    status: 'draft',
    earlier: [],
    graphId: null,
    waits: [],
    uses: usesOf(given.trigger, readGraph(given.graph)),
    createdAt,
    revision: 0,
  };
  const { core, projectId } = ctx;
  await withReferenceLock(projectId, async (session) => {
    await checkTrigger(session, ctx, given.trigger);
    await requireRoom(session, projectId, { what: 'workflows', most: limitOf(core.config, ctx.project, 'workflows'), of: AutomationModel });
    await AutomationModel.collection.insertOne(automation, { session });
  });
  return counted(ctx, automation);
}

async function counted(ctx: Context, automation: Automation): Promise<Counted> {
  const [one] = await withTotals(ctx, [automation]);
  return one as Counted;
}

async function withTotals(ctx: Context, automations: readonly Automation[]): Promise<readonly Counted[]> {
  const ids = automations.map(({ _id }) => _id);
  const totals = await totalsOf(ctx.projectId, ids);
  return automations.map((automation) => ({ automation, totals: totals.get(automation._id) as Totals }));
}

export interface AutomationFilter {
  readonly status?: Automation['status'] | undefined;
  /** Part of the name, in any case. */
  readonly search?: string | undefined;
  /** All automations where it is undefined. */
  readonly archived?: boolean | undefined;
}

/** Lists a project's automations that match, newest first. */
export function listAutomations(ctx: Context, { status, search, archived }: AutomationFilter, page: PageRequest): Rows<Counted> {
  const named = search && { name: containing(search) };
  const filter = { projectId: ctx.projectId, ...(status && { status }), ...named, ...archivedFilter(archived) };
  return rowsWith(AutomationModel, newest<Automation>(filter, page), (found) => withTotals(ctx, found));
}

const setArchived = archiving(AutomationModel, {
  what: 'Workflow',
  idle: { status: { $ne: 'active' } },
  refusal: 'An active workflow cannot be archived. Pause it first',
});

/** Archives an automation that is not active, or unarchives it. Throws `not_found`, `invalid_state`. */
export const setAutomationArchived = async (ctx: Context, id: string, isArchived: boolean): Promise<Counted> =>
  counted(ctx, await setArchived(ctx, id, isArchived));

/** Throws `not_found`. */
export const getAutomation = async (ctx: Context, id: string): Promise<Counted> => counted(ctx, await readAutomation(ctx.projectId, id));

/** Throws `not_found`. */
export const readAutomation = (projectId: string, _id: string, session?: ClientSession): Promise<Automation> =>
  ownRow(AutomationModel, 'Workflow', { _id, projectId }, session);

/** Creates a draft with the same graph under the name with ` (copy)`, which is cut to fit. Throws `not_found`. */
export async function duplicateAutomation(ctx: Context, id: string): Promise<Counted> {
  const { name, trigger, reentry, graph, windows } = await readAutomation(ctx.projectId, id);
  return draft(ctx, {
    name: copyName(name),
    trigger,
    reentry,
    graph,
    ...(windows && { windows }),
  });
}

/**
 * Changes the given fields and keeps the rest. An active automation must be able to run; from the commit on it enrolls with the new graph, and
 * executions keep theirs. Concurrent changes build on each other. `keep` is called in the transaction, and may refuse it.
 * Throws `not_found`, `invalid_state`, and 422 with every fault for which it cannot run.
 */
export async function patchAutomation(
  ctx: Context,
  id: string,
  patch: AutomationPatch,
  keep: Keep<Automation> = () => Promise.resolve(),
): Promise<Counted> {
  // Development domains are made when they are first read, which cannot be within a transaction.
  await sendersOf(ctx.core, ctx.project);
  const automation = await withReferenceLock(ctx.projectId, async (session) => {
    const changed = await change(session, ctx, id, patch);
    await keep(session, changed);
    return changed;
  });
  return counted(ctx, automation);
}

/** The statuses from which each requested status can be reached. */
const BEFORE = { active: ['draft', 'paused'], paused: ['active'] } as const satisfies Record<string, readonly Automation['status'][]>;

async function change(session: ClientSession, ctx: Context, id: string, patch: AutomationPatch): Promise<Automation> {
  if (patch.trigger !== undefined) await checkTrigger(session, ctx, patch.trigger);
  const current = await readAutomation(ctx.projectId, id, session);
  const { status } = patch;
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  if (given.length === 0) return current;
  const merged = described(mergedWith(current, Object.fromEntries(given)));
  const next = merged.status === 'draft' ? merged : await ready(session, ctx, current, merged);
  if (status === 'active') refuseArchived(current, 'workflow');
  if (status && !(BEFORE[status] as readonly string[]).includes(current.status)) throw invalidState(`This workflow is ${current.status}`);
  const { _id, projectId, ...fields } = next;
  await AutomationModel.collection.updateOne({ _id, projectId, revision: current.revision }, { $set: fields }, { session });
  if (status === 'active' && current.status === 'paused') await wantNow(session, ctx.core, [nudgeAllIntent(projectId, _id, null)]);
  return next;
}

/** Merges a patch; a given graph replaces the previous one. */
function mergedWith(current: Automation, { graph, ...given }: AutomationPatch): Automation {
  const text = graph && JSON.stringify(graph);
  return {
    ...current,
    ...(given as Partial<Automation>),
    graph: text === undefined ? current.graph : text,
    revision: current.revision + 1,
  };
}

const described = (automation: Automation): Automation => ({
  ...automation,
  uses: usesOf(automation.trigger, readGraph(automation.graph)),
});

/** Prepares an automation that is, or was, active: pins its graph for executions and listens to its events. */
async function ready(session: ClientSession, ctx: Context, current: Automation, next: Automation): Promise<Automation> {
  const graph = readGraph(next.graph) ?? EMPTY_GRAPH;
  if (next.status === 'active') refuseFaults([...(await activationFaults(session, ctx, graph)), ...digestStartFaults(graph, next)]);
  const graphId = next.status === 'active' && next.graph !== null ? await pinGraph(session, ctx.projectId, next.graph) : next.graphId;
  const waits = await waitsOf(session, current, graph);
  const version = await listenTo(session, ctx.projectId, `automation/${next._id}`, heardNames(next.trigger, waits));
  return { ...next, graphId, waits, ...(digestOf(graph) && { gathers: true as const }), ...activity(current, next, version) };
}

/** Returns from when on status and trigger hold: an event goes by those at its receipt. A change of neither leaves the time as it is. */
function activity(current: Automation, { status, trigger }: Automation, version: number): Partial<Automation> {
  if (status === current.status && trigger === current.trigger) return {};
  if (current.status !== 'active') return { since: version };
  const ended = { trigger: current.trigger, from: current.since ?? 0, until: version };
  return { since: version, earlier: remembered(current.earlier ?? [], ended) };
}

/** Checks that an automation could be activated now, and changes nothing. Resolves to it. Throws as `patchAutomation`. */
export async function checkAutomation(ctx: Context, id: string): Promise<Automation> {
  await sendersOf(ctx.core, ctx.project);
  const automation = await readAutomation(ctx.projectId, id);
  if (automation.status === 'active') throw invalidState('This workflow is active');
  refuseArchived(automation, 'workflow');
  const graph = readGraph(automation.graph) ?? EMPTY_GRAPH;
  const faults = await inTransaction((session) => activationFaults(session, ctx, graph));
  refuseFaults([...faults, ...digestStartFaults(graph, automation)]);
  return automation;
}

/** Finds all faults for which a graph could not run if it were activated now. */
export async function findGraphFaults(ctx: Context, graph: Graph): Promise<readonly ErrorDetail[]> {
  await sendersOf(ctx.core, ctx.project);
  return inTransaction((session) => activationFaults(session, ctx, graph));
}

/** Removes an automation; executions that are over stay. Throws `not_found`, and `in_use` while one runs. */
export async function deleteAutomation(ctx: Context, id: string): Promise<void> {
  await withReferenceLock(ctx.projectId, async (session) => {
    await readAutomation(ctx.projectId, id, session);
    const totals = (await totalsOf(ctx.projectId, [id], session)).get(id);
    if (totals && activeOf(totals) > 0) throw new AppError('in_use', 'Executions of this workflow are running');
    await closeCounts(session, ctx.projectId, id, new Date());
    await AutomationModel.deleteOne({ _id: id, projectId: ctx.projectId }, { session });
    await listenTo(session, ctx.projectId, `automation/${id}`, []);
  });
}
