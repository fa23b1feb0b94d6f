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
