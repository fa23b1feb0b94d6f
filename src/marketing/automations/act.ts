import { findContact } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Context, Core } from '../../platform/core';
import type { Todo } from '../../contracts/automation';
import { getProject } from '../../records/projects';
import { contentCompiler } from '../../message/template';
import type { Graph, GraphNode } from '../../rules/automation/graph';
import type { Input } from '../../rules/automation/machine';
import { rulesOf } from '../../rules/automation/nodes';
import type { LiveHost } from '../../rules/automation/nodes';
import { filledTree } from '../../rules/automation/trees';
import { findStaticSegment } from '../../audience/segments';
import { contactChange, fieldsOf, filled, variablesOf, happenedIn } from './texts';
import { changeContact, emitEvent, enterSegment, leaveSegment, orFailed } from './contact-work';
import type { Execution } from './execution-model';
import type { Happened, Scope } from './texts';
import { evaluateFor } from './evaluate-for';
import type { Automation } from './model';
import { automationNow } from './now';
import { sendMessage, sentIn } from './send-node';
import { CONTACT_DELETED } from './transition-writes';
import type { Course } from './transitions';
import type { Work } from './work';

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
