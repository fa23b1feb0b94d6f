import type { Core } from '../../platform/core';
import { fanOutPumpId } from '../../contracts/fan-out';
import type { FanOutResult } from '../../contracts/fan-out';
import { listeningOf, markHandedOn, putOff, findPending, projectsWaiting } from '../events';
import type { Event, SetAside, WaitingProject } from '../events';
import { metrics } from '../../platform/metrics';
import { answer, withinLimit } from '../../platform/async';
import type { Bursts, FairQueue } from '../../platform/fair';
import { PumpLoop } from '../../platform/pumps';
import type { Look, Pump, PumpRunOptions, PumpTimes } from '../../platform/pumps';
import type { WakeWatch } from '../../platform/wake-ups';
import type { Consumer } from './host';
import type { LagReport, LagTimes } from './lag';
import { Lines, nextRetryAt } from './lines';
import { databaseNow } from '../../platform/mongo';

export interface FanOutOptions extends PumpRunOptions {
  readonly shard: number;
}

export type FanOutTimes = LagTimes & PumpTimes;

export const FAN_OUT_TIMES: FanOutTimes = {
  lingerMs: 2_000,
  promiseMs: 4_000,
  beatMs: 1_000,
  lagMs: 10_000,
  lagEveryMs: 30_000,
};

/** Shared by the runs of a process. */
export interface FanOutShared {
  readonly core: Core;
  readonly consumers: readonly Consumer[];
  readonly watch: WakeWatch;
  readonly lag: LagReport;
  readonly times: FanOutTimes;
  /** For events that are being handed on, shared by projects. */
  readonly places: FairQueue;
  /** Events of a project that come in a crowd are handed on together. */
  readonly bursts: Bursts;
}

const HANDLE_MS = 20_000;

/**
 * One run of a shard's pump: takes events in the order of their receipt, hands each to the consumers one after another, records what was handed on, and
 * waits a while for more. Events of one contact go one after another, events of different contacts side by side, and projects go round robin, so that a backlog
 * of one holds up no other.
 *
 * | killed here                       | found                               | happens                                                        |
 * |-----------------------------------|-------------------------------------|----------------------------------------------------------------|
 * | after the event's commit, no wake | `fanOut`, no pump watches           | the sweep wakes the shard's pump after 3 s                     |
 * | taken in, not handed on           | `fanOut`                            | Temporal misses the heartbeat; the next run takes it in        |
 * | handed to some of the consumers   | `fanOut`                            | all of them get it again; each knows it by its id              |
 * | handed on, not noted              | `fanOut`, as well as those before it | all of these again, in the same order, to consumers that know them |
 * | waiting for a try in place        | `fanOut`, due                       | tried again at once, in its place                              |
 * | set aside                         | `fanOut`, `fanOutAt` ahead          | tried again then, by a run or by the sweep that wakes one       |
 *
 * Nothing is claimed. One workflow for each shard runs one activity at a time, so a second run is one that Temporal gave up: it learns so with its next
 * heartbeat, and until then the consumers see only repeated events. A claim would only add a write to each event.
 */
export class FanOutRun implements Pump {
  private readonly loop: PumpLoop;
  private readonly lines: Lines;
  /** The consumer that an event in place has reached: the consumers before it have handled it. */
  private readonly reached = new Map<string, number>();
  private readonly intake: Intake;
  private ended: Event[] = [];
  private handedOn: Pick<Event, '_id' | 'projectId'>[] = [];
  private setAside: SetAside[] = [];
  private recording: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;
  handled = 0;

  constructor(
    private readonly shared: FanOutShared,
    private readonly options: FanOutOptions,
  ) {
    this.loop = new PumpLoop(fanOutPumpId(options.shard), shared.watch, shared.times, options);
    this.intake = new Intake(options.shard, shared.lag);
    this.lines = new Lines({ handOn: (event) => this.withPlace(event), ended: (event, failure) => this.noteEnd(event, failure) });
  }

  /** Resolves when nothing was due for a while or the run should end; throws when the database does not answer. */
  run(): Promise<FanOutResult> {
    return this.loop
      .run(this, () => Promise.resolve({ more: this.options.signal.aborted }))
      .then(({ more }) => ({ handled: this.handled, more }));
  }

  async finish(): Promise<void> {
    await this.lines.stop();
    while (this.recording) await this.recording;
  }

  async look(): Promise<Look> {
    if (this.failure) throw this.failure.error;
    const { events, more } = await this.intake.take();
    for (const event of events) this.lines.add(event);
    if (more) await this.intake.room(this.loop.listener.woken());
    return { found: events.length > 0, more, busy: !this.intake.isEmpty };
  }

  private async withPlace(event: Event): Promise<void> {
    const leave = await this.shared.places.take(event.projectId);
    try {
      await this.shared.bursts.begin(event.projectId);
      await this.handOn(event);
    } finally {
      leave?.();
    }
  }

  private async handOn(event: Event): Promise<void> {
    const { version } = await answer(() => listeningOf(event.projectId));
    const { core, consumers } = this.shared;
    for (const [index, consumer] of consumers.entries()) {
      if (index < (this.reached.get(event._id) ?? 0)) continue;
      this.reached.set(event._id, index);
      try {
        await withinLimit(HANDLE_MS, () => consumer.handle(core, event, version));
      } catch (error) {
        core.log.warn({ err: error, consumer: consumer.name, eventId: event._id }, 'A consumer did not take an event; it is retried');
        throw error;
      }
    }
  }

