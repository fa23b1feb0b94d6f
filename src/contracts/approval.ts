import { defineSignal } from '@temporalio/workflow';

export interface ApprovalInput {
  readonly approvalId: string;
  readonly projectId: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface ApprovalCheckInput extends ApprovalInput {
  readonly now: number;
}

/** `void`: it was approved, and what it was for has changed since it was requested. */
export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'expired', 'executed', 'failed', 'void'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** The state of an approval, and the milliseconds until its time is over; null once there is nothing left to do. */
export interface ApprovalOutlook {
  readonly state: ApprovalState;
  readonly waitMs: number | null;
}

export const approvalWorkflowId = (approvalId: string): string => `approval/${approvalId}`;

/** A person has decided. */
export const decidedSignal = defineSignal('decided');
