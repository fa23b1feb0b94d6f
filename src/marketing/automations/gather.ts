import type { ClientSession } from 'mongoose';
import type { Contact } from '../../audience/contacts';
import { derivedId } from '../../platform/core';
import { ofProjects } from '../../platform/mongo';
import { spanMilliseconds } from '../../rules/automation/delay';
import { digestOf } from '../../rules/automation/digest';
import type { Graph } from '../../rules/automation/graph';
import { keyIn } from '../../rules/automation/nodes/digest';
import type { Cause } from './enrol-together';
import { ExecutionModel } from './execution-model';
import type { Execution, Gathered, Gathering } from './execution-model';
import { CHECK_AFTER_MS } from './intents';

/** An execution has room for this much data of events, and for one event more: its messages are rendered with all of it. */
const ROOM_BYTES = 262_144;

/** Members that nobody needs who hands an event to an execution. */
const HEAVY = { data: 0, state: 0, pending: 0, steps: 0, 'items.data': 0 } as const;

/** An execution at its digest, with what this transaction adds to it. */
export interface Gatherer {
  readonly execution: Execution;
  /** Whether it gathers no more, so that it may continue. */
  isFull: boolean;
}

interface Open extends Gatherer {
  readonly gathering: Gathering;
  readonly isNew: boolean;
  readonly added: Gathered[];
  count: number;
  bytes: number;
  depth: number;
}

/**
 * The digests that one transaction of enrollments has to do with: those that gather, and what they have gathered. An event is an item of one execution: the
 * write of that execution conflicts with the transition that leaves its digest, and with any other event's; a new one conflicts by the guard of the contact.
 */
export class Gatherings {
  private readonly open = new Map<string, Open>();
  private readonly holders = new Map<string, Gatherer>();
  private readonly touched = new Set<Open>();

  /** Reads what gathers for the contacts of causes, and who has gathered their events. */
  static async read(session: ClientSession, causes: readonly Asked[]): Promise<Gatherings> {
    const known = new Gatherings();
    if (causes.length === 0) return known;
    const projectId = ofProjects(causes.map(({ cause }) => cause));
    const find = (filter: object) =>
      ExecutionModel.collection.find<Execution>({ projectId, ...filter }, { session, projection: HEAVY }).toArray();
    const keys = causes.flatMap(({ cause, graph, contact }) => (contact && digestOf(graph) ? [keyOf(cause, graph, contact)] : []));
    for (const execution of keys.length === 0 ? [] : await find({ 'gathering.key': { $in: keys } })) known.opens(execution);
    const eventIds = causes.flatMap(({ cause: { eventId } }) => eventId ?? []);
    for (const execution of eventIds.length === 0 ? [] : await find({ 'items.eventId': { $in: eventIds } })) known.holds(execution);
    return known;
  }

  private opens(execution: Execution): void {
    const { gathering, items = [], depth } = execution;
    if (!gathering) return;
    this.open.set(gathering.key, {
      execution,
      gathering,
      depth,
      isNew: false,
      isFull: false,
      added: [],
      count: items.length,
      bytes: gathering.bytes,
    });
  }

  private holds(execution: Execution): void {
    const { automationId, items = [], gathering } = execution;
    const holder: Gatherer = { execution, isFull: gathering === undefined };
    for (const { eventId } of items) if (eventId !== null) this.holders.set(`${automationId}/${eventId}`, holder);
  }

  /** Returns the execution that has an event among its items; adds it to the one that gathers for its contact and key. Null when there is none. */
  take(cause: Cause, graph: Graph, contact: Contact): Gatherer | null {
    const { automationId, eventId } = cause;
    const holder = eventId === null ? undefined : this.holders.get(`${automationId}/${eventId}`);
    if (holder) return holder;
    const open = digestOf(graph) && this.open.get(keyOf(cause, graph, contact));
    if (!open) return null;
    this.add(open, cause);
    return open;
  }

  private add(open: Open, cause: Cause): void {
    const item = itemOf(cause);
    open.added.push(item);
    open.count += 1;
    open.bytes += Buffer.byteLength(item.data);
    open.depth = Math.max(open.depth, cause.depth);
    open.isFull = open.count >= open.gathering.max || open.bytes >= ROOM_BYTES;
    if (open.isFull) this.open.delete(open.gathering.key);
    if (cause.eventId !== null) this.holders.set(`${cause.automationId}/${cause.eventId}`, open);
    this.touched.add(open);
  }

  /** Starts gathering for a new execution, if its graph has a digest. */
  begin(execution: Execution, cause: Cause, graph: Graph, contact: Contact): void {
    const node = digestOf(graph);
    if (!node) return;
    const key = keyOf(cause, graph, contact);
    const { window, max } = node.config;
    const until = new Date(execution.createdAt.getTime() + spanMilliseconds(window));
    const gathering: Gathering = { key, event: cause.name, until, max, bytes: 0 };
    const open: Open = { execution, gathering, isNew: true, isFull: false, added: [], count: 0, bytes: 0, depth: execution.depth };
    this.open.set(key, open);
    this.add(open, cause);
  }

  /** Returns a new execution as it is stored, with the events that it has gathered within the transaction. */
  stored(execution: Execution): Execution {
    const open = [...this.touched].find((one) => one.execution === execution);
    if (!open) return execution;
    const { added: items, depth, isFull, gathering, bytes } = open;
    return { ...execution, items, depth, ...(!isFull && { gathering: { ...gathering, bytes } }) };
  }

  /** Writes what executions have gathered that were there before. */
  async write(session: ClientSession): Promise<void> {
    const writes = [...this.touched].filter(({ isNew }) => !isNew).map(additionTo);
    if (writes.length > 0) await ExecutionModel.collection.bulkWrite(writes, { session });
  }
}

interface Asked {
  readonly cause: Cause;
  readonly graph: Graph;
  readonly contact: Contact | undefined;
}

/** Names what gathers together: a contact that is deleted and created again has another key. */
const keyOf = ({ automationId, contactId, testMode, data }: Cause, graph: Graph, { createdAt }: Contact): string =>
  derivedId('dgt', automationId, contactId, createdAt.toISOString(), String(testMode), keyIn(digestOf(graph)?.config ?? {}, data));

const itemOf = ({ eventId, name, at, data }: Cause): Gathered => ({ eventId, name, at, data: JSON.stringify(data) });

function additionTo({ execution: { _id, projectId }, added, depth, bytes, isFull }: Open) {
  const gathers = isFull
    ? { $unset: { gathering: '' as const }, $min: { checkAt: new Date(Date.now() + CHECK_AFTER_MS) } }
    : { $set: { 'gathering.bytes': bytes } };
  const update = { $push: { items: { $each: added } as never }, $max: { depth }, ...gathers };
  return { updateOne: { filter: { _id: _id as never, projectId }, update } };
}
