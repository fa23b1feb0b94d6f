import { defineQuery, defineSignal } from '@temporalio/workflow';
import { fnv1a } from './hash';

/** Pumps of webhook deliveries. All deliveries to an endpoint are in one shard, so that one pump knows how many are under way. */
export const WEBHOOK_SHARDS = 8;

/** The same in every process and release. */
export const webhookShardOf = (webhookId: string): number => fnv1a(webhookId) % WEBHOOK_SHARDS;

export interface WebhookPumpInput {
  readonly shard: number;
}

export interface WebhookRunInput extends WebhookPumpInput {
  /** The workflow's time in milliseconds: what is due is judged by it, so that tests can skip time. */
  readonly now: number;
}

export interface WebhookRunResult {
  /** When the next delivery of the shard is due, in milliseconds; null when none waits. */
  readonly nextDueAt: number | null;
  /** How many attempts were made. */
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

export const webhookRemovalId = (webhookId: string): string => `webhook-removal/${webhookId}`;