  private noteEnd(event: Event, failure: { readonly error: unknown } | null): void {
    this.reached.delete(event._id);
    if (failure) this.putAside(event, failure.error);
    else this.handedOn.push(event);
    this.ended.push(event);
    this.handled++;
    this.record();
  }

  private putAside({ _id, projectId, name, receivedAt, fanOutTries = 0 }: Event, error: unknown): void {
    const until = nextRetryAt(fanOutTries + 1, receivedAt, new Date());
    if (until) {
      this.setAside.push({ _id, projectId, tries: fanOutTries + 1, until });
      return;
    }
    this.shared.core.log.error({ err: error, eventId: _id, projectId, name }, 'An event could not be delivered for a day; it is dropped');
    this.handedOn.push({ _id, projectId });
  }

  /** Records handed-on events; those that end during a write share the next one. */
  private record(): void {
    if (this.recording || this.failure) return;
    this.recording = this.recordAll()
      .catch((error: unknown) => {
        this.failure = { error };
      })
      .finally(() => {
        this.recording = null;
        if (this.ended.length > 0) this.record();
      });
  }

  private async recordAll(): Promise<void> {
    while (this.ended.length > 0) {
      const [ended, done, later] = [this.ended.splice(0), this.handedOn.splice(0), this.setAside.splice(0)];
      await answer(() => Promise.all([markHandedOn(done), putOff(this.options.shard, later)]));
      metrics.eventsHandedOn.inc(done.length);
      metrics.eventsSetAside.inc(later.length);
      this.intake.release(ended);
    }
  }
}

/** Events that a run has taken in and not recorded yet, at most. */
const TAKEN_MAX = 1_000;

/** Maximum number of events of one project, lower when many projects wait: this leaves room for another project. */
const PROJECT_SHARE = 200;

/** The clocks of the processes that stamp events differ by less; an event that waits for another try waits longer. */
const CLOCKS_MS = 1_000;

/** Interval after which a run looks again for events that arrived while it could not take all of them. */
const LOOK_AGAIN_MS = 100;

interface Share {
  readonly projectId: string;
  readonly most: number;
}

/** The events that a run has taken in: a share for each project, starting with projects that have the fewest. */
class Intake {
  private readonly taken = new Map<string, Set<string>>();
  private size = 0;
  private enough = 0;
  private roomWanted: (() => void) | undefined;

  constructor(
    private readonly shard: number,
    private readonly lag: LagReport,
  ) {}

  get isEmpty(): boolean {
    return this.size === 0;
  }

  /** Takes in due events, each once; the events of a project are in order. `more` says that some had no room. */
  async take(): Promise<{ readonly events: readonly Event[]; readonly more: boolean }> {
    const now = await answer(databaseNow);
    const until = new Date(now.getTime() + CLOCKS_MS);
    const projects = (await answer(() => projectsWaiting(this.shard))).filter(({ since }) => since <= until);
    this.lag.note(this.shard, projects, now);
    const shares = this.shares(projects);
    const pages = await Promise.all(shares.map((share) => this.page(share, until)));
    return { events: pages.flat(), more: pages.some(({ length }, index) => length === shares[index]?.most) };
  }

  /** Frees the room of recorded events. */
  release(events: readonly Event[]): void {
    for (const { _id, projectId } of events) {
      const ids = this.taken.get(projectId);
      if (!ids?.delete(_id)) continue;
      this.size--;
      if (ids.size === 0) this.taken.delete(projectId);
    }
    if (this.size <= this.enough) this.roomWanted?.();
  }

  /** Waits until half of what was taken in is recorded, or, for a moment at least, until events have come: `woken` resolves then. */
  async room(woken: Promise<void>): Promise<void> {
    if (this.size === 0) return;
    this.enough = Math.floor(this.size / 2);
    let timer: NodeJS.Timeout | undefined;
    const moment = new Promise<void>((resolve) => (timer = setTimeout(resolve, LOOK_AGAIN_MS)));
    const freed = new Promise<void>((resolve) => (this.roomWanted = resolve));
    await Promise.race([freed, Promise.all([moment, woken])]);
    clearTimeout(timer);
    this.roomWanted = undefined;
  }

  private shares(projects: readonly WaitingProject[]): readonly Share[] {
    const fairShare = Math.max(1, Math.min(PROJECT_SHARE, Math.floor(TAKEN_MAX / projects.length)));
    const held = ({ projectId }: WaitingProject): number => this.taken.get(projectId)?.size ?? 0;
    const inOrder = [...projects].sort((a, b) => held(a) - held(b) || a.since.getTime() - b.since.getTime());
    let room = TAKEN_MAX - this.size;
    return inOrder.map((project) => {
      // A read passes over what was taken in: it is made for many events, or for the first of a project.
      const most = held(project) > fairShare / 2 ? 0 : Math.min(fairShare - held(project), room);
      room -= most;
      return { projectId: project.projectId, most };
    });
  }

  private async page({ projectId, most }: Share, until: Date): Promise<readonly Event[]> {
    if (most === 0) return [];
    const ids = this.taken.get(projectId) ?? new Set();
    const events = await answer(() => findPending({ shard: this.shard, projectId, until, without: [...ids], limit: most }));
    for (const { _id } of events) ids.add(_id);
    this.size += events.length;
    if (ids.size > 0) this.taken.set(projectId, ids);
    return events;
  }
}
