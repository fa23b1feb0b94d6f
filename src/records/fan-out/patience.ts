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
