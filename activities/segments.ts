import type { Core } from '../src/platform/core';
import type { SegmentSweepInput } from '../src/contracts/segment-sweep';
import { foldCounts, sweepRemovals, sweepSegments } from '../src/audience/segments';
import { withHeartbeat } from './with-heartbeat';
import type { Beating } from './with-heartbeat';

const BEAT_MS = 2_000;

export const segmentActivities = (core: Core) => ({
  /** Compares segments with all contacts. Safe to retry, and to run twice at once: a contact that is in by then is no difference any more. Resolves to how many came and went. */
  async sweepSegments({ now }: SegmentSweepInput): Promise<number> {
    const ahead = now - performance.now();
    let changes = 0;
    const work = async ({ signal, beat }: Beating): Promise<number> => {
      await sweepRemovals(new Date(now));
      return (changes = await sweepSegments(core, { clock: () => new Date(performance.now() + ahead), signal, beat }));
    };
    return withHeartbeat(BEAT_MS, work, () => changes);
  },

  /** Adds changes of memberships to the stored counts of segments. Safe to retry: a change is in the sum or waits, never both. */
  foldSegmentCounts: (): Promise<number> => foldCounts(),
});
