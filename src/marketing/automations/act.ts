import type { ClientSession } from 'mongoose';
import { changeOne, findContact } from '../../audience/contacts';
import type { Contact } from '../../audience/contacts';
import type { Context, Core } from '../../platform/core';
import { AppError } from '../../platform/core';
import type { Todo } from '../../contracts/automation';
import { emit } from '../../records/events';
import { getProject } from '../../records/projects';
import { TemplateRenderError } from '../../message/template';
import { caseTrees } from '../../rules/automation/filters';
import type { Graph, NodeType } from '../../rules/automation/graph';
import type { Effect, Input } from '../../rules/automation/machine';
import { addMembers, findStaticSegment, removeMembers } from '../../audience/segments';
import { contactChange } from './contact-node';
import type { Execution } from './execution-model';
import { nodeOfType } from './graphs';
import { judge } from './judge';
import type { Automation } from './model';
import { automationNow } from './now';
import { sendMessage } from './send-node';
import { CONTACT_DELETED, complete } from './turns';
import { fieldsOf, variablesOf } from './texts';

/** An execution with its graph, as of an instant. */
export interface Stand {
  readonly core: Core;
  readonly execution: Execution;
  readonly graph: Graph;
  readonly now: Date;
}

/** Everything that a node needs to act. */
export interface Deed extends Stand {
  readonly ctx: Context;
  readonly automation: Pick<Automation, '_id' | 'name'>;
  readonly contact: Contact;
  /** Data of the triggering event. */
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly nodeId: string;
}

/** Either the node's result, or work to do in the transaction of the step. */
export type Done = Input | ((session: ClientSession) => Promise<Input>);

type ActKind = Exclude<Effect['kind'], 'finish' | 'computeDelay' | 'sleepUntil' | 'registerWait' | 'callWebhook'>;

interface ActEffect {
  readonly kind: ActKind;
  readonly nodeId: string;
}

/** Whether an effect is an act: something that a node does, or finds out, at once. */
export const isAct = (effect: Effect | null): effect is Effect & ActEffect => effect !== null && Object.hasOwn(ACTS, effect.kind);

/** Runs a node and records its step. A fault of the automation's author ends the execution; any other failure is thrown, to be tried again. */
export async function act(stand: Stand, { kind, nodeId }: ActEffect): Promise<Todo | null> {
  const { execution, graph, now } = stand;
  const deed = await prepare(stand, nodeId);
  const work = 'kind' in deed ? deed : await orFailed(() => ACTS[kind](deed));
  if ('next' in work) return work;
  // All messages of a project write its usage; one after another, they do not conflict.
  const shared = kind === 'sendEmail' ? `usage/${execution.projectId}` : null;
  await complete(execution, graph, now, typeof work === 'function' ? (session) => orFailed(() => work(session)) : work, shared);
  return null;
}

/** Loads what the node of an execution needs; a deleted contact ends the execution. */
export async function prepare(stand: Stand, nodeId: string): Promise<Deed | Extract<Input, { kind: 'cancel' }>> {
  const { core, execution } = stand;
  const { projectId, automationId, contactId, testMode } = execution;
  const [project, automation, contact] = await Promise.all([
    getProject(projectId),
    automationNow(projectId, automationId),
    contactId === null ? undefined : findContact(contactId),
  ]);
  if (contact?.projectId !== projectId) return { kind: 'cancel', reason: CONTACT_DELETED };
  const ctx: Context = { core, projectId, project, testMode, keyKind: testMode ? 'test' : 'secret', requestId: execution._id };
  const trigger = JSON.parse(execution.data) as Deed['trigger'];
  return { ...stand, ctx, automation: automation ?? { _id: automationId, name: '' }, contact, trigger, nodeId };
}

const FAULTS: ReadonlySet<string> = new Set(['validation_error', 'send_failed', 'not_found', 'conflict', 'limit_exceeded']);

async function orFailed<T>(work: () => Promise<T>): Promise<T | Extract<Input, { kind: 'failed' }>> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof TemplateRenderError || (error instanceof AppError && FAULTS.has(error.code));
    if (!isFault) throw error;
    return { kind: 'failed', error: error.message };
  }
}

const node = <T extends NodeType>({ graph, nodeId }: Deed, type: T) => nodeOfType(graph, nodeId, type);

const ACTS: Readonly<Record<ActKind, (deed: Deed) => Promise<Done | Extract<Todo, { next: 'wait' }>>>> = {
  sendEmail: (deed) => sendMessage(deed, node(deed, 'send_email').config),
  askCondition: async (deed) => {
    const [value = false] = await ask(deed, [node(deed, 'condition').config.conditions]);
    return { kind: 'answered', value };
  },
  askSwitch: async (deed) => {
    const index = (await ask(deed, caseTrees(node(deed, 'switch')))).indexOf(true);
    return { kind: 'switched', index: index === -1 ? null : index };
  },
  updateContact: (deed) => {
    const { automation, contact, trigger } = deed;
    const scope = { variables: variablesOf(automation, trigger), contact: fieldsOf(contact) };
    const change = contactChange(node(deed, 'update_contact').config, scope);
    return Promise.resolve(async (session) => {
      const { project, core } = deed.ctx;
      await changeOne(session, project, contact._id, change, {
        ...{ source: 'automation', maxFields: core.config.MAX_FIELDS },
        ...causeOf(deed),
      });
      return DONE;
    });
  },
  addToSegment: (deed) => membership(deed, node(deed, 'add_to_segment').config.segmentId, addMembers),
  removeFromSegment: (deed) => membership(deed, node(deed, 'remove_from_segment').config.segmentId, removeMembers),
  emitEvent: (deed) => {
    const { name, data = {} } = node(deed, 'emit_event').config;
    const { projectId, _id: contactId } = deed.contact;
    return Promise.resolve(async (session) => {
      const [eventId] = await emit(session, [{ projectId, name, contactId, data, ...causeOf(deed) }]);
      return { kind: 'done', output: { eventId } };
    });
  },
};

const DONE: Input = { kind: 'done', output: null };

/** Makes the cause of a change that an execution makes: one automation deeper. */
const causeOf = ({ execution: { testMode, depth } }: Deed) => ({ testMode, at: new Date(), depth: depth + 1 });

async function ask({ contact, trigger, now }: Deed, trees: Parameters<typeof judge>[2]): Promise<readonly boolean[]> {
  const judged = await judge(contact.projectId, contact._id, trees, trigger, now);
  return judged?.holds ?? [];
}

async function membership(deed: Deed, segmentId: string, change: typeof addMembers): Promise<Done> {
  const { projectId } = deed.contact;
  await findStaticSegment(projectId, segmentId);
  return async (session) => {
    await change(session, { projectId, segmentId }, [deed.contact], causeOf(deed));
    return DONE;
  };
}
