import { defineQuery, defineSignal } from '@temporalio/workflow';

/** A step that takes longer within its workflow's task leaves it, and goes on as an activity. */
export const STEP_MS = 5_000;

/** Names one execution of an automation. */
export interface ExecutionKey {
  readonly executionId: string;
  readonly projectId: string;
}

export interface AutomationRunInput extends ExecutionKey {
  /** Where a run goes on that follows another one. */
  readonly resume?: Extract<Todo, { next: 'call' }>;
}

export interface AdvanceInput extends ExecutionKey {
  /** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
  readonly now: number;
  /** So many of the nodes that the execution has left are known to its workflow. */
  readonly known?: number;
}

export interface CallInput extends AdvanceInput {
  /** 1 for the first one. */
  readonly attempt: number;
}

/** Why an execution waits: in a node, or before the next one; `turn`: its worker has no place for it now. */
export type WaitCause = 'delay' | 'event' | 'paused' | 'disabled' | 'throttled' | 'turn';

/** What an execution is to do next. Where it stands is in its document; this is what its workflow has to know. */
export type Todo =
  | { readonly next: 'over'; readonly status: string }
  /** Carry this node out. */
  | { readonly next: 'node'; readonly nodeId: string | null; readonly type: string }
  /** Call the webhook of this node, after a while; `heldBack`: others are calling that server, or it does not answer. */
  | { readonly next: 'call'; readonly nodeId: string; readonly attempt: number; readonly afterMs: number; readonly heldBack?: true }
  /** Look again at this instant, in milliseconds, or when nudged. */
  | Wait;

export interface Wait {
  readonly next: 'wait';
  readonly nodeId: string | null;
  /** Of the node. */
  readonly type?: string;
  readonly until: number;
  readonly cause: WaitCause;
  /** The name of the event that it waits for. */
  readonly event?: string;
}

/** A node that an execution has left. */
export interface LeftNode {
  readonly nodeId: string;
  readonly type: string;
  /** When, in milliseconds. */
  readonly at: number;
  readonly branch?: string;
  /** Unless it is `completed`. */
  readonly status?: string;
  /** The message that it sent. */
  readonly emailId?: string;
}

/** Where an execution stands after it has run on, and the nodes that it has left since those that are known, in order. */
export interface RunOn {
  readonly todo: Todo;
  readonly way: readonly LeftNode[];
}

/** What follows a call; `way` when the execution has left nodes since those that are known. */
export type Called = Todo & Partial<Pick<RunOn, 'way'>>;

/** What the workflow of an execution results in: how that ended, and the nodes that it left last, as people read them. */
export interface AutomationEnd {
  readonly status: string;
  readonly way: readonly string[];
}

export const automationRunId = (executionId: string): string => `automation/${executionId}`;

/** Something has changed in the document of the execution. What, is read there: a repeated or late nudge does no harm. */
export const nudgeSignal = defineSignal('nudge');

/** What the workflow of an execution answers when it is asked where it stands. */
export interface AutomationProgress {
  readonly nodeId: string | null;
  readonly doing: string;
  /** ISO 8601 instant. */
  readonly until: string | null;
}

export const automationProgressQuery = defineQuery<AutomationProgress>('progress');

/** Whose executions are to read their documents at once. */
export interface AutomationNudgeInput {
  readonly projectId: string;
  readonly automationId: string;
  /** ISO 8601 instant: executions that were enrolled up to then are cancelled first. */
  readonly cancelUpTo: string | null;
}

export interface NudgePageInput extends AutomationNudgeInput {
  /** The last execution of the page before; an empty text is the beginning. */
  readonly after: string;
}
