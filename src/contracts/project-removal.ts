import { defineQuery } from '@temporalio/workflow';

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
