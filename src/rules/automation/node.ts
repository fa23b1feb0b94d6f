import type { GraphFault } from './fault';
import type { Input, State, StepClosed } from './machine';
import type { LiveHost } from './nodes';
import type { References } from './references';
import type { Stage } from './stage';
import type { FieldAtPath, NodeAtPath } from './trees';

type Eventual<T> = T | Promise<T>;

/** One node, as its rules are handed it. */
export interface Configured<Config> {
  readonly id: string;
  readonly config: Config;
}

/** The end of a node; a step is completed, without branch, output and error, unless this says otherwise. */
export type Outcome = Partial<Pick<StepClosed, 'status' | 'branch' | 'output' | 'error'>>;

/**
 * The rules of a type of node. `Kept` is the part of the configuration that the interpreter reads. Each `path` is the position of the
 * configuration in the graph, as faults name it.
 */
interface NodeTraits<Config = unknown, Kept = unknown> {
  /** It waits for a time or an event: its step and its execution are shown as `waiting`. */
  readonly waits?: true;
  /** It sends a message, whose texts have bounds of their own and which counts as usage of the project. */
  readonly sends?: true;
  /** Returns the names of its outcomes; one that has none has a single outcome without a name. */
  branches?(config: Config): readonly string[];
  /** Finds faults in the names and weights of its branches. */
  branchFaults?(config: Config, path: string): readonly GraphFault[];
  /** Finds faults in its conditions and in what is written out in it: names of events, languages, time zones. */
  configFaults?(config: Config, path: string): readonly GraphFault[];
  /** Lists the fields that its conditions ask about. */
  fieldsAsked?(config: Config, path: string): readonly FieldAtPath[];
  /** Lists the nodes about whose messages it asks. */
  nodesAsked?(config: Config, path: string): readonly NodeAtPath[];
  /** Lists the custom fields of contacts that it changes. */
  fieldsChanged?(config: Config): readonly string[];
  /** Collects what it refers to outside the graph, conditions apart. */
  references?(config: Config, path: string): Partial<References>;
  /** Returns the part of its configuration in which placeholders are replaced. */
  rendered?(config: Config): unknown;
  /** Returns the part of its configuration that the interpreter reads. */
  outline?(config: Config): Kept;
}

/** A type of node that an execution passes in the transition in which it comes to it. */
export interface PassingNode<Config = unknown, Kept = unknown> extends NodeTraits<Config, Kept> {
  /** Returns the branch that is taken, or that the execution ends here, and why. */
  pass(node: Configured<Kept>, executionId: string): { readonly branch?: string } | { readonly exit: string | null };
}

/** An effect that a node needs. An execution visits a node at most once, so (execution, nodeId) is a key under which it happens once. */
interface Question {
  readonly kind: string;
  readonly nodeId: string;
}

/** A type of node that asks its host for something. */
export interface AskingNode<Config = unknown, Asked extends Question = Question, Kept = unknown> extends NodeTraits<Config, Kept> {
  /** Returns what is asked of the host now. */
  effect(node: Configured<Kept>, state: Exclude<State, { phase: 'over' }>): Asked;
  /** Returns how the node ends by an answer; null for one that answers another question. */
  outcome(node: Configured<Kept>, state: State, input: Input): Outcome | null;
  /** Returns the state in which the node asks on after an answer; null when the answer ends it. */
  goesOn?(state: Exclude<State, { phase: 'over' }>, input: Input): State | null;
  /** Plays the effect in a rehearsal; null when its result would come after the end. */
  rehearse<Contact>(stage: Stage<Contact>, node: Configured<Config>, effect: Asked): Eventual<Input | null>;
}

/** A type of node that does something, or finds it out, at once. */
export interface ActingNode<Config = unknown, Asked extends Question = Question, Kept = unknown> extends AskingNode<Config, Asked, Kept> {
  /** Does it, in a real execution. */
  act<Done>(host: LiveHost<Done>, config: Config): Eventual<Done | Input>;
}

/** An effect that only names the node to carry out. */
export interface Act<Kind extends string> {
  readonly kind: Kind;
  readonly nodeId: string;
}

export const DONE: Input = { kind: 'done', output: null };

/** Returns how a node ends that does something: done, or left out for a reason that the step shows. */
export function doneOrSkipped(input: Input): Outcome | null {
  if (input.kind === 'skipped')
    return { status: 'skipped', output: { skipped: input.reason, ...(input.detail && { detail: input.detail }) } };
  return input.kind === 'done' ? { output: input.output } : null;
}
