import { TRACKED } from '../contracts/tracking';
import type { Tracked, TrackingWish } from '../contracts/tracking';

type Tracking = Readonly<Record<Tracked, boolean>>;

/** The first who says something of opens decides on opens, and likewise for clicks; where no level does, both are followed. */
export function trackingOf(wishes: readonly (TrackingWish | null | undefined)[]): Tracking {
  const [opens = true, clicks = true] = TRACKED.map((what) => wishes.find((wish) => wish?.[what] !== undefined)?.[what]);
  return { opens, clicks };
}

/** Returns what is not followed, as rows say it: undefined where everything is. */
export function untrackedOf(tracking: Tracking): readonly Tracked[] | undefined {
  const untracked = TRACKED.filter((what) => !tracking[what]);
  return untracked.length > 0 ? untracked : undefined;
}
