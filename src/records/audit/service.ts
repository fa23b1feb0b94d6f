import { newId } from '../../platform/core';
import type { Core } from '../../platform/core';
import { withinLimit } from '../../platform/async';
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

export interface AuditQuery {
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

/** Reads a page of changes, newest first: of one project, or of all. */
export const readAudit = ({ projectId, limit, before }: AuditQuery): Promise<AuditEntry[]> =>
  AuditModel.find({ ...(projectId !== null && { projectId }), ...(before !== null && { _id: { $lt: before } }) })
    .sort({ _id: -1 })
    .limit(limit)
    .lean<AuditEntry[]>();
