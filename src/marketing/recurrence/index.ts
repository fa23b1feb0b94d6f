import { Cron } from 'croner';
import { RRuleTemporal } from 'rrule-temporal';
import { instantOf, isTimeZone, offsetsOf } from '../../rules/zoned-time';
import type { WallTime } from '../../rules/zoned-time';
import { ruleTextFault } from '../../rules/recurrence/schedule';
import type { Schedule } from '../../rules/recurrence/schedule';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** A rule without an occurrence in this many of its periods has none: the rarest one that is of use, 29 February, comes every eight years at least. */
const MAX_PERIODS = 4_000;
const MAX_CANDIDATES = 40_000;

/** Finds the next reading of a wall clock that the rule names, after one; null when there is none. */
type NextWall = (after: WallTime) => WallTime | null;

/**
 * Lists the instants of a schedule that come after one, in order: at most `limit`, none after its `until`, and none before the minute of `from`, which is where its
 * rule begins. Rules are read on the wall clock, and a reading becomes an instant as that of a `delay` does: one that a change of the clock leaves out moves
 * forward, and one that comes twice is taken once. Reads the host's time zone data, so a workflow records the result. Throws for a schedule that has faults.
 */
export function instantsAfter(schedule: Schedule, from: Date, after: Date, limit: number): readonly Date[] {
  const offsetAt = offsetsOf(schedule.timezone);
  const wallOf = (instant: number): WallTime => instant + offsetAt(instant);
  const start = Math.floor(wallOf(from.getTime()) / MINUTE) * MINUTE;
  const next = rule(schedule, start);
  const until = schedule.until?.getTime() ?? Number.POSITIVE_INFINITY;
  const found = new Set<number>();
  // A change of the clock reorders readings, by a day at most: where a zone skips one.
  let wall = next(Math.max(start - 1, wallOf(after.getTime()) - 2 * DAY));
  for (; wall !== null; wall = next(wall)) {
    const instant = instantOf(wall, offsetAt);
    if (found.size >= limit && instant - DAY > (ordered(found)[limit - 1] ?? 0)) break;
    if (instant - DAY > until) break;
    if (instant > after.getTime() && instant <= until) found.add(instant);
  }
  return ordered(found)
    .slice(0, limit)
    .map((instant) => new Date(instant));
}

const ordered = (instants: ReadonlySet<number>): readonly number[] => [...instants].sort((a, b) => a - b);

const rule = ({ rrule, cron = '' }: Schedule, start: WallTime): NextWall =>
  rrule === undefined ? byCron(cron, start) : byRule(rrule, start);

function byRule(rrule: string, start: WallTime): NextWall {
  const begins = new Date(start).toISOString().replace(/[-:]|\.\d+/g, '');
  const parsed = new RRuleTemporal({
    rruleString: `DTSTART:${begins}\nRRULE:${rrule}`,
    strict: true,
    maxIterations: MAX_PERIODS,
    maxCandidateEvaluations: MAX_CANDIDATES,
  });
  return (after) => parsed.next(new Date(after))?.epochMilliseconds ?? null;
}

function byCron(cron: string, start: WallTime): NextWall {
  const parsed = new Cron(cron, { mode: '5-part', timezone: 'UTC', paused: true });
  return (after) => parsed.nextRun(new Date(Math.max(after, start - 1)))?.getTime() ?? null;
}

const LEAST_APART_MS = 15 * 60_000;
/** Enough for each hour of two days, and each of several times in an hour. */
const CHECKED = 50;
const CRON = /^[\dA-Za-z*,/#?LW-]+( +[\dA-Za-z*,/#?LW-]+){4}$/;

interface ScheduleFault {
  /** The member that is at fault. */
  readonly member: 'rrule' | 'cron' | 'timezone';
  readonly message: string;
}

/** Finds what is wrong with a schedule that would begin at `from`; null when nothing is. */
export function scheduleFault(schedule: Schedule, from: Date): ScheduleFault | null {
  if (!isTimeZone(schedule.timezone)) return { member: 'timezone', message: 'Not an IANA time zone' };
  const member = schedule.rrule === undefined ? 'cron' : 'rrule';
  const message = textFault(schedule) ?? instantsFault(schedule, from);
  return message === null ? null : { member, message };
}

function textFault({ rrule, cron = '' }: Schedule): string | null {
  if (rrule !== undefined) return ruleTextFault(rrule);
  return CRON.test(cron) ? null : 'Must have the five fields of cron: minute, hour, day of month, month, day of week';
}

function instantsFault({ until: _until, ...schedule }: Schedule, from: Date): string | null {
  let instants: readonly Date[];
  try {
    instants = instantsAfter(schedule, from, from, CHECKED);
  } catch {
    return 'Not a rule that ever happens';
  }
  if (instants.length === 0) return 'Not a rule that ever happens';
  const isDense = instants.some((at, index) => index > 0 && at.getTime() - (instants[index - 1]?.getTime() ?? 0) < LEAST_APART_MS);
  return isDense ? 'Turns must be at least 15 minutes apart' : null;
}
