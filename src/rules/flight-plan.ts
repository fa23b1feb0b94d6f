import type { Timing } from '../contracts/send-windows';
import { paceOf } from './campaign-throttle';
import { Clocks, closingAfter, placeOf, turnIn } from './send-windows';
import type { Place, Since } from './send-windows';

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

/** The turns of a campaign's recipients, and the number of those who never have one. */
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

/** Works out a flight. Without a throttle each turn is exact; with one, recipients of a turn are spread evenly over the time that it takes. */
export function planFlight(timing: Timing, groups: readonly PlannedGroup[], perMinute: number | null): FlightPlan {
  const flight = new Flight(timing, perMinute);
  for (const group of groups) flight.board(group);
  return flight.fly();
}

interface Waiting {
  readonly place: Place;
  readonly since: Since;
  count: number;
}

class Flight {
  private readonly clocks = new Clocks();
  private readonly turns = new Map<number, Waiting[]>();
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
    const place = placeOf(this.timing, timezone, this.clocks);
    if (place.isFallback) this.fallback += count;
    this.wait({ place, since, count });
  }

  fly(): FlightPlan {
    let free = 0;
    for (let at = this.next(); at !== null; at = this.next()) {
      const waiting = this.turns.get(at) ?? [];
      this.turns.delete(at);
      const begins = Math.max(at, free);
      const total = waiting.reduce((sum, { count }) => sum + count, 0);
      free = begins + this.takes(total);
      for (const one of waiting) this.send(one, begins, free - begins);
    }
    const { fallback, late, closed, expired } = this;
    return { hours: [...this.hours.values()].sort((a, b) => a.at - b.at || (a.zone < b.zone ? -1 : 1)), fallback, late, closed, expired };
  }

  private next(): number | null {
    return this.turns.size === 0 ? null : Math.min(...this.turns.keys());
  }

  private takes(rows: number): number {
    if (this.perMinute === null) return 0;
    const pace = paceOf(this.perMinute);
    return Math.ceil(rows / pace.rows) * pace.everyMs;
  }

  private wait(waiting: Waiting): void {
    const turn = turnIn(this.timing, waiting.place, waiting.since, this.clocks);
    if ('never' in turn) {
      this[turn.never] += waiting.count;
      return;
    }
    const others = this.turns.get(turn.at);
    if (others) others.push(waiting);
    else this.turns.set(turn.at, [waiting]);
  }

  /** Sends those of a zone, evenly over the time, as far as their window lasts. */
  private send(waiting: Waiting, begins: number, lasts: number): void {
    const { place, since, count } = waiting;
    const closes = closingAfter(this.timing, place, begins, this.clocks);
    const share = lasts === 0 || closes === null ? 1 : Math.min(1, (closes - begins) / lasts);
    const sent = closes !== null && closes <= begins ? 0 : Math.round(count * share);
    this.spread(place.zone, sent, begins, lasts * share);
    if (sent === count) return;
    this.late += count - sent;
    this.wait({ place, since: { ...since, now: Math.max(since.now, closes ?? begins) }, count: count - sent });
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
