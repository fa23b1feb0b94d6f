import { ActivityFailure, isCancellation, workflowInfo } from '@temporalio/workflow';
import type { ProviderOutlook } from '../src/contracts/provider-outlook';
import { summarizedActivities } from './summarized';

const MINUTE_MS = 60_000;
/** A provider that does not answer for this long is left alone for a while. */
const PATIENCE_MS = 5 * MINUTE_MS;
const PAUSE_MS = 15 * MINUTE_MS;

/** The activities that may ask the payment provider. */
export const askProvider = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: PATIENCE_MS,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Resolves to the result of such an activity, or to a later question when the provider is unavailable or refuses. */
export async function orAway(asking: Promise<ProviderOutlook | null>): Promise<ProviderOutlook | null> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return { status: 'the provider does not answer', waitMs: PAUSE_MS };
  }
}

const HISTORY_LIMIT = 250;

/** Returns whether the workflow should continue as new: one that asks for years keeps a short history. */
export function isHistoryLong(): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > HISTORY_LIMIT;
}
