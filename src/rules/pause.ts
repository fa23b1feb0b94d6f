/** For how long people may pause marketing mail. */
export const PAUSE_CHOICES = ['2w', '1m', '3m', '6m'] as const;
export type PauseChoice = (typeof PAUSE_CHOICES)[number];

const DAY_MS = 86_400_000;
const MONTHS: Readonly<Record<Exclude<PauseChoice, '2w'>, number>> = { '1m': 1, '3m': 3, '6m': 6 };

/** Returns when a pause ends that begins at an instant: two weeks later, or on the same day of a later month (its last where it has no such day), in UTC. */
export function pauseEnd(at: Date, choice: PauseChoice): Date {
  if (choice === '2w') return new Date(at.getTime() + 14 * DAY_MS);
  const end = new Date(at);
  end.setUTCMonth(at.getUTCMonth() + MONTHS[choice]);
  // A day that the month does not have has become one of the next month.
  if (end.getUTCDate() !== at.getUTCDate()) end.setUTCDate(0);
  return end;
}

/** Returns whether someone pauses marketing mail at an instant. */
export const isPaused = ({ snoozedUntil }: { readonly snoozedUntil?: Date | undefined }, at: Date): boolean =>
  snoozedUntil !== undefined && snoozedUntil > at;
