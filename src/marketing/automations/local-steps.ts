import { Places } from '../../platform/async';
import { perCore } from '../../platform/core';
import type { RunOn } from '../../contracts/automation';

/**
 * Executions that a process carries on at the same time within their workflows' tasks. A worker has more places for tasks (`worker/create-workers.ts`): what is
 * left is for projects that have few executions under way, whatever the steps of others wait for.
 */
const AT_ONCE = 32;
const SPARE = 12;

/** An execution that waits gives the place of its task back: one when no step ends for so long, and each before its task would be late. */
const AWAY = { stallMs: 200, patienceMs: 1_500 } as const;

/** Who was sent away comes back after a second; many come one after another. */
const BACK_MS = 1_000;
const GAP_MS = 50;
const LONGEST_MS = 60_000;

/** Shares the places of a worker's tasks between projects. */
export class LocalSteps {
  private readonly places = new Places({ most: AT_ONCE, spare: SPARE, away: AWAY });
  private lastReturn = Number.NEGATIVE_INFINITY;

  /** Carries an execution on when it is the turn of its project; says when to come back when all places are held. */
  async run(projectId: string, now: number, work: () => Promise<RunOn>): Promise<RunOn> {
    const leave = await this.places.take(projectId);
    if (!leave) return { todo: { next: 'wait', nodeId: null, until: now + this.returnIn(), cause: 'turn' }, passed: [] };
    try {
      return await work();
    } finally {
      leave();
    }
  }

  private returnIn(): number {
    const now = performance.now();
    this.lastReturn = Math.min(Math.max(now + BACK_MS, this.lastReturn + GAP_MS), now + LONGEST_MS);
    return Math.round(this.lastReturn - now);
  }
}

export const localSteps = perCore(() => new LocalSteps());
