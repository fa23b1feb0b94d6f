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
    sweepExecutions(),
    sweepDomains(),
    sweepWebhooks(),
    sweepSubscriptions(),
  ]);
}
