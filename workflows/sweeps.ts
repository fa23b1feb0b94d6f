import { setCurrentDetails, sleep } from '@temporalio/workflow';
import { SWEEP_FEW, SWEEP_SHARES } from '../src/contracts/automation';
import { ONCE } from '../src/contracts/rounds';
import type { Rounds } from '../src/contracts/rounds';
import { summarizedActivities } from './summarized';

const SHORTEST_WAIT_MS = 1_000;

/**
 * Does a work in rounds, so that what is repeated every few seconds is one run in ten minutes and not sixty. A round that fails ends the run: its schedule begins
 * the next one.
 */
async function inRounds({ rounds, everyMs }: Rounds, work: () => Promise<void>): Promise<void> {
  for (let round = 1; ; round++) {
    const began = Date.now();
    await work();
    if (round >= rounds) return;
    setCurrentDetails(`${round} of ${rounds} rounds are done`);
    const waitMs = Math.max(SHORTEST_WAIT_MS, everyMs - (Date.now() - began));
    await sleep(waitMs, { summary: `until round ${round + 1} of ${rounds}` });
  }
}

const {
  sweepOutbox,
  sweepDelivery,
  sweepReputation,
  sweepContacts,
  sweepFanOut,
  sweepEventCounts,
  sweepExecutions,
  sweepDomains,
  sweepWebhooks,
  sweepSubscriptions,
  foldSegmentCounts,
} = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 2 },
});

/** A share ends before this: without an answer, another worker takes it over. */
const { sweepExecutionShare } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '20 seconds',
  retry: { maximumAttempts: 2 },
});

/** Mends what a crash left: workflows that were wanted, mail, events and webhook deliveries without a wake-up, deletions that are half done. Run by a schedule. */
export const sweep = (rounds: Rounds = ONCE): Promise<void> => inRounds(rounds, sweepAll);

async function sweepAll(): Promise<void> {
  await Promise.all([
    sweepOutbox(),
    sweepDelivery(),
    sweepReputation(),
    sweepContacts(),
    sweepFanOut(),
    sweepEventCounts(),
    sweepAllExecutions(),
    sweepDomains(),
    sweepWebhooks(),
    sweepSubscriptions(),
  ]);
}

/** Starts forgotten executions; many, such as after a loss of Temporal, on all workers at once. */
async function sweepAllExecutions(): Promise<void> {
  if ((await sweepExecutions()) < SWEEP_FEW) return;
  await Promise.all(SWEEP_SHARES.map((share) => sweepExecutionShare({ share })));
}

const { sweepSegments } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds', maximumAttempts: 20 },
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

const { recountContactFields: recount } = summarizedActivities({
  taskQueue: 'bulk',
  startToCloseTimeout: '6 hours',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 minute', maximumInterval: '10 minutes', maximumAttempts: 5 },
});

/** Counts the custom fields of all projects again. Run by a schedule, once a day. */
export async function recountContactFields(): Promise<void> {
  await recount();
}
