import { newId, timePrefix } from '../platform/core';
import type { Context, Core, PageRequest } from '../platform/core';
import { withinLimit } from '../platform/async';
import type { Page } from '../platform/mongo';
import { model, rowSchema } from '../platform/mongo';

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

/** Requests wait no longer for the entry: the change itself is made. */
const WRITE_MS = 1_000;

/** Writes down a change that was made. Never rejects: what could not be written, or not in time, is handed to `failed`. */
export async function recordChange(change: Change, failed: (error: unknown) => void): Promise<void> {
  try {
    const at = new Date();
    await withinLimit(WRITE_MS, () => AuditModel.collection.insertOne({ _id: newId('aud', at.getTime()), at, ...change }));
  } catch (error) {
    failed(error);
  }
}

/** Does the same, and says in the log of the process which change is missing. */
export const noteChange = ({ log }: Pick<Core, 'log'>, change: Change): Promise<void> =>
  recordChange(change, (error) => {
    const { projectId, by, action, subject } = change;
    log.error({ err: error, projectId, by, action, subject }, 'A change is missing from the audit');
  });

interface AuditFilter {
  /** The author, as an entry has it. */
  readonly by?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

interface AuditQuery extends AuditFilter {
  readonly projectId: string | null;
  readonly limit: number;
  /** Only what was written before the entry with this id. */
  readonly before: string | null;
}

/** Reads all changes that are kept, newest first: of one project, or of all. */
export const allAudit = (projectId: string | null): Promise<AuditEntry[]> =>
  AuditModel.find(projectId === null ? {} : { projectId })
    .sort({ _id: -1 })
    .lean<AuditEntry[]>();

// An id begins with the instant of its entry.
const startOf = (at: Date): string => timePrefix('aud', at.getTime());

/** Returns the bounds of the ids; none where nothing bounds them. */
function idsOf({ before, from, until }: Pick<AuditQuery, 'before' | 'from' | 'until'>) {
  const [end] = [before ?? [], until ? startOf(until) : []].flat().sort();
  return { ...(from && { $gte: startOf(from) }), ...(end !== undefined && { $lt: end }) };
}

/** Reads a page of changes, newest first: of one project, or of all. */
export function readAudit({ projectId, limit, by, action, ...bounds }: AuditQuery): Promise<AuditEntry[]> {
  const ids = idsOf(bounds);
  const filter = {
    ...(projectId !== null && { projectId }),
    ...(by !== undefined && { by }),
    ...(action !== undefined && { action }),
    ...(Object.keys(ids).length > 0 && { _id: ids }),
  };
  return AuditModel.find(filter).sort({ _id: -1 }).limit(limit).lean<AuditEntry[]>();
}

/** Resolves to a page of a project's changes that match, newest first. */
export async function listAudit({ projectId }: Context, filter: AuditFilter, { limit, after }: PageRequest): Promise<Page<AuditEntry>> {
  const found = await readAudit({ projectId, limit: limit + 1, before: after?.id ?? null, ...filter });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, next: found.length > limit && last ? { at: last.at, id: last._id } : null };
}
