import { setTimeout as wait } from 'node:timers/promises';
import { Batcher } from '../../platform/batch';
import type { Hit } from './machine';
import { recordHits } from './record';

/** Limit for hits in memory while the database is slow or unavailable; further ones are lost. */
const MOST_WAITING = 5_000;
/** Delay for a hit that arrived before its message was recorded: its outcome is recorded within moments. */
const EARLY_MS = 250;
/** Hits of one transaction. */
const MOST_TOGETHER = 500;

/**
 * Records hits with one transaction at a time; what comes meanwhile goes together into the next. So a rush of opens costs few commits, and
 * a message that is opened many times at once is no conflict.
 */
export class HitRecorder {
  private readonly batches: Batcher<Hit, readonly Hit[]>;
  private waiting = 0;

  /** `judgesTime`: clicks are checked by their time too. */
  constructor(judgesTime: boolean) {
    this.batches = new Batcher((hits) => recordHits(hits, judgesTime), { most: MOST_TOGETHER });
  }

  /** Resolves when the hit is recorded. Rejects when it is not and will not be. */
  async record(hit: Hit): Promise<void> {
    if (this.waiting >= MOST_WAITING) throw new Error('Too many hits wait to be recorded');
    this.waiting++;
    try {
      while ((await this.batches.add(hit)).includes(hit)) await wait(EARLY_MS, undefined, { ref: false });
    } finally {
      this.waiting--;
    }
  }
}
