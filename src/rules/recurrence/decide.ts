import type { CatchUp } from './schedule';

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
