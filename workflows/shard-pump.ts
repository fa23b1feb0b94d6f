import { condition, continueAsNew, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { QueryDefinition, SignalDefinition } from '@temporalio/workflow';

interface Shard {
  readonly shard: number;
}

/** The result of one run of a pump's activity. */
interface Run {
  readonly handled: number;
  /** When the next thing of the shard is due, in milliseconds; null when none waits. */
  readonly nextDueAt?: number | null;
  /** The task queue of the worker that should continue. */
  readonly moveTo?: string;
  /** The run was stopped: there may be more to do at once. */
  readonly more?: boolean;
}

/** The state of a pump, for its query. */
interface Standing<Working extends string> {
  readonly handled: number;
  readonly state: Working | 'waiting';
  readonly nextDueAt: string | null;
}

interface Kind<Working extends string, Progress> {
  readonly wake: SignalDefinition;
  readonly query: QueryDefinition<Progress>;
  readonly progress: (standing: Standing<Working>) => Progress;
  readonly working: Working;
  readonly run: (shard: number, moveTo: string | undefined) => Promise<Run>;
  /** For people: what it does, and what it waits for. */
  readonly says: {
    readonly working: (moveTo: string | undefined) => string;
    readonly waiting: (handled: number, nextDueAt: string | null) => string;
    readonly timer: string;
  };
}

const HISTORY_LIMIT = 2_000;
type Pump = (input: Shard) => Promise<void>;

/**
 * Runs a shard's pump forever, whatever it pumps: as long as something is due, then sleeps until the next thing is due or the shard is woken. Each kind of pump
 * is a workflow type of its own by name alone.
 */
export async function pumpShard<Working extends string, Progress>(kind: Kind<Working, Progress>, { shard }: Shard): Promise<void> {
  let woken = false;
  let handled = 0;
  let state: Working | 'waiting' = kind.working;
  let nextDueAt: number | null = null;
  let moveTo: string | undefined;
  const dueText = (): string | null => (nextDueAt === null ? null : new Date(nextDueAt).toISOString());
  setHandler(kind.wake, () => {
    woken = true;
  });
  setHandler(kind.query, () => kind.progress({ handled, state, nextDueAt: dueText() }));

  for (;;) {
    woken = false;
    state = kind.working;
    setCurrentDetails(`Shard ${shard}: ${kind.says.working(moveTo)}`);
    const run = await kind.run(shard, moveTo);
    handled += run.handled;
    nextDueAt = run.nextDueAt ?? null;
    moveTo = run.moveTo;
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    if (continueAsNewSuggested || historyLength > HISTORY_LIMIT) await continueAsNew<Pump>({ shard });
    if (moveTo !== undefined || run.more) continue;
    state = 'waiting';
    setCurrentDetails(`Shard ${shard}: ${kind.says.waiting(handled, dueText())}`);
    if (nextDueAt === null) await condition(() => woken);
    else if (nextDueAt > Date.now()) await condition(() => woken, nextDueAt - Date.now(), { summary: kind.says.timer });
  }
}
