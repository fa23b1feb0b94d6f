import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';

/** Names a sending domain. */
export interface DomainVerificationInput {
  readonly domainId: string;
  readonly projectId: string;
}

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface DomainCheckInput extends DomainVerificationInput {
  readonly now: number;
}

/** The result of a check, and the time until the next one; null: until somebody asks. */
export interface DomainCheckResult {
  readonly status: 'pending' | 'verified' | 'failed';
  readonly waitMs: number | null;
}

/** Returns the workflow id, which never contains the domain's name: the platform chooses ids, customers choose names. */
export const domainVerificationId = (domainId: string): string => `domain/${domainId}`;

/** Something has changed in the document of the domain. What, is read there: a repeated or late signal does no harm. */
export const checkAgainSignal = defineSignal('lookAgain');

/** Checks the domain's records, and is answered after that. The result is then in the domain's document. */
export const checkUpdate = defineUpdate<void>('check');

export interface DomainVerificationProgress {
  readonly status: DomainCheckResult['status'] | 'unknown';
  /** ISO 8601 instant. */
  readonly nextCheckAt: string | null;
}

export const domainProgressQuery = defineQuery<DomainVerificationProgress>('progress');
