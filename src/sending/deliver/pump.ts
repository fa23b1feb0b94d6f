import type { Core } from '../../platform/core';
import { deliveryPumpId, DELIVERY_SHARDS } from '../../contracts/delivery';
import type { PumpResult } from '../../contracts/delivery';
import { nextDueAt, PROJECT_SHARE, findDue, findDueBehind, overdueShards } from '../../records/emails';
import { PumpLoop, wakeForgotten } from '../../platform/pumps';
import type { Look, Pump, PumpRunOptions, PumpTimes } from '../../platform/pumps';
import type { WakeWatch } from '../../platform/wake-ups';
import type { DuePage, Email, Known } from '../../records/emails';
import { answer } from '../../platform/async';
import type { Finder } from './delivery';
import { deliver } from './deliver';
import type { Engine } from './engine';

export interface PumpOptions extends PumpRunOptions {
  readonly shard: number;
  readonly now: () => Date;
  /** Returns the worker that should run the shard, when it is another one; null to stay. */
  readonly elsewhere: () => string | null;
}

export const PUMP_TIMES: PumpTimes = { lingerMs: 8_000, promiseMs: 4_000, beatMs: 1_000 };

/** One run of a shard's pump: finds what is due, lets it be delivered, waits a while for more. */
export class PumpRun implements Pump {
  private readonly loop: PumpLoop;
  private readonly mail: DueMail;
  private readonly finder: Finder;
  private inFlight = 0;
  /** Found messages that wait for their destination, and do not keep the others waiting. */
  private held = 0;
  handled = 0;
  /** The worker to which the shard moves, once that is decided. */
  private movesTo: string | null = null;
  private roomWanted: (() => void) | undefined;

  constructor(
    private readonly core: Core,
    private readonly engine: Engine,
    watch: WakeWatch,
    private readonly options: PumpOptions,
    private readonly times: PumpTimes = PUMP_TIMES,
  ) {
    this.mail = new DueMail(options.shard);
    this.finder = this.follow();
    this.loop = new PumpLoop(deliveryPumpId(options.shard), watch, times, options);
  }

  /** Resolves when nothing was due for a while or the run is to end; throws when the database does not answer. */
  run(): Promise<PumpResult> {
    return this.loop.run(this, async (isIdle) => {
      if (!isIdle) await this.loop.listener.leave();
      if (this.movesTo !== null) return { nextDueAt: null, handled: this.handled, moveTo: this.movesTo };
      const next = await answer(() => nextDueAt(this.options.shard));
      return { nextDueAt: next?.getTime() ?? null, handled: this.handled };
    });
  }

  async look(): Promise<Look> {
    this.movesTo = this.moveTo();
    if (this.movesTo !== null) return this.leave();
    if (this.engine.paused) return this.rest();
    return { ...(await this.deliverDue()), busy: this.inFlight > 0 };
  }

  /** Does not wait: the engine finishes what any run has found. */
  finish(): Promise<void> {
    return Promise.resolve();
  }

  /** Chooses the worker to which the shard moves, when there is more to do than this one can. */
  private moveTo(): string | null {
    return this.engine.crowded ? this.options.elsewhere() : null;
  }

  private leave(): Look {
    this.engine.leave(this.options.shard);
    return { found: false, more: false, busy: false, over: true };
  }

  /** Lets what is not begun wait in the ledger, where it can be cancelled, and stays until sending is resumed. */
  private rest(): Look {
    this.engine.leave(this.options.shard);
    return { found: false, more: false, busy: true };
  }

  /** Whether this run may look for more here and now. */
  private get goesOn(): boolean {
    return !this.options.signal.aborted && !this.engine.paused && this.moveTo() === null;
  }

  /** Delivers everything that is due now. Resolves to whether there was anything, and whether the database may have more. */
  private async deliverDue(): Promise<Pick<Look, 'found' | 'more'>> {
    const { now } = this.options;
    let after = '';
    let found = 0;
    let partial = false;
    do {
      const page = await answer(() => this.mail.page(now(), after, { ids: this.engine.waiting(), crowding: this.engine.crowding() }));
      after = page.next;
      partial ||= page.partial;
      found += await deliver(this.core, this.engine, page.due, this.finder);
      while (this.isFull && this.goesOn) {
        await this.room();
        await this.loop.listener.promise();
      }
    } while (after !== '' && this.goesOn);
    return { found: found > 0, more: found > 0 && partial };
  }

  private get isFull(): boolean {
    return this.inFlight - this.held > this.engine.appetite;
  }

  private follow(): Finder {
    return {
      clock: this.options.now,
      added: (count) => void (this.inFlight += count),
      done: () => {
        this.inFlight--;
        this.handled++;
        if (!this.isFull) this.roomWanted?.();
      },
      held: (by) => {
        this.held += by;
        if (!this.isFull) this.roomWanted?.();
      },
    };
  }

  /** Waits until the engine needs more, or the promise must be renewed. */
  private async room(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.roomWanted = resolve;
      timer = setTimeout(resolve, this.times.promiseMs / 2);
    });
    clearTimeout(timer);
  }
}

/** Longest wait of a message of another project, or with priority, for a pump that is busy with one project. */
const LOOK_AGAIN_MS = 100;

/**
 * Finds what is due in a shard. While one project alone keeps the pump busy, it continues after the last message that it found: earlier ones have been
 * claimed, but the database keeps their places in the index for readers of older snapshots, and would pass over each of them again.
 */
export class DueMail {
  private last: Email | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly shard: number) {}

  /** Finds the page that begins at `after`, without messages that are `known`. */
  async page(now: Date, after: string, known: Known): Promise<DuePage> {
    if (after === '' && this.last && !known.crowding.includes(this.last.projectId) && performance.now() - this.lookedAt < LOOK_AGAIN_MS) {
      const due = await findDueBehind(this.last, now);
      this.last = lastOfShare(due);
      if (due.length > 0) return { due, next: '', partial: true };
    }
    const page = await findDue(this.shard, now, after, known);
    this.lookedAt = performance.now();
    this.last = after === '' && page.next === '' ? lastOfShare(page.due) : null;
    return page;
  }
}

/** Returns the last message of a full share of one project; null otherwise, as then there is no more. */
function lastOfShare(due: readonly Email[]): Email | null {
  const last = due.at(-1);
  return last && due.length === PROJECT_SHARE && due[0]?.projectId === last.projectId ? last : null;
}

/** Wakes the pumps of shards with overdue mail that no pump watches. Resolves to how many. */
export const wakeOverdueShards = ({ processes }: Pick<Core, 'processes'>, now: Date): Promise<number> =>
  wakeForgotten(
    deliveryPumpId,
    (since) => overdueShards(DELIVERY_SHARDS, since),
    (shard) => processes.wakeDelivery(shard),
    now,
  );
