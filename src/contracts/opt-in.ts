import { defineSignal } from '@temporalio/workflow';

export interface OptInInput {
  readonly optInId: string;
  readonly projectId: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface OptInCheckInput extends OptInInput {
  readonly now: number;
}

/** The state of an opt-in, and the milliseconds until there is more to do. */
export interface OptInOutlook {
  readonly status: 'pending' | 'confirmed';
  /** Confirmations that were sent. */
  readonly mails: number;
  readonly waitMs: number;
}

export const optInWorkflowId = (optInId: string): string => `opt-in/${optInId}`;

/** It was asked for again, and a message may be due. */
export const askedSignal = defineSignal('asked');
