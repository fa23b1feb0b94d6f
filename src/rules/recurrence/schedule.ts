/** The way to treat instants that had no turn: the newest one gets it, none does, or a person decides. */
export const CATCH_UPS = ['latest', 'skip', 'ask'] as const;
export type CatchUp = (typeof CATCH_UPS)[number];

/** When something recurs: by a rule of RFC 5545 (the value of an RRULE), or by a cron expression of five fields. Exactly one of the two is set. */
export interface Schedule {
  readonly rrule?: string | undefined;
  readonly cron?: string | undefined;
  /** IANA name of the zone whose clock the rule is about. */
  readonly timezone: string;
  /** The last instant that may have a turn. */
  readonly until?: Date | null | undefined;
  /** The number of turns, those that are skipped included. */
  readonly count?: number | null | undefined;
  readonly catchUp: CatchUp;
}

/** The delay with which an instant still gets its turn as if nothing had happened: a restart, or a turn before it that took long. */
const ON_TIME_MS = 3_600_000;

interface Decided {
  /** Instants that get no turn. */
  readonly missed: readonly Date[];
  /** The instant that gets its turn now. */
  readonly turn: Date | null;
}

/**
 * Decides which of the instants that are due gets a turn; 'ask' when a person has to. Turns never overlap, so it is the newest or none. `hasMore`: other instants
 * that are due follow these.
 */
export function decideTurn(due: readonly Date[], hasMore: boolean, now: Date, catchUp: CatchUp): Decided | 'ask' {
  const newest = due.at(-1);
  if (!newest) return { missed: [], turn: null };
  const isOnTime = !hasMore && now.getTime() - newest.getTime() <= ON_TIME_MS;
  if (due.length === 1 && isOnTime) return { missed: [], turn: newest };
  if (catchUp === 'ask') return 'ask';
  const getsIt = isOnTime || (catchUp === 'latest' && !hasMore);
  return getsIt ? { missed: due.slice(0, -1), turn: newest } : { missed: due, turn: null };
}

/** Parts of a rule that are lists of whole numbers, with the least and the largest; parts marked so may count from the end, and not from zero. */
const NUMBERS: Readonly<Record<string, { readonly least: number; readonly most: number; readonly fromEnd?: true }>> = {
  BYMINUTE: { least: 0, most: 59 },
  BYHOUR: { least: 0, most: 23 },
  BYMONTH: { least: 1, most: 12 },
  BYMONTHDAY: { least: 1, most: 31, fromEnd: true },
  BYYEARDAY: { least: 1, most: 366, fromEnd: true },
  BYWEEKNO: { least: 1, most: 53, fromEnd: true },
  BYSETPOS: { least: 1, most: 366, fromEnd: true },
};
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const DAY = '(MO|TU|WE|TH|FR|SA|SU)';
const TEXTS: Readonly<Record<string, RegExp>> = {
  INTERVAL: /^[1-9]\d{0,2}$/,
  WKST: new RegExp(`^${DAY}$`),
  BYDAY: new RegExp(`^([+-]?[1-9]\\d?)?${DAY}(,([+-]?[1-9]\\d?)?${DAY})*$`),
};

/** Says what is wrong with the value of an RRULE (RFC 5545, 3.3.10) as far as its text shows; null when nothing is. */
export function ruleTextFault(text: string): string | null {
  const given = new Map<string, string>();
  for (const part of text.split(';')) {
    const [key = '', value = '', ...more] = part.split('=');
    if (value === '' || more.length > 0) return 'Write the rule as NAME=value parts with semicolons between them';
    if (given.has(key)) return `${key} is there twice`;
    given.set(key, value);
    const fault = partFault(key, value);
    if (fault !== null) return fault;
  }
  return given.has('FREQ') ? null : 'A rule needs FREQ';
}

function partFault(key: string, value: string): string | null {
  if (key === 'UNTIL' || key === 'COUNT') return `Give ${key.toLowerCase()} as a member of the schedule, not in the rule`;
  if (key === 'FREQ') return FREQUENCIES.includes(value) ? null : `FREQ must be one of ${FREQUENCIES.join(', ')}`;
  const numbers = NUMBERS[key];
  if (numbers) return value.split(',').every((text) => isWithin(text, numbers)) ? null : `${key} has a number that it does not take`;
  const text = TEXTS[key];
  if (!text) return `${key.slice(0, 20)} is not a part that a rule here can have`;
  return text.test(value) ? null : `${key} has a value that it does not take`;
}

function isWithin(
  text: string,
  { least, most, fromEnd }: { readonly least: number; readonly most: number; readonly fromEnd?: true },
): boolean {
  if (!/^[+-]?\d{1,3}$/.test(text)) return false;
  const number = Number(text);
  return (number >= least && number <= most) || (fromEnd === true && number <= -least && number >= -most);
}
