import { continueAsNew, setCurrentDetails, setHandler, upsertMemo } from '@temporalio/workflow';
import { snoozeChangedSignal, askedSignal } from '../src/contracts/contacts';
import type { SnoozeInput, OptInInput, OptInOutlook } from '../src/contracts/contacts';
import { noteWait, takeTurns } from './turns';
import { summarizedActivities } from './summarized';
import { wakeSignal, webhookRetriesQuery } from '../src/contracts/webhook';
import type { RetriesWaiting, WebhookKey } from '../src/contracts/webhook';
import { isWorthNoting } from '../src/contracts/rounds';
import { decidedSignal } from '../src/contracts/approval';
import type { ApprovalInput } from '../src/contracts/approval';
import type { RampInput, RampOutlook } from '../src/contracts/ramp';

const { endSnooze } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Ends the pause of a contact at its time. Until when it lasts is in the contact, by which every message is checked: a pause ends for mail at that instant,
 * and here it is taken out of the contact and made known.
 *
 * | killed                        | found                              | happens                                                       |
 * |-------------------------------|------------------------------------|---------------------------------------------------------------|
 * | the API, after its commit     | the intent in the outbox           | the sweep starts or signals this workflow                     |
 * | the worker, during the wait   | the timer, in the history          | it fires; where it is late, mail has been sent again already  |
 * | the worker, after it stored   | a contact without a pause          | nothing: the event was stored with it                         |
 * | this workflow, by hand        | a contact that is still paused     | the sweep of what lasts starts another one                    |
 */
export const snooze = (input: SnoozeInput): Promise<void> =>
  takeTurns({ signals: [snoozeChangedSignal], afresh: () => continueAsNew<typeof snooze>(input) }, async () => {
    const until = await endSnooze({ ...input, now: Date.now() });
    if (until === null) return null;
    const ms = Math.max(1, Date.parse(until) - Date.now());
    setCurrentDetails(`paused until ${until}`);
    noteWait(ms);
    return { ms, summary: 'until the pause ends' };
  });

/** Waits for an unavailable database. */
const { lookAtWebhookRetries } = summarizedActivities({
  taskQueue: 'pumps',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '10 seconds' },
});

/**
 * Keeps the time of an endpoint whose deliveries wait for another attempt: has the pump make each when it is due, and ends when none waits
 * any more, or the endpoint is off or deleted. The deliveries are in the database: a workflow that was lost begins again.
 */
export async function webhookRetry(key: WebhookKey): Promise<void> {
  let waiting: RetriesWaiting | null = null;
  setHandler(webhookRetriesQuery, () => waiting);
  await takeTurns({ signals: [wakeSignal], afresh: () => continueAsNew<typeof webhookRetry>(key), mostEvents: 250 }, async () => {
    const outlook = await lookAtWebhookRetries({ ...key, now: Date.now() });
    if (!outlook) return null;
    waiting = outlook.waiting;
    setCurrentDetails(detailsOf(waiting));
    upsertMemo({ ...waiting });
    if (isWorthNoting(outlook.waitMs)) noteWait(outlook.waitMs);
    return { ms: outlook.waitMs, summary: 'until the next attempt is due' };
  });
}

const detailsOf = ({ deliveries, isMore, since, lastError, nextAttemptAt, pausedUntil }: RetriesWaiting): string =>
  [
    `${isMore ? 'More than ' : ''}${deliveries} ${deliveries === 1 ? 'delivery waits' : 'deliveries wait'} for another attempt`,
    `the oldest was made ${since}`,
    `last error: ${lastError ?? 'unknown'}`,
    `next attempt: ${nextAttemptAt ?? (pausedUntil ? 'when it may be called' : 'under way')}`,
    ...(pausedUntil ? [`it does not answer, and is left alone until ${pausedUntil}`] : []),
  ].join('; ');

