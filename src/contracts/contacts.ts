import { defineSignal, defineQuery } from '@temporalio/workflow';

/** Names a contact who pauses marketing mail. */
export interface SnoozeInput {
  readonly contactId: string;
  readonly projectId: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface EndSnoozeInput extends SnoozeInput {
  readonly now: number;
}

export const snoozeWorkflowId = (contactId: string): string => `snooze/${contactId}`;

/** The contact paused for another time, or resumed. Until when is read from the contact: a repeated or late signal does no harm. */
export const snoozeChangedSignal = defineSignal('snoozeChanged');

export interface ContactImportInput {
  readonly importId: string;
  readonly projectId: string;
}

export interface ContactImportProgress {
  readonly status: 'queued' | 'processing' | 'completed' | 'failed';
  readonly totalRows: number | null;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  readonly skipped: number;
  readonly failed: number;
}

export const contactImportId = (importId: string): string => `contact-import/${importId}`;

export const contactImportProgressQuery = defineQuery<ContactImportProgress>('progress');

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
