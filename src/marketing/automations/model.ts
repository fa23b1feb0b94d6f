import { Schema, model } from 'mongoose';

const AUTOMATION_STATUSES = ['draft', 'active', 'paused'] as const;
const REENTRIES = ['never', 'after_exit', 'always'] as const;

/** What an automation refers to, for those who may not delete it. */
export interface Uses {
  readonly templates: readonly string[];
  readonly segments: readonly string[];
  /** Domains of senders that the graph itself names. */
  readonly domains: readonly string[];
  /** Names of events that it is started by, waits for or asks about. */
  readonly events: readonly string[];
}

export interface Automation {
  readonly _id: string;
  readonly projectId: string;
  readonly name: string;
  readonly status: (typeof AUTOMATION_STATUSES)[number];
  readonly trigger: string;
  readonly reentry: (typeof REENTRIES)[number];
  /** JSON text: keys of a node's `position` are its author's own, whatever the database thinks of them. */
  readonly graph: string | null;
  /** Where the graph is pinned; set since the automation was first activated. */
  readonly graphId: string | null;
  /** Names that executions may wait for, those of graphs before this one too. */
  readonly waits: readonly string[];
  readonly uses: Uses;
  readonly createdAt: Date;
  /** Grows with each change. */
  readonly revision: number;
}

const texts = { type: [String], required: true };

const automationSchema = new Schema<Automation>(
  {
    _id: { type: String, required: true },
    projectId: { type: String, required: true },
    name: { type: String, required: true },
    status: { type: String, enum: AUTOMATION_STATUSES, required: true },
    trigger: { type: String, required: true },
    reentry: { type: String, enum: REENTRIES, required: true },
    graph: { type: String, default: null },
    graphId: { type: String, default: null },
    waits: texts,
    uses: new Schema({ templates: texts, segments: texts, domains: texts, events: texts }, { _id: false }),
    createdAt: { type: Date, required: true },
    revision: { type: Number, required: true },
  },
  { strict: 'throw', versionKey: false },
);
automationSchema.index({ projectId: 1, createdAt: -1, _id: -1 }); // list a project's automations, newest first
automationSchema.index({ projectId: 1, trigger: 1, _id: 1 }); // whom an event starts
automationSchema.index({ projectId: 1, 'uses.templates': 1 }); // who uses a template
automationSchema.index({ projectId: 1, 'uses.segments': 1 }); // who refers to a segment
automationSchema.index({ projectId: 1, 'uses.domains': 1 }); // who sends from a domain
automationSchema.index({ projectId: 1, 'uses.events': 1 }); // who has to do with an event

export const AutomationModel = model<Automation>('Automation', automationSchema, 'automations');

/** A graph as executions keep it, stored once however many they are. */
export interface PinnedGraph {
  /** A function of the project and the text. */
  readonly _id: string;
  readonly projectId: string;
  readonly graph: string;
}

const graphSchema = new Schema<PinnedGraph>(
  { _id: { type: String, required: true }, projectId: { type: String, required: true }, graph: { type: String, required: true } },
  { strict: 'throw', versionKey: false },
);
export const PinnedGraphModel = model<PinnedGraph>('PinnedGraph', graphSchema, 'automation_graphs');
