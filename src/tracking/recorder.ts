import { catchUpStatus } from '../emails/engagement';
import type { Logger } from '../log';
import { recordHits } from './record';
import type { Hit } from './record';

/** Hits that are kept in memory while the database is slow or away; what comes beyond is lost. */
const MOST_WAITING = 2_000;
/** Transactions at a time: the rest of the database's connections are for others. */
const MOST_RUNNING = 16;
/** When to look whether delivery has recorded a message that was opened before. */
const CATCH_UP_MS = [250, 1_000, 5_000, 30_000, 120_000] as const;
const MOST_FOLLOWED = 1_000;

interface Batch {
  readonly hits: Hit[];
  readonly done: Promise<void>;
  readonly begin: () => Promise<void>;
}

/** Records hits, message by message: what comes for a message while it is being recorded goes together into its next transaction. */
export class HitRecorder {
  private readonly waiting = new Map<string, Batch>();
  private readonly running = new Set<string>();
  private readonly followed = new Set<string>();
  private unrecorded = 0;

  constructor(private readonly log: Logger) {}

  /** Resolves when the hit is recorded. Rejects when it is not and will not be. */
  record(hit: Hit): Promise<void> {
    if (this.unrecorded >= MOST_WAITING) return Promise.reject(new Error('Too many hits wait to be recorded'));
    this.unrecorded++;
    const known = this.waiting.get(hit.emailId);
    const batch = known ?? this.newBatch(hit.emailId);
    batch.hits.push(hit);
    if (!known) this.pump();
    return batch.done;
  }

  private newBatch(emailId: string): Batch {
    const hits: Hit[] = [];
    let begin!: () => Promise<void>;
    const done = new Promise<void>((resolve, reject) => {
      begin = () => this.write(emailId, hits).then(resolve, reject);
    });
    const batch = { hits, done, begin };
    this.waiting.set(emailId, batch);
    return batch;
  }

  private pump(): void {
    for (const [emailId, batch] of this.waiting) {
      if (this.running.size >= MOST_RUNNING) return;
      if (this.running.has(emailId)) continue;
      this.waiting.delete(emailId);
      this.running.add(emailId);
      void batch.begin().finally(() => {
        this.running.delete(emailId);
        this.unrecorded -= batch.hits.length;
        this.pump();
      });
    }
  }

  private async write(emailId: string, hits: readonly Hit[]): Promise<void> {
    if (!(await recordHits(emailId, hits))) this.follow(emailId);
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
          this.log.warn({ emailId, failure: nameOf(error) }, 'The status could not follow an early open');
          this.lookAgain(emailId, round + 1);
        },
      );
    }, delay).unref();
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
