import type { Hit } from './hit';
import { recordHits } from './record';

/** Limit for hits in memory while the database is slow or unavailable; further ones are lost. */
const MOST_WAITING = 5_000;
/** Delay for a hit that arrived before its message was recorded. */
const EARLY_MS = 250;
/** Hits of one transaction. */
const MOST_TOGETHER = 500;

interface Waiting {
  readonly hit: Hit;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records hits with one transaction at a time; what comes meanwhile goes together into the next. So a rush of opens costs few commits, and
 * a message that is opened many times at once is no conflict.
 */
export class HitRecorder {
  private waiting: Waiting[] = [];
  private writing = false;

  /** `judgesTime`: clicks are checked by their time too. */
  constructor(private readonly judgesTime: boolean) {}

  /** Resolves when the hit is recorded. Rejects when it is not and will not be. */
  record(hit: Hit): Promise<void> {
    if (this.waiting.length >= MOST_WAITING) return Promise.reject(new Error('Too many hits wait to be recorded'));
    return new Promise((resolve, reject) => {
      this.waiting.push({ hit, resolve, reject });
      if (!this.writing) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.writing = true;
    while (this.waiting.length > 0) {
      const together = this.waiting.slice(0, MOST_TOGETHER);
      this.waiting = this.waiting.slice(MOST_TOGETHER);
      await this.write(together);
    }
    this.writing = false;
  }

  /** Retries hits whose messages are still being sent: their outcome is recorded within moments. */
  private tryLater(early: readonly Waiting[]): void {
    if (early.length === 0) return;
    setTimeout(() => {
      this.waiting.push(...early);
      if (!this.writing) void this.writeAll();
    }, EARLY_MS).unref();
  }

  private async write(together: readonly Waiting[]): Promise<void> {
    try {
      const early = new Set(
        await recordHits(
          together.map(({ hit }) => hit),
          this.judgesTime,
        ),
      );
      for (const { resolve } of together.filter(({ hit }) => !early.has(hit))) resolve();
      this.tryLater(together.filter(({ hit }) => early.has(hit)));
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }
}
