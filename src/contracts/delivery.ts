import { defineQuery, defineSignal } from '@temporalio/workflow';
import { fnv1a } from './hash';

/** Pumps of outgoing mail. All mail of a project is in one shard, so one pump sees all of it and can be fair to the others. */
export const DELIVERY_SHARDS = 16;

/** The same in every process and release. */
export const shardOf = (projectId: string): number => fnv1a(projectId) % DELIVERY_SHARDS;

export interface DeliveryPumpInput {
  readonly shard: number;
}

export interface PumpInput {
  readonly shard: number;
  /** The workflow's time in milliseconds: what is due is judged by it, so that tests can skip time. */
  readonly now: number;
}

export interface PumpResult {
  /** When the next message of the shard is due, in milliseconds; null when none waits. */
  readonly nextDueAt: number | null;
  /** How many messages came to an end or were put off. */
  readonly handled: number;
}

export const deliveryPumpId = (shard: number): string => `delivery/${shard}`;

export const wakeSignal = defineSignal('wake');

export interface DeliveryProgress {
  readonly handled: number;
  readonly state: 'delivering' | 'waiting';
  readonly nextDueAt: string | null;
}

export const deliveryProgressQuery = defineQuery<DeliveryProgress>('progress');
