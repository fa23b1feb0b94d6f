import { condition, setHandler, workflowInfo, upsertSearchAttributes } from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/workflow';
import { defineSearchAttributeKey } from '@temporalio/common';
import type { SearchAttributeUpdatePair } from '@temporalio/common';

/** Returns whether a workflow should continue as new: its history has more events than that, or as many as Temporal suggests at most. */
export function isHistoryLong(mostEvents = Number.POSITIVE_INFINITY): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return continueAsNewSuggested || historyLength > mostEvents;
}

/** The wait between two turns. */
interface Wait {
  readonly ms: number;
  readonly summary: string;
}

interface Turns {
  /** Each of them ends a wait. */
  readonly signals?: readonly SignalDefinition[];
  /** Continues as new, when the history is long. */
  readonly afresh: () => Promise<never>;
  readonly mostEvents?: number;
}

/** Takes turns until one finds nothing to wait for (null) and no signal has come meanwhile. What there is to do is in documents: a turn that is repeated does no harm. */
export async function takeTurns({ signals = [], afresh, mostEvents }: Turns, turn: () => Promise<Wait | null>): Promise<void> {
  let isSignalled = false;
  for (const signal of signals) setHandler(signal, () => void (isSignalled = true));
  for (;;) {
    isSignalled = false;
    const wait = await turn();
    if (wait) await condition(() => isSignalled, Math.max(1, wait.ms), { summary: wait.summary });
    else if (!isSignalled) return;
    if (isHistoryLong(mostEvents)) await afresh();
  }
}

const DUE = defineSearchAttributeKey('Due', 'DATETIME');

/** Returns the search attribute that finds workflows with something to do at an instant, or before now; null removes it. */
export const dueAt = (instant: string | null): SearchAttributeUpdatePair => ({
  key: DUE,
  value: instant === null ? null : new Date(instant),
});

/** Notes until when the workflow waits, and more with it. It stays noted once that is past: what was due long ago is late. */
export const noteWait = (waitMs: number, more: readonly SearchAttributeUpdatePair[] = []): void =>
  upsertSearchAttributes([dueAt(new Date(Date.now() + waitMs).toISOString()), ...more]);

const EMAIL_ID = defineSearchAttributeKey('EmailId', 'KEYWORD_LIST');

/** Returns the search attribute that finds the workflow which sends, or delays, some messages. It holds `LISTED_IDS` of them; none removes it. */
export const mailIds = (emailIds: readonly string[]): SearchAttributeUpdatePair => ({
  key: EMAIL_ID,
  value: emailIds.length > 0 ? [...emailIds] : null,
});
