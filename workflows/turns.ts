import { condition, setHandler, workflowInfo } from '@temporalio/workflow';
import type { SignalDefinition } from '@temporalio/workflow';

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
