import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { NodeType } from '../../rules/automation/graph';
import type { Input, State, StepClosed } from '../../rules/automation/machine';

const EXECUTION_STATUSES = ['running', 'waiting', 'completed', 'exited', 'failed', 'cancelled'] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

/** A node that was entered. */
export interface Step {
  readonly nodeId: string;
  readonly type: NodeType;
  readonly status: 'running' | 'waiting' | StepClosed['status'];
  readonly branch: string | null;
  readonly output: StepClosed['output'];
  readonly error: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** The event that a `wait_for_event` waits for; its filter is in the pinned graph. */
export interface Wait {
  readonly nodeId: string;
  readonly event: string;
  /** Start of the wait by the database's clock, like the receipt of events: earlier events do not count. */
  readonly since: Date;
  readonly until: Date;
  /** The event that ended it, once there is one. */
  readonly eventId: string | null;
}

/** An event that a digest has gathered. */
export interface Gathered {
  /** Null for an enrollment by hand. */
  readonly eventId: string | null;
  readonly name: string;
  /** JSON text. */
  readonly data: string;
  readonly at: Date;
}

/** The digest at which an execution gathers events; absent once it is full, or left. */
export interface Gathering {
  /** The same for events that belong together. */
  readonly key: string;
  /** The name of the event that it began with. */
  readonly event: string;
  readonly until: Date;
  readonly max: number;
  /** Size of the data of all items. */
  readonly bytes: number;
}

/** One contact in one automation. */
export interface Execution {
  readonly _id: string;
  readonly projectId: string;
  readonly automationId: string;
  /** Null once the contact is deleted. */
  readonly contactId: string | null;
  readonly email: string | null;
  readonly testMode: boolean;
  readonly graphId: string;
  /** Number of automations that led to it, one after another. */
  readonly depth: number;
  readonly eventId: string | null;
  /** JSON text of the triggering event's data. */
  readonly data: string;
  readonly status: ExecutionStatus;
  readonly currentNodeId: string | null;
  readonly exitReason: string | null;
  readonly error: string | null;
  /** When the contact was enrolled. */
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  /** The run of the Temporal workflow that executes it. */
  readonly runId: string | null;
  /** Grows with each transition of the interpreter, so that a transition is made once. */
  readonly turn: number;
  /** The interpreter's state; null before it has begun. */
  readonly state: State | null;
  /** The result of the current node, which is done, while the execution is held before the next one. */
  readonly pending: Input | null;
  readonly steps: readonly Step[];
  readonly waitingFor?: Wait;
  readonly gathering?: Gathering;
  /** The events that its digest has gathered, in order; the first one started it. */
  readonly items?: readonly Gathered[];
  /** Set when its workflow needs a nudge: the execution may continue, or is over. */
  readonly nudge?: true;
  /** When the sweep checks that its workflow exists; only until it is over. */
  readonly checkAt?: Date;
}

const executionSchema = rowSchema<Execution>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  automationId: { type: String, required: true },
  contactId: { type: String, default: null },
  email: { type: String, default: null },
  testMode: { type: Boolean, required: true },
  graphId: { type: String, required: true },
  depth: { type: Number, required: true },
  eventId: { type: String, default: null },
  data: { type: String, required: true },
  status: { type: String, enum: EXECUTION_STATUSES, required: true },
  currentNodeId: { type: String, default: null },
  exitReason: { type: String, default: null },
  error: { type: String, default: null },
  createdAt: { type: Date, required: true },
  finishedAt: { type: Date, default: null },
  runId: { type: String, default: null },
  turn: { type: Number, required: true },
  state: { type: Schema.Types.Mixed, default: null },
  pending: { type: Schema.Types.Mixed, default: null },
  steps: { type: [Schema.Types.Mixed], required: true },
  waitingFor: { type: Schema.Types.Mixed },
  gathering: { type: Schema.Types.Mixed },
  items: { type: [Schema.Types.Mixed], default: undefined },
  nudge: { type: Boolean },
  checkAt: { type: Date },
});
executionSchema.index({ projectId: 1, automationId: 1, createdAt: -1, _id: -1 }); // list an automation's executions, newest first
executionSchema.index({ projectId: 1, automationId: 1, status: 1, createdAt: -1, _id: -1 }); // the same, of one status; those in flight: cancel-all, funnel
executionSchema.index(
  { projectId: 1, contactId: 1, automationId: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: { contactId: { $gt: '' } } },
); // a contact's executions, of one automation or of all
executionSchema.index(
  { projectId: 1, contactId: 1, 'waitingFor.event': 1 },
  { partialFilterExpression: { 'waitingFor.event': { $gt: '' } } },
); // executions that wait for an event
executionSchema.index({ projectId: 1, 'gathering.key': 1 }, { partialFilterExpression: { 'gathering.key': { $gt: '' } } }); // the execution that gathers events
executionSchema.index({ projectId: 1, 'items.eventId': 1 }, { partialFilterExpression: { 'items.eventId': { $gt: '' } } }); // the execution that has gathered an event
executionSchema.index({ projectId: 1, automationId: 1, _id: 1 }, { partialFilterExpression: { nudge: true } }); // executions whose workflows need a nudge
executionSchema.index({ checkAt: 1 }, { partialFilterExpression: { checkAt: { $exists: true } } }); // sweep: executions whose workflows were not checked for the longest time
executionSchema.index({ projectId: 1, graphId: 1 }, { partialFilterExpression: { checkAt: { $exists: true } } }); // whether executions are under way in a graph, before what it uses is deleted
executionSchema.index({ projectId: 1, finishedAt: 1 }, { partialFilterExpression: { finishedAt: { $gt: new Date(0) } } }); // retention: a project's executions that have been over for the longest time
// What ends soonest: of a project, of an automation, of a contact.
for (const whose of [{}, { automationId: 1 }, { contactId: 1 }] as const) {
  const known = Object.fromEntries(Object.keys(whose).map((name) => [name, { $gt: '' }]));
  executionSchema.index(
    { projectId: 1, ...whose, 'state.until': 1, _id: 1 },
    { partialFilterExpression: { ...known, 'state.until': { $gt: '' } } },
  ); // delays
  executionSchema.index(
    { projectId: 1, ...whose, 'waitingFor.until': 1, _id: 1 },
    { partialFilterExpression: { ...known, 'waitingFor.until': { $gt: new Date(0) } } },
  ); // waits for events
}

export const ExecutionModel = model<Execution>('Execution', executionSchema, 'automation_executions');
