import { defineSignal } from '@temporalio/workflow';

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
