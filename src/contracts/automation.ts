import { defineQuery, defineSignal } from '@temporalio/workflow';

/** A stretch that takes longer than this in its workflow's task continues as an activity. */
export const STRETCH_MS = 5_000;

/**
 * The parts into which a backlog of the sweep of executions is shared, for as many workers at once: by the last character of an execution's id, which chance
 * decides. Of the 32 there are, each is in one part.
 */
export const SWEEP_SHARES: readonly string[] = ['0-7', '8-9a-f', 'g-q', 'r-z'];

/** Due executions that the sweep starts without sharing them. */
export const SWEEP_FEW = 500;

/** Names one execution of an automation. */
export interface ExecutionKey {
  readonly executionId: string;
  readonly projectId: string;
}

export interface AutomationRunInput extends ExecutionKey {
  /** The point at which a run continues that follows another one. */
  readonly resume?: Extract<Todo, { next: 'call' }>;
}

export interface AdvanceInput extends ExecutionKey {
  /** An activity's view of the workflow's time, in milliseconds, so that tests can skip time. */
  readonly now: number;
  /** Number of nodes that the execution has left and that its workflow knows. */
  readonly known?: number;
}

export interface CallInput extends AdvanceInput {
  /** 1 for the first one. */
  readonly attempt: number;
}

/** Why an execution waits: in a node, or before the next one; `turn`: its worker has no place for it now. */
export type WaitCause = 'delay' | 'event' | 'paused' | 'disabled' | 'throttled' | 'turn';

/** The next thing for an execution to do. Its position is in its document; this is the part that its workflow needs. */
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
  /** Type of the node. */
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

/** The state of an execution after it has continued, and the nodes that it has left since the known ones, in order. */
export interface RunOn {
  readonly todo: Todo;
  readonly way: readonly LeftNode[];
}

/** The next thing to do after a call; `way` if the execution has left nodes since the known ones. */
export type Called = Todo & Partial<Pick<RunOn, 'way'>>;

/** The result of an execution's workflow: how it ended, and the last nodes that it left, in readable form. */
export interface AutomationEnd {
  readonly status: string;
  readonly way: readonly string[];
}

export const automationRunId = (executionId: string): string => `automation/${executionId}`;

/** Something has changed in the document of the execution. What, is read there: a repeated or late nudge does no harm. */
export const nudgeSignal = defineSignal('nudge');

/** The answer of an execution's workflow to a query for its position. */
export interface AutomationProgress {
  readonly nodeId: string | null;
  readonly doing: string;
  /** ISO 8601 instant. */
  readonly until: string | null;
}

export const automationProgressQuery = defineQuery<AutomationProgress>('progress');

/** The executions that are to read their documents at once. */
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
