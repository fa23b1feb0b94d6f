import { defineQuery, defineSignal } from '@temporalio/workflow';
import { fnv1a } from './hash';

/** Number of pumps of outgoing mail: the most workers that can share the mail of one project. */
export const DELIVERY_SHARDS = 16;

/** Returns the shard of a project's mail while it is little, so that one pump stays awake for it. The same in every process and release. */
export const shardOf = (projectId: string): number => fnv1a(projectId) % DELIVERY_SHARDS;

/** Returns the shard of a message where a project has many. */
export const shardOfMessage = (emailId: string): number => fnv1a(emailId) % DELIVERY_SHARDS;

/** Returns the task queue of one worker process: what is given to it runs there and nowhere else. */
export const deliveryQueueOf = (workerId: string): string => `delivery/${workerId}`;

export interface DeliveryPumpInput {
  readonly shard: number;
}

export interface PumpInput {
  readonly shard: number;
  /** The workflow's time in milliseconds: what is due is checked by it, so that tests can skip time. */
  readonly now: number;
  /** The worker that it was moved to did not take it: it is to stay where it is for a while. */
  readonly stay?: boolean;
}

export interface PumpResult {
  /** When the next message of the shard is due, in milliseconds; null when none waits. */
  readonly nextDueAt: number | null;
  /** Number of messages that ended or were deferred. */
  readonly handled: number;
  /** The task queue of the worker that should continue: more mail is due than this one can send. */
  readonly moveTo?: string;
}

export const deliveryPumpId = (shard: number): string => `delivery/${shard}`;

export const wakeSignal = defineSignal('wake');

export interface DeliveryProgress {
  readonly handled: number;
  readonly state: 'delivering' | 'waiting';
  readonly nextDueAt: string | null;
}

export const deliveryProgressQuery = defineQuery<DeliveryProgress>('progress');
