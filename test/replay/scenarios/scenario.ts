import { ApplicationFailure } from '@temporalio/activity';
import type { Activities } from '../../../activities';
import type { TaskQueue } from '../../../src/contracts/task-queues';

export const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000] as const;

/** What an activity answers: a value, or what a function makes of its input, the workflows' time and the stage. */
export type Answer = unknown;

/** What happens to a workflow from outside, once it waits for something. */
export interface Stage {
  signal(name: string, ...args: readonly unknown[]): Promise<void>;
  /** Asks for an update, and waits for its answer. */
  update(name: string): Promise<void>;
  cancel(): Promise<void>;
  /** Lets the workflow's time pass. */
  pass(ms: number): Promise<void>;
}

/** One path through a workflow that is kept as a history. */
export interface Scenario {
  /** The workflow's name in kebab case, a dot, and the path; the name of the file. */
  readonly name: string;
  readonly workflow: string;
  readonly queue?: TaskQueue;
  /** A value, or what a function makes of the workflows' time. */
  readonly input?: unknown;
  /** The answers of its activities, in order; the last one again and again. Without one, an activity answers nothing. */
  readonly answers?: Readonly<Partial<Record<keyof Activities, readonly Answer[]>>>;
  /** Each step comes when the workflow waits. */
  readonly steps?: readonly ((stage: Stage) => Promise<void>)[];
  /** It never ends: it is recorded when it waits after the last step. */
  readonly isEndless?: true;
  /** It is recorded on a server that soon suggests to continue as new, and whose time does not skip. */
  readonly isContinued?: true;
}

/** An activity that fails for good. */
export const fails = (): never => {
  throw ApplicationFailure.nonRetryable('It does not work');
};

/** An activity that fails, and is tried again. */
export const failsOnce = (): never => {
  throw new Error('It does not work yet');
};

export const signal =
  (name: string, ...args: readonly unknown[]) =>
  (stage: Stage): Promise<void> =>
    stage.signal(name, ...args);

export const update =
  (name: string) =>
  (stage: Stage): Promise<void> =>
    stage.update(name);

export const pass =
  (ms: number) =>
  (stage: Stage): Promise<void> =>
    stage.pass(ms);

export const cancel = (stage: Stage): Promise<void> => stage.cancel();

/** The instant that is so many hours ahead. */
export const inTime = (now: number, hours: number): string => new Date(now + hours * HOUR).toISOString();
