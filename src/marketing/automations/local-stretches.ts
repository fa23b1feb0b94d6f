import { Bursts, CROWD, FairQueue } from '../../platform/fair';
import { perCore } from '../../platform/core';
import { STRETCH_MS } from '../../contracts/automation';
import type { AdvanceInput, ExecutionKey, RunOn } from '../../contracts/automation';

/**
 * Executions that a process carries on at the same time within their workflows' tasks. A worker has more places for tasks (`worker/create-workers.ts`): what is
 * left is for projects that have few executions under way, whatever the stretches of others wait for. What is carried on together holds the process's one thread
 * for longer, which others wait for at each of their stages: so a crowd has fewer places while others come.
 */
const AT_ONCE = 10;
const SPARE = 12;
/** While no other project has had stretches for a while. */
const ALONE = { most: 32, afterMs: CROWD.aloneMs };

/**
 * Stretches of a crowd wait for the ones before them: the slower a machine, the more go together, and the fewer commands each takes. A stretch that takes long holds
 * the next ones up for no longer than this.
 */
const TOGETHER = { ...CROWD, patienceMs: 300 };

/** Waiting executions release their workflow task: one per `stallMs` without progress, and each after `patienceMs`, before its task would be late. */
const AWAY = { stallMs: 200, patienceMs: 1_500 } as const;

/** Stretches that run as activities at the same time: a worker has 100 places for activities, and others need some. */
const APART = { most: 32, spare: 24, away: AWAY };

/** Executions that gave their task back return after a second, one after another. */
const BACK_MS = 1_000;
const GAP_MS = 50;
const LONGEST_MS = 60_000;

/**
 * Executions that were nudged here and have not arrived yet. Temporal hands a nudged one to the worker that had it last, and for two
 * seconds only to that worker: if a crowd is nudged faster than it continues, each execution would be handed out twice.
 */
const EXPECTED = { most: 48, spare: 48 };
/** Expected time of a stretch; after it, the execution may continue in another process. */
const EXPECTED_MS = 2_000;
/** A process that has continued no execution for this long runs no stretches. */
const IDLE_MS = 600_000;

/** All places for stretches are held. */
export class NoPlace extends Error {
  override readonly name = 'NoPlace';

  constructor(
    /** Milliseconds after which a retry makes sense. */
    readonly returnInMs: number,
  ) {
    super('Waits for a free place');
  }
}

/** Shares the places of a worker's tasks, and of its activities, between projects. */
export class LocalStretches {
  private readonly apart = new FairQueue(APART);
  private readonly places = new FairQueue({ most: AT_ONCE, spare: SPARE, away: AWAY, alone: ALONE });
  private readonly bursts = new Bursts(TOGETHER);
  private readonly expected = new FairQueue(EXPECTED);
  private readonly arrivals = new Map<string, () => void>();
  private lastReturn = Number.NEGATIVE_INFINITY;
  private lastRun = Number.NEGATIVE_INFINITY;

  /**
   * Carries an execution on when there is a place for its project; says when to come back when all places are held. After five seconds the place is another's:
   * the task has gone on without the stretch.
   */
  async run({ executionId, projectId, now }: AdvanceInput, work: () => Promise<RunOn>): Promise<RunOn> {
    this.lastRun = performance.now();
    this.arrivals.get(executionId)?.();
    const leave = await this.places.take(projectId);
    if (!leave) return { todo: { next: 'wait', nodeId: null, until: now + this.returnIn(), cause: 'turn' }, way: [] };
    const late = setTimeout(leave, STRETCH_MS).unref();
    const over = await this.bursts.begin(projectId);
    try {
      return await work();
    } finally {
      clearTimeout(late);
      over();
      leave();
    }
  }

  /** Carries an execution on outside of its workflow's task, when there is a place for its project. Throws `NoPlace`. */
  async runApart({ projectId }: Pick<ExecutionKey, 'projectId'>, work: () => Promise<RunOn>): Promise<RunOn> {
    const leave = await this.apart.take(projectId);
    if (!leave) throw new NoPlace(this.returnIn());
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Runs a call after which an execution continues, here or elsewhere, once few enough are expected here. */
  async expect({ executionId, projectId }: ExecutionKey, call: () => Promise<void>): Promise<void> {
    if (performance.now() - this.lastRun > IDLE_MS) return call();
    const leave = await this.expected.take(projectId);
    const over = this.arriving(executionId, () => leave?.());
    try {
      await call();
    } catch (error) {
      over();
      throw error;
    }
  }

  /** Leaves a place when the execution comes, or late. Returns what leaves it before. */
  private arriving(executionId: string, leave: () => void): () => void {
    this.arrivals.get(executionId)?.();
    const over = (): void => {
      clearTimeout(timer);
      leave();
      if (this.arrivals.get(executionId) === over) this.arrivals.delete(executionId);
    };
    const timer = setTimeout(over, EXPECTED_MS).unref();
    this.arrivals.set(executionId, over);
    return over;
  }

  private returnIn(): number {
    const now = performance.now();
    this.lastReturn = Math.min(Math.max(now + BACK_MS, this.lastReturn + GAP_MS), now + LONGEST_MS);
    return Math.round(this.lastReturn - now);
  }
}

export const localStretches = perCore(() => new LocalStretches());
