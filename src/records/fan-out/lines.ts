import { FairQueue } from '../../platform/fair';
import type { Event } from '../events';

/** Waits between direct tries, during which the contact's later events wait too: a brief failure does not change the order. */
const IN_PLACE_MS = [50, 200, 1_000, 3_000] as const;

const FIRST_MS = 10_000;
const LONGEST_MS = 3_600_000;
const GIVE_UP_MS = 24 * 3_600_000;

/** Returns the wait before the next direct try after `failures` in a row; null when the event may not hold up its contact any longer. */
export const nextDirectTry = (failures: number): number | null => IN_PLACE_MS[failures - 1] ?? null;

/** Returns when an event that was set aside `times` times is tried again: after 10 s, doubling to an hour; null a day after its receipt. */
export function nextRetryAt(times: number, receivedAt: Date, now: Date): Date | null {
  const at = new Date(now.getTime() + Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(times - 1, 20)));
  return at.getTime() - receivedAt.getTime() > GIVE_UP_MS ? null : at;
}

/** Contacts whose events are handed on at the same time in one run, and further ones of projects that have hardly any. */
const AT_ONCE = { most: 32, spare: 8 };

interface Line {
  readonly key: string;
  readonly projectId: string;
  readonly events: Event[];
  failures: number;
}

interface Work {
  /** Throws when the event has to come again. */
  readonly handOn: (event: Event) => Promise<void>;
  /** Called once for each event that was taken in: with null when it was handed on, else with the last failure. */
  readonly ended: (event: Event, failure: { readonly error: unknown } | null) => void;
}

/** Hands on the events of one contact one after another, different contacts side by side. A line that waits for its next try does not hold up others. */
export class Lines {
  private readonly lines = new Map<string, Line>();
  private readonly queue = new FairQueue(AT_ONCE);
  private readonly timers = new Set<NodeJS.Timeout>();
  private active = 0;
  private stopped = false;
  private idle: (() => void) | undefined;

  constructor(private readonly work: Work) {}

  /** Adds an event to the line of its contact; an event without a contact gets its own line. */
  add(event: Event): void {
    const key = event.contactId ?? event._id;
    const line = this.lines.get(key);
    if (line) {
      line.events.push(event);
      return;
    }
    const fresh = { key, projectId: event.projectId, events: [event], failures: 0 };
    this.lines.set(key, fresh);
    void this.move(fresh);
  }

  /** Begins nothing more; resolves when what was begun has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    if (this.active > 0) await new Promise<void>((resolve) => (this.idle = resolve));
  }

  private async move(line: Line): Promise<void> {
    const leave = await this.queue.take(line.projectId);
    if (!this.stopped) {
      this.active++;
      await this.handOn(line);
      if (--this.active === 0) this.idle?.();
    }
    leave?.();
  }

  private async handOn(line: Line): Promise<void> {
    const [event] = line.events;
    if (!event) return;
    const failure = await this.work.handOn(event).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const waitMs = failure && nextDirectTry(++line.failures);
    if (waitMs === null) this.advance(line, event, failure);
    else this.later(line, waitMs);
  }

  private advance(line: Line, event: Event, failure: { readonly error: unknown } | null): void {
    line.events.shift();
    line.failures = 0;
    if (line.events.length > 0) void this.move(line);
    else this.lines.delete(line.key);
    this.work.ended(event, failure);
  }

  private later(line: Line, waitMs: number): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.move(line);
    }, waitMs);
    this.timers.add(timer);
  }
}
