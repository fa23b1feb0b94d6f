import type { Client, WorkflowHandle } from '@temporalio/client';
import { SUMMARIES } from '../../workflows/summarized';
import { eventually } from '../support/platform/platform';
import type { Answer, Scenario, Stage } from './scenarios';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;
type Event = NonNullable<History['events']>[number];

/** Where workflows run. */
export interface Place {
  readonly client: Client;
  /** Reads the workflows' time, in milliseconds. */
  readonly now: () => Promise<number>;
  /** Lets it pass; null where it passes as it does. */
  readonly pass: ((ms: number) => Promise<void>) | null;
}

/** Runs scenarios one after another, with activities that answer as the scenario says. */
export class Recording {
  readonly activities: Readonly<Record<string, (input: unknown) => Promise<unknown>>>;
  private answers = new Map<string, Answer[]>();
  private stage: Stage | undefined;

  constructor(private readonly place: Place) {
    this.activities = Object.fromEntries(Object.keys(SUMMARIES).map((name) => [name, (input: unknown) => this.answer(name, input)]));
  }

  /** Resolves to the history of the scenario's first run. */
  async of(scenario: Scenario): Promise<History> {
    const { name, answers = {}, steps = [], isEndless, isContinued } = scenario;
    this.answers = new Map(Object.entries(answers).map(([activity, given]) => [activity, [...given]]));
    this.stage = this.stageOf(name);
    const run = await this.start(scenario);
    for (const step of steps) {
      await untilWaiting(run);
      await step(this.stage);
    }
    if (isEndless && !isContinued) await untilWaiting(run);
    else await run.result().catch(() => undefined);
    const history = await run.fetchHistory();
    // The run that follows ends too: time skips no more behind an activity of a workflow that was terminated.
    const last = this.place.client.workflow.getHandle(name);
    if (isEndless || isContinued) await last.terminate();
    else await last.result().catch(() => undefined);
    return history;
  }

  /** Resolves to the run that begins, without those that follow it. */
  private async start({ name, workflow, queue: taskQueue = 'orchestration', input }: Scenario): Promise<WorkflowHandle> {
    const { client, now } = this.place;
    const given = typeof input === 'function' ? (input as (now: number) => unknown)(await now()) : input;
    const args = given === undefined ? [] : [given];
    const { firstExecutionRunId } = await client.workflow.start(workflow, { workflowId: name, taskQueue, args });
    return client.workflow.getHandle(name, firstExecutionRunId, { followRuns: false });
  }

  private async answer(name: string, input: unknown): Promise<unknown> {
    const [next, ...others] = this.answers.get(name) ?? [null];
    if (others.length > 0) this.answers.set(name, others);
    return typeof next === 'function'
      ? (next as (input: unknown, now: number, stage: Stage | undefined) => unknown)(input, await this.place.now(), this.stage)
      : next;
  }

  private stageOf(workflowId: string): Stage {
    const handle = this.place.client.workflow.getHandle(workflowId);
    const { pass } = this.place;
    return {
      signal: (name, ...args) => handle.signal(name, ...args),
      update: (name) => handle.executeUpdate(name),
      cancel: async () => void (await handle.cancel()),
      pass: (ms) => (pass ? pass(ms) : Promise.reject(new Error('Time does not skip here'))),
    };
  }
}

/** Resolves when nothing is under way: the next thing comes from outside, or by a timer. */
const untilWaiting = (run: WorkflowHandle): Promise<boolean> =>
  eventually(`${run.workflowId} waits`, async () => isWaiting(await run.fetchHistory()));

/** Whether each task that was scheduled has ended. */
function isWaiting({ events }: History): boolean {
  const count = (isCounted: (event: Event) => unknown): number => (events ?? []).filter(isCounted).length;
  const tasks = count((event) => event.workflowTaskCompletedEventAttributes);
  const begun = count((event) => event.workflowTaskScheduledEventAttributes);
  const lost = count((event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskTimedOutEventAttributes);
  const activities = count((event) => event.activityTaskScheduledEventAttributes);
  const ended = count(
    (event) =>
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes,
  );
  return tasks > 0 && begun === tasks + lost && activities === ended;
}
