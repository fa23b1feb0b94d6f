import { setCurrentDetails } from '@temporalio/workflow';
import { ONCE } from '../src/contracts/rounds';
import type { Rounds } from '../src/contracts/rounds';
import { inRounds } from './rounds';
import { summarizedActivities } from './summarized';

const { sweepSegments } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds', maximumAttempts: 20 },
});

const { foldSegmentCounts } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 2 },
});

/** Lets contacts enter and leave segments whose conditions depend on time, and finishes what a crash left. Run by a schedule. */
export const segmentSweep = (rounds: Rounds = ONCE): Promise<void> =>
  inRounds(rounds, async () => {
    const changes = await sweepSegments({ now: Date.now() });
    setCurrentDetails(`${changes} came and went`);
  });

/** Adds up what was noted of numbers of members. Run by a schedule. */
export const segmentCounts = (rounds: Rounds = ONCE): Promise<void> =>
  inRounds(rounds, async () => {
    await foldSegmentCounts();
  });
