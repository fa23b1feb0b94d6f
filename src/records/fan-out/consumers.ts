import type { Core } from '../../platform/core';
import type { Event } from '../events';

/**
 * Receives events. Each event comes at least once, and the events of one contact come one after another in the order of their receipt. So the effects of
 * a consumer have to be keyed by the event and idempotent, also when another process handles the same event at the same time.
 */
export interface Consumer {
  readonly name: string;
  /**
   * Handles one event. `version` is the version of the project's listeners, read for this event: a cache keyed by it is as new as the event. When this
   * throws, or takes longer than 20 s, the event comes again.
   */
  handle(core: Core, event: Event, version: number): Promise<void>;
}
