import { instantsAfter } from './instants';
import { ruleTextFault } from '../../rules/recurrence/rule-text';
import type { Schedule } from '../../rules/recurrence/schedule';

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

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
