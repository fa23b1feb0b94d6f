import { TRACKED } from '../contracts/tracking';
import type { Tracked, TrackingWish } from '../contracts/tracking';

type Tracking = Readonly<Record<Tracked, boolean>>;

/** Decides what is tracked: the first setting for opens decides on opens, and likewise for clicks; without any, both are tracked. */
export function trackingOf(wishes: readonly (TrackingWish | null | undefined)[]): Tracking {
  const [opens = true, clicks = true] = TRACKED.map((what) => wishes.find((wish) => wish?.[what] !== undefined)?.[what]);
  return { opens, clicks };
}

/** Returns what is not followed, as rows say it: undefined where everything is. */
export function untrackedOf(tracking: Tracking): readonly Tracked[] | undefined {
  const untracked = TRACKED.filter((what) => !tracking[what]);
  return untracked.length > 0 ? untracked : undefined;
}
