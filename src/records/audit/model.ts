import { model, rowSchema } from '../../platform/mongo';

/** Time for which changes are kept. */
const KEPT_SECONDS = 400 * 86_400;

/** An entry of the audit: actor, time and object of a change, without values. */
export interface Change {
  /** Null of what belongs to no project. */
  readonly projectId: string | null;
  /** `key <beginning of the key>`, `person <id>`, `console <beginning of the session>` of one that a link began, `approval <id>` for what was approved, `link` for a decision by its link, or `operator <name on the machine>`. */
  readonly by: string;
  /** The action and the kind of object, e.g. `webhook.update`. */
  readonly action: string;
  /** Which thing; of a key, its beginning. Null where the project has one only. */
  readonly subject: string | null;
  /** The caller's own words, where an operation takes them. */
  readonly reason?: string;
}

export interface AuditEntry extends Change {
  readonly _id: string;
  readonly at: Date;
}

const auditSchema = rowSchema<AuditEntry>({
  _id: { type: String, required: true },
  at: { type: Date, required: true },
  projectId: { type: String, default: null },
  by: { type: String, required: true },
  action: { type: String, required: true },
  subject: { type: String, default: null },
  reason: { type: String },
});
auditSchema.index({ projectId: 1, _id: -1 }); // a project's changes, newest first; all changes go by _id
auditSchema.index({ projectId: 1, by: 1, _id: -1 }); // list changes by author
auditSchema.index({ projectId: 1, action: 1, _id: -1 }); // list changes by action
auditSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_SECONDS }); // the end of an entry

export const AuditModel = model<AuditEntry>('Audit', auditSchema, 'audit');
