import type { Core } from '../context';
import { fanOutPumpId } from '../contracts/fan-out';
import type { FanOutResult } from '../contracts/fan-out';
import { listeningOf } from '../events/listeners';
import type { Event } from '../events/model';
import { findPending, markHandedOn, putOff } from '../events/pending';
import type { SetAside } from '../events/pending';
import { databaseNow } from '../mongo/clock';
import { withinLimit } from '../time-limit';
import { Listener } from '../wakes/listener';
import type { WakeWatch } from '../wakes/watch';
import type { Consumer } from './consumers';
import { Lines } from './lines';
import { nextRound } from './patience';

export interface FanOutOptions {
  readonly shard: number;
  readonly signal: AbortSignal;
  /** Called each second while the run lives. */
  readonly beat: (handled: number) => void;
}

export interface FanOutTimes {
  /** How long a run with nothing to do stays, so that the next event waits milliseconds and not for a workflow task. */
  readonly lingerMs: number;
  readonly promiseMs: number;
  readonly beatMs: number;
}

export const FAN_OUT_TIMES: FanOutTimes = { lingerMs: 2_000, promiseMs: 4_000, beatMs: 1_000 };

/** Events that a run has taken in and not recorded yet, at most. */
const TAKEN_MAX = 1_000;

/** The clocks of the processes that stamp events differ by less; what waits for another try waits longer. */
const CLOCKS_MS = 1_000;

const HANDLE_MS = 20_000;

/** A run whose database does not answer ends; the workflow tries again. */
const answer = <T>(work: () => Promise<T>): Promise<T> => withinLimit(20_000, work);

/**
 * One run of a shard's pump: takes events in the order of their receipt, hands each to the consumers one after another, notes what was handed on, and
 * waits a while for more. Events of a contact go one after another, those of different contacts side by side.
 *
 * | killed here                       | found                               | happens                                                        |
 * |-----------------------------------|-------------------------------------|----------------------------------------------------------------|
 * | after the event's commit, no wake | `fanOut`, nobody listens            | the sweep wakes the shard's pump after 3 s                     |
 * | taken in, not handed on           | `fanOut`                            | Temporal misses the heartbeat; the next run takes it in        |
 * | handed to some of the consumers   | `fanOut`                            | all of them get it again; each knows it by its id              |
 * | handed on, not noted              | `fanOut`, as well as those before it | all of these again, in the same order, to consumers that know them |
 * | waiting for a try in place        | `fanOut`, due                       | tried again at once, in its place                              |
 * | set aside                         | `fanOut`, `fanOutAt` ahead          | tried again then, by a run or by the sweep that wakes one       |
 *
 * Nothing is claimed. One workflow for each shard runs one activity at a time, so a second run is one that Temporal gave up: it is told with its next
 * heartbeat, and does until then what the consumers take for a repetition. A claim would only add a write to each event.
 */
export class FanOutRun {
  private readonly listener: Listener;
  private readonly lines: Lines;
  /** Which consumer an event in place has come to: those before it have it. */
  private readonly reached = new Map<string, number>();
  private readonly taken = new Set<string>();
  private handedOn: string[] = [];
  private setAside: SetAside[] = [];
  private recording: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;
  private handled = 0;
  private roomWanted: (() => void) | undefined;

  constructor(
    private readonly core: Core,
    private readonly consumers: readonly Consumer[],
    watch: WakeWatch,
    private readonly options: FanOutOptions,
    private readonly times: FanOutTimes = FAN_OUT_TIMES,
  ) {
    this.listener = new Listener(fanOutPumpId(options.shard), watch, times.promiseMs);
    this.lines = new Lines({ handOn: (event) => this.handOn(event), settled: (event, failure) => this.settle(event, failure) });
  }

  /** Resolves when nothing was there for a while or the run is to end; throws when the database does not answer. */
  async run(): Promise<FanOutResult> {
    const beating = setInterval(() => this.options.beat(this.handled), this.times.beatMs);
    try {
      await this.untilIdle();
      return { handled: this.handled, more: this.options.signal.aborted };
    } finally {
      await this.lines.stop();
      while (this.recording) await this.recording;
      clearInterval(beating);
    }
  }

  private async untilIdle(): Promise<void> {
    let busyAt = performance.now();
    while (!this.options.signal.aborted) {
      if (this.failure) throw this.failure.error;
      await this.listener.promise();
      const room = TAKEN_MAX - this.taken.size;
      const found = room > 0 ? await this.take(room) : 0;
      if (found > 0) busyAt = performance.now();
      if (found >= room) await this.room();
      else if (this.taken.size > 0 || performance.now() - busyAt < this.times.lingerMs) await this.listener.pause();
      else if (await this.listener.stop()) return;
    }
  }

  private async take(limit: number): Promise<number> {
    const until = new Date((await answer(databaseNow)).getTime() + CLOCKS_MS);
    const events = await answer(() => findPending(this.options.shard, until, [...this.taken], limit));
    for (const event of events) {
      this.taken.add(event._id);
      this.lines.add(event);
    }
    return events.length;
  }

  private async handOn(event: Event): Promise<void> {
    const { version } = await answer(() => listeningOf(event.projectId));
    for (const [index, consumer] of this.consumers.entries()) {
      if (index < (this.reached.get(event._id) ?? 0)) continue;
      this.reached.set(event._id, index);
      try {
        await withinLimit(HANDLE_MS, () => consumer.handle(this.core, event, version));
      } catch (error) {
        this.core.log.warn({ err: error, consumer: consumer.name, eventId: event._id }, 'An event was not taken; it comes again');
        throw error;
      }
    }
  }

  private settle(event: Event, failure: { readonly error: unknown } | null): void {
    this.reached.delete(event._id);
    if (failure) this.putAside(event, failure.error);
    else this.handedOn.push(event._id);
    this.handled++;
    this.record();
  }

  private putAside({ _id, projectId, name, receivedAt, fanOutTries = 0 }: Event, error: unknown): void {
    const until = nextRound(fanOutTries + 1, receivedAt, new Date());
    if (until) {
      this.setAside.push({ id: _id, tries: fanOutTries + 1, until });
      return;
    }
    this.core.log.error({ err: error, eventId: _id, projectId, name }, 'An event could not be handed on for a day; it is dropped');
    this.handedOn.push(_id);
  }

  /** What comes while the database notes the last ones is noted together. */
  private record(): void {
    if (this.recording || this.failure) return;
    this.recording = this.recordAll()
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .finally(() => {
        this.recording = null;
        this.roomWanted?.();
        if (this.handedOn.length + this.setAside.length > 0) this.record();
      });
  }

  private async recordAll(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.handedOn.length + this.setAside.length > 0) {
      const [done, later] = [this.handedOn.splice(0), this.setAside.splice(0)];
      await answer(() => Promise.all([markHandedOn(this.options.shard, done), putOff(this.options.shard, later)]));
      for (const id of [...done, ...later.map(({ id }) => id)]) this.taken.delete(id);
      if (this.taken.size <= TAKEN_MAX / 2) this.roomWanted?.();
    }
  }

  /** Until half of what was taken in is done, or it is time to renew the promise. */
  private async room(): Promise<void> {
    if (this.taken.size <= TAKEN_MAX / 2) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.roomWanted = resolve;
      timer = setTimeout(resolve, this.times.promiseMs / 2);
    });
    clearTimeout(timer);
  }
}
