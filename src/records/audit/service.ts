import { newId, timePrefix } from '../../platform/core';
import type { Context, Core, PageRequest } from '../../platform/core';
import { withinLimit } from '../../platform/async';
import type { Page } from '../../platform/mongo';
import { AuditModel } from './model';
import type { AuditEntry, Change } from './model';

export type { AuditEntry, Change } from './model';

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

export interface AuditFilter {
  /** The author, as an entry has it. */
  readonly by?: string | undefined;
  readonly action?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly until?: Date | undefined;
}

export interface AuditQuery extends AuditFilter {
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
