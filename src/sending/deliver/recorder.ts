import type { Core } from '../../platform/core';
import { settleResults, recordEvents } from './record';
import type { Finished } from './record';
import { untilDone } from './until-done';

const SETTLE_MS = 20;
/** Rows that are written at once; while as many wait, nothing more is recorded. */
const MOST = 500;

/**
 * Records results, and retries until it succeeds: an acknowledged message outlives an outage of the database. A message that a group of events names is known
 * to be accepted; a take-over settles it and does not send it again. So no lane waits for its row, and the rows of several recordings are one write.
 */
export class Recorder<T extends Finished> {
  private waiting: T[] = [];
  private writing: Promise<void> | null = null;

  constructor(
    private readonly core: Pick<Core, 'log'>,
    /** Called with results whose rows are written. */
    private readonly settled: (results: readonly T[]) => void,
  ) {}

  /** Resolves when nothing can be sent twice any more. */
  async record(results: readonly T[]): Promise<void> {
    const accepted = await untilDone(this.core, 'Events of results were not stored', () => recordEvents(this.core, results));
    const isLater = ({ email }: T): boolean => accepted.has(email._id);
    await this.settle(results.filter((result) => !isLater(result)));
    this.waiting.push(...results.filter(isLater));
    if (this.waiting.length > 0) this.writing ??= this.settleWaiting();
    if (this.waiting.length >= MOST) await this.writing;
  }

  private async settleWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      await this.settle(this.waiting.splice(0, MOST));
    }
    this.writing = null;
  }

  private async settle(results: readonly T[]): Promise<void> {
    if (results.length === 0) return;
    await untilDone(this.core, 'Results were not recorded', () => settleResults(this.core, results));
    this.settled(results);
  }
}
