import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';

/** Counts the enrollments of a contact in an automation: every enrollment writes it, so concurrent ones are serialized. */
export interface EnrolmentGuard {
  /** `<automationId>:<contactId>` */
  readonly _id: string;
  readonly projectId: string;
  readonly contactId: string;
  readonly running: number;
  readonly total: number;
  /** The contact's creation: one that is deleted and created again counts from zero. */
  readonly since: Date;
}

const guardSchema = rowSchema<EnrolmentGuard>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  contactId: { type: String, required: true },
  running: { type: Number, required: true },
  total: { type: Number, required: true },
  since: { type: Date, required: true },
});
guardSchema.index({ projectId: 1, contactId: 1 }); // removes the data of a deleted contact

export const EnrolmentGuardModel = model<EnrolmentGuard>('EnrolmentGuard', guardSchema, 'automation_guards');

/** Outcomes of the steps at a node, of executions that are over. */
export interface NodeCounts {
  readonly entered: number;
  readonly completed: number;
  readonly skipped: number;
  readonly failed: number;
}

/** A part of an automation's counters, as all concurrent enrollments would write a single row. */
export interface AutomationCounts {
  /** `<automationId>:<part>` */
  readonly _id: string;
  readonly projectId: string;
  readonly automationId: string;
  readonly entered: number;
  readonly completed: number;
  readonly exited: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly nodes?: Readonly<Record<string, Partial<NodeCounts>>>;
  /** Written when the automation is deleted: conflicts with a concurrent enrollment, so that the deletion is repeated. */
  readonly closedAt?: Date;
}

const count = { type: Number, default: 0 };

const countSchema = rowSchema<AutomationCounts>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  automationId: { type: String, required: true },
  entered: count,
  completed: count,
  exited: count,
  failed: count,
  cancelled: count,
  nodes: { type: Schema.Types.Mixed },
  closedAt: { type: Date },
});
countSchema.index({ projectId: 1, automationId: 1 }); // the counters of some automations

export const AutomationCountsModel = model<AutomationCounts>('AutomationCounts', countSchema, 'automation_counts');
