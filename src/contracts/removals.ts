import { defineQuery } from '@temporalio/workflow';

export interface ErasureInput {
  readonly erasureId: string;
  readonly projectId: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface ErasureBatchInput extends ErasureInput {
  readonly now: number;
}

/** Progress of an erasure: running, waiting for mail and events that are on their way, or completed. */
export interface ErasureProgress {
  readonly status: 'running' | 'waiting' | 'completed';
  /** Number of persons to erase. */
  readonly contacts: number;
  /** Rows that were changed or deleted so far. */
  readonly erased: number;
  /** Messages and events that are on their way. */
  readonly open: number;
  /** After how many milliseconds there is more to do. */
  readonly waitMs: number;
}

export const erasureWorkflowId = (erasureId: string): string => `erasure/${erasureId}`;

export const erasureProgressQuery = defineQuery<ErasureProgress | null>('progress');

export interface ProjectRemovalInput {
  readonly projectId: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface ProjectRemovalBatchInput extends ProjectRemovalInput {
  readonly now: number;
}

/** Progress of the removal of a project. */
export interface ProjectRemovalProgress {
  readonly status: 'running' | 'waiting' | 'completed';
  /** The collection that was searched last, or `workflows`. */
  readonly step: string;
  /** Rows that were removed and workflows that were ended so far. */
  readonly removed: number;
  /** After how many milliseconds there is more to do. */
  readonly waitMs: number;
}

export const projectRemovalId = (projectId: string): string => `project-removal/${projectId}`;

export const projectRemovalProgressQuery = defineQuery<ProjectRemovalProgress | null>('progress');

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time; and the project after which it continues. */
export interface RetentionBatchInput {
  readonly now: number;
  /** Null: with the first. */
  readonly after: string | null;
}

export interface RetentionProgress {
  /** Rows that were removed or changed, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Continuation of the next batch; absent after the last one. */
  readonly next?: { readonly after: string | null };
}
