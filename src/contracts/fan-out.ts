import { defineQuery, defineSignal } from '@temporalio/workflow';
import { fnv1a } from './hash';

/** Pumps that deliver events. All events of a contact are in one shard, so they are delivered one after another. */
export const FAN_OUT_SHARDS = 8;

export interface FanOutPumpInput {
  readonly shard: number;
}

export interface FanOutResult {
  /** Number of events that were delivered or set aside. */
  readonly handled: number;
  /** The run was stopped: there may be more to do at once. */
  readonly more: boolean;
}

export const fanOutPumpId = (shard: number): string => `fan-out/${shard}`;

/** Returns the shard of an event by its contact, or by its project when it has none. */
export const fanOutShardOf = (contactId: string | null, projectId: string): number => fnv1a(contactId ?? projectId) % FAN_OUT_SHARDS;

export const wakeSignal = defineSignal('wake');

export interface FanOutProgress {
  readonly handled: number;
  readonly state: 'handing on' | 'waiting';
}

export const fanOutProgressQuery = defineQuery<FanOutProgress>('progress');
