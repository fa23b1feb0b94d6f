import type { RefusalDetail } from '../refusal';
import type { NodeEffect, NodeType } from './nodes';

/** What the interpreter remembers between two inputs; plain JSON. `executionId` is what `split` chooses by. */
export type State =
  | { readonly phase: 'asking'; readonly executionId: string; readonly nodeId: string }
  | { readonly phase: 'sleeping'; readonly executionId: string; readonly nodeId: string; readonly until: string }
  | { readonly phase: 'over'; readonly executionId: string; readonly finish: Finish };

/** How an execution ends. */
export interface Finish {
  readonly status: 'completed' | 'exited' | 'failed' | 'cancelled';
  /** Of an `exit` or a cancellation. */
  readonly reason: string | null;
  readonly error: string | null;
}

/** That a node was entered. */
export interface StepOpened {
  readonly kind: 'open';
  readonly nodeId: string;
  readonly type: NodeType;
  readonly status: 'running' | 'waiting';
}

/** That a node was left. */
export interface StepClosed {
  readonly kind: 'close';
  readonly nodeId: string;
  readonly type: NodeType;
  readonly status: 'completed' | 'skipped' | 'failed';
  readonly branch: string | null;
  readonly output: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
}

export type StepRecord = StepOpened | StepClosed;

/**
 * What is to be done next. What it takes to do it is in the node's own configuration; an execution visits a node at most once, so that
 * (execution, nodeId) is a key under which the effect happens once.
 */
export type Effect = NodeEffect | ({ readonly kind: 'finish' } & Finish);

/** What came of an effect; `cancel` comes of itself. */
export type Input =
  /** Of a send, a change or an emitted event. */
  | { readonly kind: 'done'; readonly output: StepClosed['output'] }
  /** Of the same: it was left out, for a reason that the step shows. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly detail?: RefusalDetail | undefined }
  | { readonly kind: 'delayComputed'; readonly until: string }
  | { readonly kind: 'woke' }
  | { readonly kind: 'eventArrived'; readonly eventId: string }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'answered'; readonly value: boolean }
  /** The place of the first case that matches; null when none does. */
  | { readonly kind: 'switched'; readonly index: number | null }
  | {
      readonly kind: 'webhookAnswered';
      readonly ok: boolean;
      readonly status: number | null;
      readonly body: string | null;
      readonly error: string | null;
    }
  /** Of any effect: it can never succeed. Ends the execution. */
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'cancel'; readonly reason: string | null };

/** One move: what to remember, what to record, what to do. */
export interface Turn {
  readonly state: State;
  readonly records: readonly StepRecord[];
  readonly effect: Effect;
}
