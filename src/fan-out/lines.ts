import type { Event } from '../events/model';
import { nextTryInPlace } from './patience';

/** How many contacts have their events handed on at the same time in one run. */
const AT_ONCE = 32;

interface Line {
  readonly key: string;
  readonly events: Event[];
  failures: number;
}

interface Work {
  /** Throws when the event has to come again. */
  readonly handOn: (event: Event) => Promise<void>;
  /** Called once for each event that was taken in: with null when it was handed on, else with the last failure. */
  readonly settled: (event: Event, failure: { readonly error: unknown } | null) => void;
}

/** Events of one contact stand in line, the lines move side by side. A line that waits for its next try keeps no other one from moving. */
export class Lines {
  private readonly lines = new Map<string, Line>();
  private readonly ready: Line[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private active = 0;
  private stopped = false;
  private idle: (() => void) | undefined;

  constructor(private readonly work: Work) {}

  /** An event without a contact stands behind nobody. */
  add(event: Event): void {
    const key = event.contactId ?? event._id;
    const line = this.lines.get(key);
    if (line) {
      line.events.push(event);
      return;
    }
    const fresh = { key, events: [event], failures: 0 };
    this.lines.set(key, fresh);
    this.ready.push(fresh);
    this.move();
  }

  /** Begins nothing more; resolves when what was begun has come to an end. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    if (this.active > 0) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private move(): void {
    while (!this.stopped && this.active < AT_ONCE) {
      const line = this.ready.shift();
      if (!line) return;
      this.active++;
      void this.step(line).finally(() => {
        this.active--;
        if (this.active === 0) this.idle?.();
        this.move();
      });
    }
  }

  private async step(line: Line): Promise<void> {
    const [event] = line.events;
    if (!event) return;
    const failure = await this.work.handOn(event).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const waitMs = failure && nextTryInPlace(++line.failures);
    if (waitMs === null) this.advance(line, event, failure);
    else this.later(line, waitMs);
  }

  private advance(line: Line, event: Event, failure: { readonly error: unknown } | null): void {
    line.events.shift();
    line.failures = 0;
    if (line.events.length > 0) this.ready.push(line);
    else this.lines.delete(line.key);
    this.work.settled(event, failure);
  }

  private later(line: Line, waitMs: number): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.ready.push(line);
      this.move();
    }, waitMs);
    this.timers.add(timer);
  }
}