/** A database that is away is waited for. */
const { approvalTurn } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Waits for a person's decision on what was requested, or for the end of its time, and carries out what was approved. Its state is in its document; a decision
 * is written there, and the signal only ends the wait.
 *
 * | killed                                  | found                                        | happens                                            |
 * |-----------------------------------------|----------------------------------------------|----------------------------------------------------|
 * | the API, before the commit              | the approval as it was                       | the caller asks again                              |
 * | the API, after it                       | the decision, its intent in the outbox       | the sweep starts or signals the workflow           |
 * | the worker, before it carried it out    | `approved`                                   | another worker checks again                        |
 * | the worker, after it                    | `executed`, written in the same transaction  | the check finds nothing to do                       |
 * | this workflow, by hand                  | the approval                                 | the sweep starts another one, which continues      |
 */
export const approval = (input: ApprovalInput): Promise<void> =>
  takeTurns({ signals: [decidedSignal], afresh: () => continueAsNew<typeof approval>(input) }, async () => {
    const { state, waitMs } = await approvalTurn({ ...input, now: Date.now() });
    setCurrentDetails(waitMs === null ? state : `${state} until ${new Date(Date.now() + waitMs).toISOString()}`);
    if (waitMs === null) return null;
    noteWait(waitMs);
    return { ms: waitMs, summary: 'until a person decides, or the time is over' };
  });

/** A database that is away is waited for. */
const { optInTurn } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/**
 * Keeps the time of an opt-in that waits for its confirmation: has the confirmation sent, the reminder after a day, and the row removed after seven. Its state
 * is in its document; a confirmation is written there, and needs no signal.
 *
 * | killed                             | found                                     | happens                                             |
 * |------------------------------------|-------------------------------------------|-----------------------------------------------------|
 * | the API, before the commit         | nothing                                   | the person asks again                               |
 * | the API, after it                  | the row, its start in the outbox          | the sweep starts the workflow                       |
 * | the worker, before mail is stored  | the row, its mail due                     | another worker checks again                         |
 * | the worker, after it               | the row, its mail noted as sent           | the check finds nothing due                          |
 * | this workflow, by hand             | the row                                   | the sweep starts another one, which continues       |
 */
export const optIn = (input: OptInInput): Promise<void> =>
  takeTurns({ signals: [askedSignal], afresh: () => continueAsNew<typeof optIn>(input), mostEvents: 250 }, async () => {
    const outlook = await optInTurn({ ...input, now: Date.now() });
    if (!outlook) return null;
    setCurrentDetails(optInDetails(outlook));
    if (isWorthNoting(outlook.waitMs)) noteWait(outlook.waitMs);
    return { ms: outlook.waitMs, summary: 'until a message is due, or the time to confirm is over' };
  });

const optInDetails = ({ status, mails, waitMs }: OptInOutlook): string =>
  `${status}; ${mails} ${mails === 1 ? 'confirmation' : 'confirmations'} sent; looks again ${new Date(Date.now() + waitMs).toISOString()}`;

/** A database that is away is waited for. */
const { rampTurn } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '30 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const WHY = { refused: ': as the day before, as providers refused too much', unused: ': as the day before, as nothing was sent' } as const;

/**
 * Moves the ramp of a transport on at the beginning of each day, until its last amount is past. Its state and its counts are documents, which each worker reads.
 *
 * | killed                            | found                           | happens                                                         |
 * |-----------------------------------|---------------------------------|-----------------------------------------------------------------|
 * | the worker, during the wait       | the timer, in the history       | it fires; until then the new day has the amount of the day before |
 * | the worker, before it has moved   | the day before                  | the activity is made again                                      |
 * | the worker, after it              | the day, with its amount        | the activity finds it moved                                     |
 * | this workflow, by hand            | a day that is past              | the sweep starts another one                                    |
 */
export const ramp = (input: RampInput): Promise<void> =>
  takeTurns({ afresh: () => continueAsNew<typeof ramp>(input), mostEvents: 500 }, async () => {
    const outlook = await rampTurn({ ...input, now: Date.now() });
    if (outlook.nextAt === null) return null;
    const ms = Math.max(1, Date.parse(outlook.nextAt) - Date.now());
    setCurrentDetails(rampDetails(outlook));
    noteWait(ms);
    return { ms, summary: 'until the next day' };
  });

const rampDetails = ({ step, amount, heldBack }: RampOutlook): string =>
  `step ${step}, ${amount} messages until the next day${heldBack === null ? '' : WHY[heldBack]}`;
