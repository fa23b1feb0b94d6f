import { findContact, changeTogether } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import { limitOf, AppError } from '../../platform/core';
import type { Context, Core } from '../../platform/core';
import type { Todo } from '../../contracts/automation';
import { getProject } from '../../records/projects';
import { contentCompiler, TemplateRenderError } from '../../message/template';
import type { Graph, GraphNode } from '../../rules/automation/graph';
import type { Input } from '../../rules/automation/machine';
import { rulesOf } from '../../rules/automation/nodes';
import type { LiveHost } from '../../rules/automation/nodes';
import { filledTree } from '../../rules/automation/trees';
import { findStaticSegment, addMembers, removeMembers } from '../../audience/segments';
import { contactChange, fieldsOf, filled, variablesOf, happenedIn } from './texts';
import type { Happened, Scope } from './texts';
import type { Execution } from './execution-model';
import { evaluateFor } from './evaluate-for';
import type { Automation } from './model';
import { automationNow } from './now';
import { sendMessage, sentIn } from './send-node';
import { CONTACT_DELETED } from './transition-writes';
import type { Course } from './transitions';
import { jointly } from './work';
import type { Work, JointWork } from './work';
import type { ClientSession } from 'mongoose';
import { settleMarketing } from '../../audience/topics';
import { afterwards } from '../../platform/async';
import { afterCommit } from '../../platform/mongo';
import { emit } from '../../records/events';
import type { ContactChange } from '../../rules/contact-change';
import { DONE } from '../../rules/automation/node';

/** An execution with its graph, as of an instant. */
export interface GraphPosition {
  readonly core: Core;
  readonly execution: Execution;
  readonly graph: Graph;
  readonly now: Date;
}

/** Everything that a node needs to act. */
export interface NodeRun extends GraphPosition, Happened {
  readonly ctx: Context;
  readonly automation: Pick<Automation, '_id' | 'name' | 'windows'>;
  readonly contact: Contact;
  readonly nodeId: string;
}

/** Either the node's result, or work to do in the transaction of the step. */
export type Done = Input | Work;

/** The outcome of a node: its result, work to do in the transaction of its transition, or a wait. */
export type Act = Input | Pick<Course, 'work' | 'shared'> | Extract<Todo, { next: 'wait' }>;

/** Runs a node as far as it can be outside of a transaction. A fault of the automation's author is its result; any other failure is thrown, to be tried again. */
export async function act(position: GraphPosition, nodeId: string): Promise<Act> {
  const { execution, graph } = position;
  const acting = actingNode(graph, nodeId);
  if (!acting) throw new Error(`The graph has no node ${nodeId} that acts`);
  const { node, rules } = acting;
  const run = await prepare(position, nodeId);
  const done = 'kind' in run ? run : await orFailed(async () => rules.act(hostOf(run), node.config));
  if ('kind' in done || 'next' in done) return done;
  // All messages of a project write its usage; one after another, they do not conflict.
  const shared = rules.sends ? `usage/${execution.projectId}` : null;
  return { work: typeof done === 'function' ? (session) => orFailed(() => done(session)) : done, shared };
}

/** Finds a node that acts, with its rules; null when the graph has none of that id, or when it does something else. */
export function actingNode(graph: Graph, nodeId: string) {
  const node: GraphNode | undefined = graph.nodes.find(({ id }) => id === nodeId);
  const rules = node && rulesOf(node);
  return rules && 'act' in rules ? { node, rules } : null;
}

/** Loads what the node of an execution needs; a deleted contact ends the execution. */
export async function prepare(position: GraphPosition, nodeId: string): Promise<NodeRun | Extract<Input, { kind: 'cancel' }>> {
  const { core, execution } = position;
  const { projectId, automationId, contactId, testMode } = execution;
  const [project, automation, contact] = await Promise.all([
    getProject(projectId),
    automationNow(projectId, automationId),
    contactId === null ? undefined : findContact(projectId, contactId),
  ]);
  if (!contact) return { kind: 'cancel', reason: CONTACT_DELETED };
  const ctx: Context = { core, projectId, project, testMode, keyKind: testMode ? 'test' : 'secret', requestId: execution._id };
  return { ...position, ...happenedIn(execution), ctx, automation: automation ?? { _id: automationId, name: '' }, contact, nodeId };
}

/** Returns the operations of nodes on the contact of an execution. */
const hostOf = (run: NodeRun): LiveHost<Done | Extract<Todo, { next: 'wait' }>> => ({
  send: (message) => sendMessage(run, message),
  holds: async (trees) => {
    const { contact, now } = run;
    const scope = scopeOf(run);
    const filledTrees = trees.map((tree) => filledTree(tree, (value) => filled(value, scope)));
    const judged = await evaluateFor(contact.projectId, contact._id, filledTrees, run, now, sentIn(run.execution));
    return judged?.holds ?? [];
  },
  update: (wanted) => changeContact({ run, change: contactChange(wanted, scopeOf(run)) }),
  addToSegment: (segmentId) => membership(run, segmentId, enterSegment),
  removeFromSegment: (segmentId) => membership(run, segmentId, leaveSegment),
  emit: (name, data) => emitEvent({ run, name, data }),
});

