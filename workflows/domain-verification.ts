import {
  ActivityFailure,
  condition,
  continueAsNew,
  isCancellation,
  patched,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { domainProgressQuery, lookAgainSignal } from '../src/contracts/domain-verification';
import type { DomainCheckResult, DomainVerificationInput, DomainVerificationProgress } from '../src/contracts/domain-verification';
import { isWorthNoting } from '../src/contracts/due';
import { noteWait } from './due';
import { summarizedActivities } from './summarized';

/** A check that cannot be carried out within this time is left out: by then what it was to find is old. */
const PATIENCE_MS = 5 * 60_000;

const { checkDomain } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '6 seconds',
  scheduleToCloseTimeout: PATIENCE_MS,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

const HISTORY_LIMIT = 250;

/**
 * Looks at the records of a domain as long as there is something to wait for: until the window of a pending domain ends, and daily once it is verified.
 * How it stands is in its document.
 */
export async function domainVerification(input: DomainVerificationInput): Promise<void> {
  let isRequested = false;
  let progress: DomainVerificationProgress = { status: 'unknown', nextCheckAt: null };
  setHandler(lookAgainSignal, () => {
    isRequested = true;
  });
  setHandler(domainProgressQuery, () => progress);

  for (;;) {
    isRequested = false;
    const result = await check(input);
    if (result === 'gone') return;
    const nextCheckAt = result.waitMs === null ? null : new Date(Date.now() + result.waitMs).toISOString();
    progress = { status: result.status, nextCheckAt };
    setCurrentDetails(`${result.status}; looks again ${nextCheckAt ?? 'when asked'}`);
    if (result.waitMs !== null) await untilRequested(() => isRequested, result.waitMs);
    // A request may have begun another window meanwhile.
    else if (!isRequested) return;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<typeof domainVerification>(input);
  }
}

async function untilRequested(isRequested: () => boolean, waitMs: number): Promise<void> {
  if (isWorthNoting(waitMs) && patched('domain-verification.due')) noteWait(waitMs);
  await condition(isRequested, waitMs, { summary: 'until the records are looked up again' });
}

type Checked = Omit<DomainCheckResult, 'status'> & { readonly status: DomainVerificationProgress['status'] };

async function check(input: DomainVerificationInput): Promise<Checked | 'gone'> {
  try {
    return (await checkDomain({ ...input, now: Date.now() })) ?? 'gone';
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return { status: 'unknown', waitMs: PATIENCE_MS };
  }
}
