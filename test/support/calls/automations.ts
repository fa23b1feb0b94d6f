import { advanceFrom } from '../../../src/marketing/automations/advance';
import { NOTHING_KNOWN } from '../../../src/marketing/automations/transitions';
import { callNode } from '../../../src/marketing/automations/webhook-node';
import type { Todo } from '../../../src/contracts/automation';
import type { Core } from '../../../src/platform/core/context';
import { emit } from '../../../src/records/events/emit';
import type { NewEvent } from '../../../src/records/events/emit';
import { EventModel } from '../../../src/records/events/model';
import type { Event } from '../../../src/records/events/model';
import { inTransaction } from '../../../src/platform/mongo/transaction';
import type { TestApp } from '../platform/app';
import { freshAddress, storePeople } from '../data/people';

type Json = Readonly<Record<string, unknown>>;

/** An automation as the API shows it. */
export interface Shown {
  readonly workflowId: string;
  readonly status: string;
  readonly entered: number;
  readonly completed: number;
  readonly active: number;
  readonly [member: string]: unknown;
}

/** An execution as the API shows it. */
export interface Run {
  readonly executionId: string;
  readonly status: string;
  readonly currentNodeId: string | null;
  readonly exitReason: string | null;
  readonly error: string | null;
  readonly steps: readonly {
    readonly nodeId: string;
    readonly type: string;
    readonly status: string;
    readonly branch: string | null;
    readonly output: Json | null;
    readonly error: string | null;
    readonly startedAt: string;
    readonly finishedAt: string | null;
  }[];
  readonly [member: string]: unknown;
}

export const node = (id: string, type: string, config: Json = {}) => ({ id, type, config });
export const send = (id: string, change: Json = {}) =>
  node(id, 'send_email', {
    subject: `Mail of ${id}`,
    body: '<p>Hello {{firstName}}</p>',
    fromEmail: 'news@hello.test',
    type: 'transactional',
    ...change,
  });
export const edge = (from: string, to: string, branch?: string) => ({ from, to, ...(branch !== undefined && { branch }) });

/** A trigger called `start` and the nodes after it in a row, each by its only or its first outcome. */
export function chain(...nodes: readonly ReturnType<typeof node>[]) {
  const all = [node('start', 'trigger'), ...nodes];
  const first: Readonly<Record<string, string>> = { wait_for_event: 'event', condition: 'yes', webhook: 'success' };
  return { nodes: all, edges: all.slice(1).map(({ id }, index) => edge(all[index]?.id ?? '', id, first[all[index]?.type ?? ''])) };
}

/** Creates an active automation; `change` overrides the defaults. */
export async function activate(app: TestApp, graph: unknown, change: Json = {}, key?: string): Promise<string> {
  const draft = await app
    .api(key)
    .post('/v1/workflows')
    .send({ name: 'Welcome', trigger: 'event:signed.up', graph, ...change })
    .expect(201);
  const { workflowId } = draft.body.data as Shown;
  await app.api(key).patch(`/v1/workflows/${workflowId}`).send({ status: 'active' }).expect(200);
  return workflowId;
}

export const HOUR_MS = 3_600_000;
export const always = { reentry: 'always' };
/** A delay of an hour. */
export const hour = node('w', 'delay', { amount: 1, unit: 'hours' });

/** Waits an hour for an order: `e` when it came, `t` when it did not. */
export const waits = (config: Json = {}) => ({
  nodes: [
    node('start', 'trigger'),
    node('w', 'wait_for_event', { event: 'order.placed', timeout: { amount: 1, unit: 'hours' }, ...config }),
    node('e', 'exit'),
    node('t', 'exit'),
  ],
  edges: [edge('start', 'w'), edge('w', 'e', 'event'), edge('w', 't', 'timeout')],
});

/** Creates a contact. Resolves to its id. */
export async function contact(app: TestApp, change: Json = {}, key?: string): Promise<string> {
  const { body } = await app
    .api(key)
    .post('/v1/contacts')
    .send({ email: freshAddress(), ...change });
  return body.data.contactId as string;
}

export async function enrol(app: TestApp, workflowId: string, contactId: string, change: Json = {}, key?: string): Promise<string> {
  const { body } = await app
    .api(key)
    .post(`/v1/workflows/${workflowId}/enroll`)
    .send({ contactId, ...change })
    .expect(201);
  return body.data.executionId as string;
}

export async function runOf(app: TestApp, executionId: string): Promise<Run> {
  return (await app.api().get(`/v1/workflows/executions/${executionId}`).expect(200)).body.data as Run;
}

/** Delay after which a held execution asks again, instead of minutes. */
const HELD_BACK_MS = 100;

/** Does what the execution's workflow would do, in this process, until it waits for something or is over. */
export async function drive(core: Core, projectId: string, executionId: string, now = Date.now()): Promise<Todo> {
  for (let todo: Todo = { next: 'node', nodeId: null, type: 'trigger' }; ;) {
    const input = { executionId, projectId, now };
    if (todo.next === 'call' && todo.heldBack) await new Promise((resolve) => setTimeout(resolve, HELD_BACK_MS));
    todo =
      todo.next === 'call'
        ? await callNode(core, { ...input, attempt: todo.attempt })
        : (await advanceFrom(core, input, 'run_1', NOTHING_KNOWN)).todo;
    if (todo.next === 'over' || todo.next === 'wait') return todo;
  }
}

/** Enrolls a contact and drives the execution. Resolves to it as it is then shown. */
export async function play(app: TestApp, workflowId: string, contactId: string, change: Json = {}): Promise<Run> {
  const executionId = await enrol(app, workflowId, contactId, change);
  await drive(app.core, app.keys.projectId, executionId);
  return runOf(app, executionId);
}

/** Starts a new contact in a new automation, up to its first wait. */
export async function started(
  app: TestApp,
  graph: unknown,
  change: Json = {},
): Promise<{ readonly id: string; readonly executionId: string; readonly contactId: string }> {
  const id = await activate(app, graph, { ...always, ...change });
  const contactId = await contact(app);
  const executionId = await enrol(app, id, contactId);
  await drive(app.core, app.keys.projectId, executionId);
  return { id, executionId, contactId };
}

/** Starts a number of new contacts in one new automation, up to its first wait. */
export async function startedTogether(app: TestApp, count: number, graph: unknown): Promise<readonly { readonly executionId: string }[]> {
  const id = await activate(app, graph, always);
  const start = async (contactId: string) => {
    const executionId = await enrol(app, id, contactId);
    await drive(app.core, app.keys.projectId, executionId);
    return { executionId };
  };
  return Promise.all((await storePeople(app.keys.projectId, count)).map(start));
}

/** Stores an event as `emit` does; it is not delivered yet. */
export async function emitted(app: TestApp, name: string, contactId: string | null, change: Partial<NewEvent> = {}): Promise<Event> {
  const event = { projectId: app.keys.projectId, name, contactId, testMode: false, at: new Date(), ...change };
  const [id] = await inTransaction((session) => emit(session, [event]));
  return (await EventModel.findById(id).lean<Event>()) as Event;
}

/** Emits the event that `waits` waits for. */
export const ordered = (app: TestApp, contactId: string, data: Json = {}, change: Partial<NewEvent> = {}): Promise<Event> =>
  emitted(app, 'order.placed', contactId, { data, ...change });
