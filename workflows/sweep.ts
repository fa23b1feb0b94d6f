import { SWEEP_FEW, SWEEP_SHARES } from '../src/contracts/automation';
import { ONCE } from '../src/contracts/rounds';
import type { Rounds } from '../src/contracts/rounds';
import { inRounds } from './rounds';
import { summarizedActivities } from './summarized';

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
