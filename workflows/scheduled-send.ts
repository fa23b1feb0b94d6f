import { defineSearchAttributeKey } from '@temporalio/common';
import {
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { changedSignal, emptySignal, listSignal } from '../src/contracts/waiting-mail';
import type { ScheduledMinute, ScheduledMinuteInput, DeferredList } from '../src/contracts/waiting-mail';
import { mailIds, isHistoryLong, dueAt } from './turns';
import { summarizedActivities } from './summarized';

/** Waits for an unavailable database. */
const { releaseScheduled, cancelScheduledMinute } = summarizedActivities({
  taskQueue: 'orchestration',
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '10 seconds' },
});

const RECIPIENT_ID = defineSearchAttributeKey('RecipientId', 'KEYWORD_LIST');
/** Changes that concern nothing within seconds are checked together. */
const TOGETHER_MS = 2_000;
/** Messages that are due within so short a time of each other are released together. */
const LEAST_MS = 200;
const HISTORY_LIMIT = 500;
/** Limit for the ids of waiting messages in the details. */
const NAMED = 5;

/**
 * Keeps the time of what a project sends within one minute: releases each message when it is due, and ends when none waits any more. No message goes out before
 * it was released here. Cancelled, it cancels the messages that still wait. The search attributes `EmailId` and `RecipientId` name the soonest ones.
 */
export async function scheduledSend({ projectId, minute }: ScheduledMinuteInput): Promise<void> {
  const key = { projectId, minute };
  try {
    await untilReleased(key);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const cancelled = await CancellationScope.nonCancellable(() => cancelScheduledMinute(key));
    setCurrentDetails(`Cancelled: ${cancelled} ${messages(cancelled)} will not be sent`);
    throw error;
  }
}

async function untilReleased(key: ScheduledMinuteInput): Promise<void> {
  let changed = false;
  let soon = false;
  setHandler(changedSignal, (change) => {
    changed = true;
    soon ||= change.soon === true;
  });
  for (let listed = ''; ;) {
    changed = false;
    soon = false;
    const outlook = await releaseScheduled({ ...key, now: Date.now() });
    if (outlook.waiting === 0 && !changed) return;
    listed = note(outlook, listed);
    if (isHistoryLong(HISTORY_LIMIT)) await continueAsNew<typeof scheduledSend>(key);
    await condition(() => changed, waitMs(outlook), { summary: waitsFor(outlook) });
    if (changed && !soon) await condition(() => soon, Math.min(TOGETHER_MS, waitMs(outlook)), { summary: 'until the change is settled' });
  }
}

const waitMs = ({ nextAt }: ScheduledMinute): number => Math.max(LEAST_MS, nextAt === null ? 0 : Date.parse(nextAt) - Date.now());

const messages = (count: number): string => (count === 1 ? 'message' : 'messages');

const waitsFor = ({ waiting, nextAt, emailIds: [first] }: ScheduledMinute): string =>
  waiting === 0 ? 'until the change is settled' : `until ${nextAt}: ${first}${waiting > 1 ? ` and ${waiting - 1} more` : ''}`;

/** Shows what waits. Returns the ids that are named by then; nothing is written for the same ones. */
function note({ waiting, nextAt, lastAt, emailIds, recipientIds }: ScheduledMinute, listed: string): string {
  const until = nextAt === lastAt ? nextAt : `${nextAt} to ${lastAt}`;
  const named = emailIds.slice(0, NAMED).map((id) => `- ${id}`);
  const rest = waiting > named.length ? [`- and ${waiting - named.length} more`] : [];
  const people = recipientIds.length > 0 ? [`First contacts: ${recipientIds.slice(0, NAMED).join(', ')}`] : [];
  setCurrentDetails(
    [`${waiting} ${waiting === 1 ? 'message waits' : 'messages wait'} until ${until}`, ...named, ...rest, '', ...people].join('\n'),
  );
  const now = [...emailIds, ...recipientIds].join();
  if (now !== listed) {
    upsertSearchAttributes([mailIds(emailIds), { key: RECIPIENT_ID, value: [...recipientIds] }]);
  }
  return now;
}

/**
 * Represents a list of a project's deferred messages in Temporal: it is found by their ids, and by the time of the first retry. It receives
 * changes, does nothing else, and ends when none of them waits any more; then it is no longer found by them.
 */
export async function deferredMail(list: DeferredList): Promise<void> {
  let told = list;
  let isTold = false;
  const learn = (next: DeferredList): void => {
    told = next;
    isTold = true;
  };
  setHandler(listSignal, learn);
  setHandler(emptySignal, () => learn({ ...told, emailIds: [], firstAt: null }));
  while (told.emailIds.length > 0) {
    setCurrentDetails(detailsOf(told));
    await condition(() => isTold);
    isTold = false;
    upsertSearchAttributes([mailIds(told.emailIds), dueAt(instantOf(told))]);
    if (told.emailIds.length > 0 && isHistoryLong(HISTORY_LIMIT)) await continueAsNew<typeof deferredMail>(told);
  }
}

const instantOf = ({ firstAt }: DeferredList): string | null => (firstAt === null ? null : new Date(firstAt).toISOString());

const detailsOf = (list: DeferredList): string =>
  [
    `${list.emailIds.length} ${list.emailIds.length === 1 ? 'message waits' : 'messages wait'} for another attempt`,
    `the first at ${instantOf(list) ?? 'once'}`,
  ].join(', ');
