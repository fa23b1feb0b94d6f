import type { Core } from '../../platform/core';
import type { Event } from '../events';

/**
 * Somebody whom events are handed to. Each event comes at least once, and those of one contact come one after another in the order of their receipt;
 * so what a consumer does has to be keyed by the event, and to be harmless when it happens again, also at the same time in another process.
 */
export interface Consumer {
  readonly name: string;
  /**
   * `version` is that of the project's listeners, read for this event: what is cached for it is as new as the event. When it throws, or takes longer
   * than 20 s, the event comes again.
   */
  handle(core: Core, event: Event, version: number): Promise<void>;
}
