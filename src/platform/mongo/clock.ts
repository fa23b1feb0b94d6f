import mongoose from 'mongoose';
import { withinLimit } from '../async';
import { perDatabase } from './per-database';

const MEASURED_FOR_MS = 60_000;
/** All callers wait for one answer: a dead connection must not block them forever. */
const ANSWER_MS = 5_000;

/** Measures once a minute how far the clock of the database is ahead of the process's. */
class DatabaseClock {
  private offsetMs = 0;
  private measuredAt = Number.NEGATIVE_INFINITY;
  private measuring: Promise<void> | null = null;

  async now(): Promise<Date> {
    if (performance.now() - this.measuredAt > MEASURED_FOR_MS) {
      this.measuring ??= withinLimit(ANSWER_MS, () => this.measure()).finally(() => {
        this.measuring = null;
      });
      await this.measuring;
    }
    return new Date(Date.now() + this.offsetMs);
  }

  private async measure(): Promise<void> {
    const began = Date.now();
    const reply = await mongoose.connection.db?.command({ hello: 1 });
    const ended = Date.now();
    const serverTime = (reply?.['localTime'] as Date | undefined)?.getTime();
    if (serverTime === undefined) return;
    const ahead = serverTime - ended;
    const behind = serverTime - began;
    // A difference smaller than the round trip cannot be measured.
    this.offsetMs = ahead > 0 ? ahead : behind < 0 ? behind : 0;
    this.measuredAt = performance.now();
  }
}

const clock = perDatabase(() => new DatabaseClock());

/** Resolves to the database's time, which is the same for all processes on all machines. Measured once a minute. */
export const databaseNow = (): Promise<Date> => clock().now();
