/** At most `max` messages of a key to a person within any window. Send-once keys, throttles and frequency caps are all of this form. */
export interface PersonLimit {
  /** `once/<key>`, `throttle/<key>` or `cap/<name>`; `test/` is put before it for a test key. */
  readonly key: string;
  readonly max: number;
  /** Length of the rolling window in milliseconds; null: ever. */
  readonly ms: number | null;
  /** For how long, in milliseconds, a message may wait; absent: it is skipped. */
  readonly waitMs?: number;
}

/** A message that takes one of the places of a limit. */
export interface Place {
  readonly id: string;
  /** When it was attempted first, or is to be. */
  readonly at: Date;
  /** It is reserved, and not attempted yet. */
  readonly held?: true;
}

/** Why a message is not sent: which limit is reached, and by which message. */
export type LimitDetail =
  | { readonly sendOnce: string; readonly emailId: string }
  | { readonly throttle: string; readonly until: string }
  | { readonly cap: string; readonly until: string }
  | { readonly cap: string; readonly expired: true };

/** Either when a message may go, or why it may not. */
export type SendTime = { readonly at: Date } | { readonly reached: PersonLimit; readonly detail: LimitDetail };

/** Messages that may wait for one person in one limit. Beyond it they are skipped: the row that holds them must stay small. */
const MOST_WAITING = 100;

/**
 * Returns when a message may go, at `from` at the earliest, so that no window of any limit holds more than its `max`; or the limit that stops it. `placesOf` lists
 * the messages that each limit counts already. A message that should have gone and has not is taken to go now.
 */
export function earliestSendTime(
  limits: readonly PersonLimit[],
  placesOf: (limit: PersonLimit) => readonly Place[],
  from: Date,
  now: Date,
): SendTime {
  // Those that skip come first: a message that is refused now does not wait until it is not.
  const ordered = [...limits].sort((one, other) => Number(one.waitMs !== undefined) - Number(other.waitMs !== undefined));
  const known = ordered.map((limit) => ({ limit, places: placesOf(limit), times: timesOf(placesOf(limit), now) }));
  let at = from.getTime();
  for (let moved = true; moved;) {
    moved = false;
    for (const { limit, places, times } of known) {
      const free = firstFree(times, limit, at);
      if (free === at) continue;
      if (limit.waitMs === undefined || free === null) return stopped(limit, places, free);
      if (free - from.getTime() > limit.waitMs || places.length >= limit.max + MOST_WAITING) return expired(limit);
      [at, moved] = [free, true];
    }
  }
  return { at: new Date(at) };
}

const timesOf = (places: readonly Place[], now: Date): readonly number[] =>
  places.map(({ at, held }) => (held ? Math.max(at.getTime(), now.getTime()) : at.getTime())).sort((one, other) => one - other);

/** Returns the first instant from `from` on that a limit leaves free; null: never. */
function firstFree(times: readonly number[], { max, ms }: PersonLimit, from: number): number | null {
  if (ms === null) return times.length < max ? from : null;
  const candidates = [from, ...times.map((time) => time + ms).filter((time) => time > from)].sort((one, other) => one - other);
  return candidates.find((at) => fits(times, max, ms, at)) ?? null;
}

/** Returns whether no window that holds `at` has more than `max` messages with it. Two messages that are a whole window apart are in none together. */
function fits(times: readonly number[], max: number, ms: number, at: number): boolean {
  const near = times.filter((time) => Math.abs(time - at) < ms);
  const all = [...near, at].sort((one, other) => one - other);
  return all.every((first, index) => {
    const last = all[index + max];
    return last === undefined || last - first >= ms;
  });
}

function stopped(limit: PersonLimit, places: readonly Place[], free: number | null): SendTime {
  const { kind, name } = nameOf(limit);
  const last = places.at(-1)?.id ?? '';
  const until = new Date(free ?? 8.64e15).toISOString();
  if (kind === 'once') return { reached: limit, detail: { sendOnce: name, emailId: last } };
  return { reached: limit, detail: kind === 'throttle' ? { throttle: name, until } : { cap: name, until } };
}

const expired = (limit: PersonLimit): SendTime => ({ reached: limit, detail: { cap: nameOf(limit).name, expired: true } });

function nameOf({ key }: PersonLimit): { readonly kind: string; readonly name: string } {
  const [, kind = '', name = ''] = /^(?:test\/)?(once|throttle|cap)\/(.*)$/s.exec(key) ?? [];
  return { kind, name };
}

/** Returns limits with what is left of their waits for a message that waits since an instant. */
export const afterWaiting = (limits: readonly PersonLimit[], since: Date, now: Date): readonly PersonLimit[] =>
  limits.map((limit) => (limit.waitMs === undefined ? limit : { ...limit, waitMs: limit.waitMs - (now.getTime() - since.getTime()) }));

/** Leaves out places that no window holds any more. */
export const withoutPast = <P extends Place>(places: readonly P[], { ms }: Pick<PersonLimit, 'ms'>, now: Date): readonly P[] =>
  ms === null ? places : places.filter(({ at, held }) => held || at.getTime() + ms > now.getTime());
