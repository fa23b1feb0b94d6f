import { Context } from '@temporalio/activity';
import type { Core } from '../src/platform/core/context';
import type { SegmentSweepInput } from '../src/contracts/segment-sweep';
import { foldCounts } from '../src/audience/segments/counts';
import { sweepRemovals } from '../src/audience/segments/removals';
import { sweepSegments } from '../src/audience/segments/sweep';

const BEAT_MS = 2_000;

export const segmentActivities = (core: Core) => ({
  /** Safe to retry, and to run twice at once: who is in by then is no difference any more. Resolves to how many came and went. */
  async sweepSegments({ now }: SegmentSweepInput): Promise<number> {
    const context = Context.current();
    const ahead = now - performance.now();
    let changes = 0;
    const timer = setInterval(() => context.heartbeat(changes), BEAT_MS);
    try {
      await sweepRemovals(new Date(now));
      changes = await sweepSegments(core, {
        clock: () => new Date(performance.now() + ahead),
        signal: context.cancellationSignal,
        beat: () => context.heartbeat(changes),
      });
      return changes;
    } finally {
      clearInterval(timer);
    }
  },

  /** Safe to retry: a change is in the sum or waits, never both. */
  foldSegmentCounts: (): Promise<number> => foldCounts(),
});
