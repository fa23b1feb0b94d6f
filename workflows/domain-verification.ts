import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import { checkUpdate, domainProgressQuery, checkAgainSignal } from '../src/contracts/domain-verification';
import type { DomainCheckResult, DomainVerificationInput, DomainVerificationProgress } from '../src/contracts/domain-verification';
import { isWorthNoting } from '../src/contracts/rounds';
import { noteWait, isHistoryLong } from './turns';
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
 * Checks the records of a domain while its status may change: until the window of a pending domain ends, and daily once it is verified.
 * Checks run one after another, only in this workflow. A request for one is an update, answered by the first check that begins after it.
 * The status is in the domain's document.
 *
 * | killed                       | found                                | happens                                                    |
 * |------------------------------|--------------------------------------|------------------------------------------------------------|
 * | the worker, during a check   | the domain as the check before left it | the check is made again elsewhere, as of the same instant |
 * | the worker, after it stored  | what the check found                 | the same is stored again                                   |
 * | the request's API            | the update, in the history           | the check is made; nobody is notified                      |
 * | this workflow, by hand       | the intent of the request, or a check that is late | the sweep starts another one                 |
 */
export async function domainVerification(input: DomainVerificationInput): Promise<void> {
  let asked = 0;
  let answered = 0;
  const isRequested = (): boolean => asked > answered;
  let progress: DomainVerificationProgress = { status: 'unknown', nextCheckAt: null };
  setHandler(checkAgainSignal, () => void asked++);
  setHandler(checkUpdate, async () => {
    const mine = ++asked;
    await condition(() => answered >= mine);
  });
  setHandler(domainProgressQuery, () => progress);

  for (;;) {
    const upTo = asked;
    const result = await check(input);
    answered = result === 'gone' ? asked : upTo;
    if (result === 'gone') return condition(allHandlersFinished);
    const nextCheckAt = result.waitMs === null ? null : new Date(Date.now() + result.waitMs).toISOString();
    progress = { status: result.status, nextCheckAt };
    setCurrentDetails(`${result.status}; looks again ${nextCheckAt ?? 'when asked'}`);
    if (result.waitMs !== null) await untilRequested(isRequested, result.waitMs);
    // A request may have begun another window meanwhile.
    else if (!isRequested()) return condition(allHandlersFinished);
    await afreshWhenLong(input);
  }
}

/** Continues as new when the history is long; a request that waits for its answer gets it from the run that took it. */
async function afreshWhenLong(input: DomainVerificationInput): Promise<void> {
  if (isHistoryLong(HISTORY_LIMIT) && allHandlersFinished()) await continueAsNew<typeof domainVerification>(input);
}

async function untilRequested(isRequested: () => boolean, waitMs: number): Promise<void> {
  if (isWorthNoting(waitMs)) noteWait(waitMs);
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