/** Returns what the placeholders of a node read. */
export const scopeOf = ({
  core,
  automation,
  contact,
  ...happened
}: Pick<NodeRun, 'core' | 'automation' | 'contact' | keyof Happened>): Scope => ({
  compiler: contentCompiler(core),
  variables: variablesOf(automation, happened),
  contact: fieldsOf(contact),
});

async function membership(run: NodeRun, segmentId: string, change: typeof enterSegment): Promise<Done> {
  await findStaticSegment(run.contact.projectId, segmentId);
  return change({ run, segmentId });
}

interface Share {
  readonly run: NodeRun;
}

/** Returns the cause of a change by an execution: one automation deeper. */
const causeOf = ({ execution: { testMode, depth } }: NodeRun) => ({ testMode, at: new Date(), depth: depth + 1 });

type Cause = ReturnType<typeof causeOf>;

/**
 * Runs the work of groups whose members share a project, a cause and `also`. A fault that one step throws ends only that step: in a
 * transaction with others its owner is not known, so each is tried separately.
 */
const inGroups = <T extends Share>(
  also: (share: T) => string,
  work: (session: ClientSession, shares: readonly [T, ...T[]], cause: Cause) => Promise<readonly Input[]>,
): ((share: T) => JointWork) =>
  jointly<T>(async (session, shares) => {
    const results = new Map<T, Input>();
    for (const group of groupsOf(shares, also)) {
      const inputs = await workAlone(shares.length === 1, () => work(session, group, causeOf(group[0].run)));
      group.forEach((share, index) => results.set(share, inputs[index] as Input));
    }
    return shares.map((share) => results.get(share) as Input);
  });

async function workAlone(isAlone: boolean, work: () => Promise<readonly Input[]>): Promise<readonly Input[]> {
  return isAlone ? [await orFailed(async () => (await work())[0] as Input)] : work();
}

function groupsOf<T extends Share>(shares: readonly T[], also: (share: T) => string): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const share of shares) {
    const { projectId, testMode, depth } = share.run.execution;
    const key = `${projectId} ${testMode} ${depth} ${also(share)}`;
    const group = groups.get(key);
    if (group) group.push(share);
    else groups.set(key, [share]);
  }
  return [...groups.values()];
}

const settleLeft = (core: Pick<Core, 'config' | 'log'>, projectId: string, people: Parameters<typeof settleMarketing>[2]): Promise<void> =>
  afterwards(core, 'Mail that waits for unsubscribed contacts was not cancelled', () => settleMarketing(core, projectId, people));

/** Changes the contacts of executions. What waits for those who are unsubscribed by it is cancelled after the commit. */
const changeContact = inGroups<Share & { readonly change: ContactChange }>(
  () => '',
  async (session, shares, cause) => {
    const { project, core } = shares[0].run.ctx;
    const wanted = shares.map(({ run, change }) => ({ contactId: run.contact._id, change }));
    const faults = await changeTogether(session, project, wanted, {
      source: 'automation',
      maxFields: limitOf(core.config, project, 'fields'),
      ...cause,
    });
    const left = shares.filter(({ change }, at) => change.subscribed === false && !faults[at]).map(({ run }) => run.contact);
    const people = left.map(({ _id, email }) => ({ contactId: _id, address: email }));
    if (people.length > 0) afterCommit(session, () => void settleLeft(core, project._id, people));
    return faults.map((fault) => (fault ? { kind: 'failed', error: fault.message } : DONE));
  },
);

const membersChanged = (change: typeof addMembers) =>
  inGroups<Share & { readonly segmentId: string }>(
    ({ segmentId }) => segmentId,
    async (session, shares, cause) => {
      const [{ run, segmentId }] = shares;
      const contacts = shares.map((share) => share.run.contact);
      await change(session, { projectId: run.execution.projectId, segmentId }, contacts, cause);
      return shares.map(() => DONE);
    },
  );

/** Puts the contacts of executions into a static segment. */
const enterSegment = membersChanged(addMembers);

/** Takes the contacts of executions out of a static segment. */
const leaveSegment = membersChanged(removeMembers);

/** Emits events of the contacts of executions. */
const emitEvent = inGroups<Share & { readonly name: string; readonly data: Readonly<Record<string, unknown>> }>(
  () => '',
  async (session, shares, cause) => {
    const events = shares.map(({ run, name, data }) => ({
      ...cause,
      projectId: run.contact.projectId,
      contactId: run.contact._id,
      name,
      data,
    }));
    const eventIds = await emit(session, events);
    return eventIds.map((eventId) => ({ kind: 'done', output: { eventId } }));
  },
);

const FAULTS: ReadonlySet<string> = new Set(['validation_error', 'send_failed', 'not_found', 'conflict', 'limit_exceeded']);

/** Turns a fault of the automation's author into the result of its node; any other failure is thrown. */
async function orFailed<T>(work: () => Promise<T>): Promise<T | Extract<Input, { kind: 'failed' }>> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof TemplateRenderError || (error instanceof AppError && FAULTS.has(error.code));
    if (!isFault) throw error;
    return { kind: 'failed', error: error.message };
  }
}
