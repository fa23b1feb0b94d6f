import { Schema } from 'mongoose';
import { ARCHIVED_AT } from '../../platform/archive';
import type { Archivable } from '../../platform/archive';
import { model, rowSchema } from '../../platform/mongo';
import type { SendWindows } from '../../contracts/send-windows';
import type { ActiveSpan } from '../../records/events';

const AUTOMATION_STATUSES = ['draft', 'active', 'paused'] as const;
const REENTRIES = ['never', 'after_exit', 'always'] as const;

/** The references of a graph. */
export interface GraphUses {
  readonly templates: readonly string[];
  readonly segments: readonly string[];
  /** Domains of senders that the graph names itself. */
  readonly domains: readonly string[];
  /** Ids of topics of its messages, and keys of those that its conditions ask about. */
  readonly topics: readonly string[];
}

/** The references of an automation; these objects cannot be deleted. */
export interface Uses extends GraphUses {
  /** Names of events that start it, that it waits for or that its conditions name. */
  readonly events: readonly string[];
}

export interface Automation extends Archivable {
  readonly name: string;
  readonly status: (typeof AUTOMATION_STATUSES)[number];
  readonly trigger: string;
  /** The version of the project's listeners since which status and trigger are these; absent in a draft. */
  readonly since?: number;
  /** Times in which it was active before, the last ones. */
  readonly earlier: readonly ActiveSpan[];
  readonly reentry: (typeof REENTRIES)[number];
  /** JSON text: a node's `position` may have keys that the database does not accept. */
  readonly graph: string | null;
  /** The pinned graph; set since the automation was first activated. */
  readonly graphId: string | null;
  /** Names that executions may wait for, also by earlier graphs. */
  readonly waits: readonly string[];
  readonly uses: Uses;
  /** Set once a graph of it had a digest: its executions may hold events. */
  readonly gathers?: true;
  /** When its marketing mail may go out; absent or null where the project's windows hold. */
  readonly windows?: SendWindows | null;
  readonly createdAt: Date;
  /** Grows with each change. */
  readonly revision: number;
}

const texts = { type: [String], required: true };

const automationSchema = rowSchema<Automation>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  name: { type: String, required: true },
  status: { type: String, enum: AUTOMATION_STATUSES, required: true },
  trigger: { type: String, required: true },
  since: { type: Number },
  earlier: { type: [Schema.Types.Mixed], default: [] },
  reentry: { type: String, enum: REENTRIES, required: true },
  graph: { type: String, default: null },
  graphId: { type: String, default: null },
  waits: texts,
  uses: new Schema({ templates: texts, segments: texts, domains: texts, topics: texts, events: texts }, { _id: false }),
  gathers: { type: Boolean },
  windows: { type: Schema.Types.Mixed },
  createdAt: { type: Date, required: true },
  archivedAt: ARCHIVED_AT,
  revision: { type: Number, required: true },
});
automationSchema.index({ projectId: 1, createdAt: -1, _id: -1, name: 1, status: 1, archivedAt: 1 }); // list a project's automations, newest first; a search by name, status or archive reads no others
automationSchema.index({ projectId: 1, trigger: 1, _id: 1 }); // automations that an event starts
automationSchema.index({ projectId: 1, 'earlier.trigger': 1, _id: 1 }); // automations that it started before, for events that are handed on late
automationSchema.index({ projectId: 1, 'uses.templates': 1 }); // automations that use a template
automationSchema.index({ projectId: 1, 'uses.segments': 1 }); // automations that refer to a segment
automationSchema.index({ projectId: 1, 'uses.domains': 1 }); // automations that send from a domain
automationSchema.index({ projectId: 1, 'uses.topics': 1 }); // automations that name a topic
automationSchema.index({ projectId: 1, 'uses.events': 1 }); // automations that refer to an event

export const AutomationModel = model<Automation>('Automation', automationSchema, 'automations');

/** A graph that executions pin, stored once for all of them. */
export interface PinnedGraph {
  /** Derived from the project and the text. */
  readonly _id: string;
  readonly projectId: string;
  readonly graph: string;
  /** Objects that cannot be deleted while executions run in this graph, even if their automation has another one by now. */
  readonly uses: GraphUses;
}

const graphSchema = rowSchema<PinnedGraph>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  graph: { type: String, required: true },
  uses: new Schema({ templates: texts, segments: texts, domains: texts, topics: texts }, { _id: false }),
});
graphSchema.index({ projectId: 1, 'uses.templates': 1 }); // graphs that use a template
graphSchema.index({ projectId: 1, 'uses.segments': 1 }); // graphs that refer to a segment
graphSchema.index({ projectId: 1, 'uses.domains': 1 }); // graphs that send from a domain
graphSchema.index({ projectId: 1, 'uses.topics': 1 }); // graphs that name a topic
export const PinnedGraphModel = model<PinnedGraph>('PinnedGraph', graphSchema, 'automation_graphs');
