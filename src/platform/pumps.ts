import { Listener, listeningPumps } from './wake-ups';
import type { WakeWatch } from './wake-ups';
import { databaseNow } from './mongo';

export interface PumpTimes {
  /** Time that an idle run stays, so that new work waits milliseconds and not for a workflow task. */
  readonly lingerMs: number;
  readonly promiseMs: number;
  readonly beatMs: number;
}

/** The result of a pump's look for work. */
export interface Look {
  readonly found: boolean;
  /** More may be due already: the pump looks again without a pause. */
  readonly more: boolean;
  /** Work is under way: the run does not end yet. */
  readonly busy: boolean;
  /** The run ends here, and its promise stays as it is. */
  readonly over?: boolean;
}

/** The context that the activity gives to a run of a pump. */
export interface PumpRunOptions {
  readonly signal: AbortSignal;
  /** Called each second while the run lives. */
  readonly beat: (handled: number) => void;
}

/** Work that a pump does for one shard. */
export interface Pump {
  /** Looks for what is due and begins to handle it. */
  look(): Promise<Look>;
  /** Waits for work under way, whether the run ends normally or failed. */
  finish(): Promise<void>;
  /** Number of items that were finished. */
  readonly handled: number;
}

/**
 * One run of a shard's pump: promises to watch the shard's row, looks for work, and waits for a wake-up or a moment; ends when nothing was due for a
 * while. This run sees every wake-up that comes while its promise holds; a later one starts the next run.
 */
export class PumpLoop {
  readonly listener: Listener;

  constructor(
    pumpId: string,
    watch: WakeWatch,
    private readonly times: PumpTimes,
    private readonly options: PumpRunOptions,
  ) {
    this.listener = new Listener(pumpId, watch, times.promiseMs);
  }

  /**
   * Runs until idle, aborted or over. Resolves to the result of `end`, which gets whether nothing was left and the promise has ended. Heartbeats until
   * everything is done. Throws what a look throws.
   */
  async run<T>(pump: Pump, end: (isIdle: boolean) => Promise<T>): Promise<T> {
    const beating = setInterval(() => this.options.beat(pump.handled), this.times.beatMs);
    try {
      return await end(await this.untilIdle(pump));
    } finally {
      await pump.finish();
      clearInterval(beating);
    }
  }

  private async untilIdle(pump: Pump): Promise<boolean> {
    let busyAt = performance.now();
    while (!this.options.signal.aborted) {
      await this.listener.promise();
      const { found, more, busy, over = false } = await pump.look();
      if (over) return false;
      if (found) busyAt = performance.now();
      if (more) continue;
      if (busy || performance.now() - busyAt < this.times.lingerMs) await this.listener.pause();
      else if (await this.listener.stop()) return true;
    }
    return false;
  }
}

/** Work that has been due for this long was missed by its pump. */
const OVERDUE_MS = 3_000;

/** Finds the shards that have had something due since before an instant. */
type FindOverdue = (since: Date) => Promise<readonly number[]>;

/** Wakes the pumps of shards with overdue work that no pump watches: their wake-ups were lost. `now` is the database's time unless it is given. Resolves to how many. */
export async function wakeForgotten(
  pumpId: (shard: number) => string,
  findOverdue: FindOverdue,
  wake: (shard: number) => Promise<void>,
  now?: Date,
): Promise<number> {
  const since = new Date((now ?? (await databaseNow())).getTime() - OVERDUE_MS);
  const [overdue, listening] = await Promise.all([findOverdue(since), listeningPumps()]);
  const forgotten = overdue.filter((shard) => !listening.has(pumpId(shard)));
  await Promise.all(forgotten.map(wake));
  return forgotten.length;
}
