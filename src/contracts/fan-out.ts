import { fnv1a } from './hash';

/** Pumps that hand events on. All events of a contact are in one shard, so they are handed on one after another. */
export const FAN_OUT_SHARDS = 8;

export interface FanOutPumpInput {
  readonly shard: number;
}

export interface FanOutResult {
  /** How many events were handed on. */
  readonly handled: number;
}

export const fanOutPumpId = (shard: number): string => `fan-out/${shard}`;

/** The shard of an event by its contact, or by its project when it has none. */
export const fanOutShardOf = (contactId: string | null, projectId: string): number => fnv1a(contactId ?? projectId) % FAN_OUT_SHARDS;
