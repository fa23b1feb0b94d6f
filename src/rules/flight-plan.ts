import type { Timing } from '../contracts/send-windows';
import { paceOf } from './campaign-ranges';
import { Clocks, closingAfter, zoneFor, sendTimeIn } from './send-windows';
import type { ZoneChoice, Since } from './send-windows';

/** Recipients in one zone, by when nothing else keeps them from getting the campaign. */
export interface PlannedGroup {
  /** The stored name; null where it is not known. */
  readonly timezone: string | null;
  readonly count: number;
  /** Since when they wait: the rest of an A/B test for its decision. */
  readonly since: Since;
}

/** Recipients of a zone whose messages begin in one hour. */
interface PlannedHour {
  /** The first instant of theirs in the hour, in milliseconds. */
  readonly at: number;
  readonly zone: string;
  readonly count: number;
}

/** The send times of a campaign's recipients, and the number of recipients that never get one. */
export interface FlightPlan {
  readonly hours: readonly PlannedHour[];
  /** Recipients whose own zone is not known. */
  readonly fallback: number;
  /** Recipients whose window closes before the throttle comes to them: they wait for the next one. */
  readonly late: number;
  readonly closed: number;
  readonly expired: number;
}

const HOUR_MS = 3_600_000;

/** Works out a flight. Without a throttle each send time is exact; with one, recipients with the same send time are spread evenly over the time that sending takes. */
export function planFlight(timing: Timing, groups: readonly PlannedGroup[], perMinute: number | null): FlightPlan {
  const flight = new Flight(timing, perMinute);
  for (const group of groups) flight.board(group);
  return flight.fly();
}

interface Waiting {
  readonly zone: ZoneChoice;
  readonly since: Since;
  count: number;
}

class Flight {
  private readonly clocks = new Clocks();
  private readonly bySendTime = new Map<number, Waiting[]>();
  private readonly hours = new Map<string, { at: number; zone: string; count: number }>();
  private fallback = 0;
  private late = 0;
  private closed = 0;
  private expired = 0;

  constructor(
    private readonly timing: Timing,
    private readonly perMinute: number | null,
  ) {}

  board({ timezone, count, since }: PlannedGroup): void {
    const zone = zoneFor(this.timing, timezone, this.clocks);
    if (zone.isFallback) this.fallback += count;
    this.wait({ zone, since, count });
  }

  fly(): FlightPlan {
    let free = 0;
    for (let at = this.next(); at !== null; at = this.next()) {
      const waiting = this.bySendTime.get(at) ?? [];
      this.bySendTime.delete(at);
      const begins = Math.max(at, free);
      const total = waiting.reduce((sum, { count }) => sum + count, 0);
      free = begins + this.takes(total);
      for (const one of waiting) this.send(one, begins, free - begins);
    }
    const { fallback, late, closed, expired } = this;
    return { hours: [...this.hours.values()].sort((a, b) => a.at - b.at || (a.zone < b.zone ? -1 : 1)), fallback, late, closed, expired };
  }

  private next(): number | null {
    return this.bySendTime.size === 0 ? null : Math.min(...this.bySendTime.keys());
  }

  private takes(rows: number): number {
    if (this.perMinute === null) return 0;
    const pace = paceOf(this.perMinute);
    return Math.ceil(rows / pace.rows) * pace.everyMs;
  }

  private wait(waiting: Waiting): void {
    const sendTime = sendTimeIn(this.timing, waiting.zone, waiting.since, this.clocks);
    if ('never' in sendTime) {
      this[sendTime.never] += waiting.count;
      return;
    }
    const others = this.bySendTime.get(sendTime.at);
    if (others) others.push(waiting);
    else this.bySendTime.set(sendTime.at, [waiting]);
  }

  /** Sends those of a zone, evenly over the time, as far as their window lasts. */
  private send(waiting: Waiting, begins: number, lasts: number): void {
    const { zone, since, count } = waiting;
    const closes = closingAfter(this.timing, zone, begins, this.clocks);
    const share = lasts === 0 || closes === null ? 1 : Math.min(1, (closes - begins) / lasts);
    const sent = closes !== null && closes <= begins ? 0 : Math.round(count * share);
    this.spread(zone.zone, sent, begins, lasts * share);
    if (sent === count) return;
    this.late += count - sent;
    this.wait({ zone, since: { ...since, now: Math.max(since.now, closes ?? begins) }, count: count - sent });
  }

  private spread(zone: string, count: number, begins: number, lasts: number): void {
    let done = 0;
    for (let at = begins; done < count;) {
      const ends = (Math.floor(at / HOUR_MS) + 1) * HOUR_MS;
      const until = lasts === 0 ? count : Math.min(count, Math.round((count * (ends - begins)) / lasts));
      if (until > done) this.add(zone, at, until - done);
      done = until;
      at = ends;
    }
  }

  private add(zone: string, at: number, count: number): void {
    const key = `${Math.floor(at / HOUR_MS)} ${zone}`;
    const known = this.hours.get(key);
    if (known) known.count += count;
    else this.hours.set(key, { at, zone, count });
  }
}
