import { defineQuery, defineSignal } from '@temporalio/workflow';
import { fnv1a } from './hash';

/** Pumps of webhook deliveries. All deliveries to an endpoint are in one shard, so that one pump knows how many are under way. */
export const WEBHOOK_SHARDS = 8;

/** Returns the shard of an endpoint, the same in every process and release. */
export const webhookShardOf = (webhookId: string): number => fnv1a(webhookId) % WEBHOOK_SHARDS;

export interface WebhookPumpInput {
  readonly shard: number;
}

export interface WebhookRunInput extends WebhookPumpInput {
  /** The workflow's time in milliseconds: what is due is checked by it, so that tests can skip time. */
  readonly now: number;
}

export interface WebhookRunResult {
  /** When the next delivery of the shard is due, in milliseconds; null when none waits. */
  readonly nextDueAt: number | null;
  /** Number of attempts. */
  readonly handled: number;
}

export const webhookPumpId = (shard: number): string => `webhook-pump/${shard}`;

export const wakeSignal = defineSignal('wake');

export interface WebhookProgress {
  readonly handled: number;
  readonly state: 'delivering' | 'waiting';
  readonly nextDueAt: string | null;
}

export const webhookProgressQuery = defineQuery<WebhookProgress>('progress');

export interface WebhookKey {
  readonly webhookId: string;
  readonly projectId: string;
}

/** Returns the workflow id for an endpoint that has deliveries waiting for another attempt. */
export const webhookRetryId = (webhookId: string): string => `webhook-retry/${webhookId}`;

/** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
export interface RetryCheckInput extends WebhookKey {
  readonly now: number;
}

/** The state of an endpoint whose deliveries wait for a retry. */
export interface RetryOutlook {
  readonly waiting: RetriesWaiting;
  /** Milliseconds until the next check. */
  readonly waitMs: number;
}

/** The deliveries that wait, as the workflow shows them; instants are ISO 8601. */
export interface RetriesWaiting {
  /** The count, up to its limit. */
  readonly deliveries: number;
  readonly isMore: boolean;
  /** When the oldest of them was made. */
  readonly since: string;
  /** The class of the last failure, without anything that a server or a caller wrote; null when none was noted. */
  readonly lastError: string | null;
  /** Null while one is due or under way. */
  readonly nextAttemptAt: string | null;
  /** While the endpoint is left alone because it did not answer: until when. */
  readonly pausedUntil?: string | null;
}

export const webhookRetriesQuery = defineQuery<RetriesWaiting | null>('retries');

export const webhookRemovalId = (webhookId: string): string => `webhook-removal/${webhookId}`;
