import type { LimitDetail } from '../person-limits';
import type { RefusalDetail } from '../refusal';
import type { NodeEffect, NodeType } from './nodes';

/** The interpreter's state between two inputs; plain JSON. `split` chooses by `executionId`. */
export type State =
  | { readonly phase: 'asking'; readonly executionId: string; readonly nodeId: string }
  | { readonly phase: 'sleeping'; readonly executionId: string; readonly nodeId: string; readonly until: string }
  | { readonly phase: 'over'; readonly executionId: string; readonly finish: Finish };

/** The end of an execution. */
export interface Finish {
  readonly status: 'completed' | 'exited' | 'failed' | 'cancelled';
  /** Set for an `exit` or a cancellation. */
  readonly reason: string | null;
  readonly error: string | null;
}

/** Records that a node was entered. */
export interface StepOpened {
  readonly kind: 'open';
  readonly nodeId: string;
  readonly type: NodeType;
  readonly status: 'running' | 'waiting';
}

/** Records that a node was left. */
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
 * The next thing to do; the details are in the node's own configuration. An execution visits a node at most once, so (execution, nodeId) is
 * a key under which the effect happens once.
 */
export type Effect = NodeEffect | ({ readonly kind: 'finish' } & Finish);

/** The result of an effect; `cancel` comes unasked. */
export type Input =
  /** Result of a send, a change or an emitted event. */
  | { readonly kind: 'done'; readonly output: StepClosed['output'] }
  /** The same action was skipped, for a reason that the step shows. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly detail?: RefusalDetail | LimitDetail | undefined }
  | { readonly kind: 'delayComputed'; readonly until: string }
  | { readonly kind: 'woke' }
  /** A digest is over; `items` is how many events it has gathered. */
  | { readonly kind: 'gathered'; readonly items: number }
  | { readonly kind: 'eventArrived'; readonly eventId: string }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'answered'; readonly value: boolean }
  /** The index of the first case that matches; null when none does. */
  | { readonly kind: 'switched'; readonly index: number | null }
  | {
      readonly kind: 'webhookAnswered';
      readonly ok: boolean;
      readonly status: number | null;
      readonly body: string | null;
      readonly error: string | null;
    }
  /** Result of any effect that can never succeed. Ends the execution. */
  | { readonly kind: 'failed'; readonly error: string }
  | { readonly kind: 'cancel'; readonly reason: string | null };

/** A transition: the new state, what to record, and what to do next. */
export interface Transition {
  readonly state: State;
  readonly records: readonly StepRecord[];
  readonly effect: Effect;
}
