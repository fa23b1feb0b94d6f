import { catchUpStatus } from '../emails/engagement';
import type { Logger } from '../log';
import { recordHits } from './record';
import type { Hit } from './record';

/** Hits that are kept in memory while the database is slow or away; what comes beyond is lost. */
const MOST_WAITING = 5_000;
/** Hits of one transaction. */
const MOST_TOGETHER = 500;
/** When to look whether delivery has recorded a message that was opened before. */
const CATCH_UP_MS = [250, 1_000, 5_000, 30_000, 120_000] as const;
const MOST_FOLLOWED = 1_000;

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
  private readonly followed = new Set<string>();

  constructor(private readonly log: Logger) {}

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

  private async write(together: readonly Waiting[]): Promise<void> {
    try {
      const unsettled = await recordHits(together.map(({ hit }) => hit));
      for (const { resolve } of together) resolve();
      for (const emailId of unsettled) this.follow(emailId);
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }

  /** A fast reader opens a message before its delivery is recorded; the status follows then. */
  private follow(emailId: string): void {
    if (this.followed.has(emailId) || this.followed.size >= MOST_FOLLOWED) return;
    this.followed.add(emailId);
    this.lookAgain(emailId, 0);
  }

  private lookAgain(emailId: string, round: number): void {
    const delay = CATCH_UP_MS[round];
    if (delay === undefined) {
      this.followed.delete(emailId);
      return;
    }
    setTimeout(() => {
      catchUpStatus(emailId).then(
        (settled) => (settled ? this.followed.delete(emailId) : this.lookAgain(emailId, round + 1)),
        (error: unknown) => {
          this.log.warn({ emailId, failure: error instanceof Error ? error.name : 'unknown' }, 'The status could not follow an early open');
          this.lookAgain(emailId, round + 1);
        },
      );
    }, delay).unref();
  }
}
