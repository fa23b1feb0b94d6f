import { countPending } from '../events';
import type { WaitingProject } from '../events';
import type { Logger } from '../../platform/log';

interface Behind {
  readonly projectId: string;
  /** When the oldest of its events was due. */
  readonly since: Date;
  readonly shards: readonly number[];
}

export interface LagTimes {
  /** An event that waits longer is reported. */
  readonly lagMs: number;
  readonly lagEveryMs: number;
}

/** Projects in one report at most. */
const PROJECTS = 10;

/** Logs now and then which projects have events that wait long, the longest first. */
export class LagReport {
  private readonly late = new Map<number, readonly WaitingProject[]>();
  private saidAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly log: Logger,
    private readonly times: LagTimes,
  ) {}

  /** Notes what waits in a shard at this moment. */
  note(shard: number, projects: readonly WaitingProject[], now: Date): void {
    const late = projects.filter(({ since }) => now.getTime() - since.getTime() > this.times.lagMs);
    this.late.set(shard, late);
    if (late.length === 0 || performance.now() - this.saidAt < this.times.lagEveryMs) return;
    this.saidAt = performance.now();
    this.say(now).catch((error: unknown) => this.log.warn({ err: error }, 'Events that wait for the fan-out could not be counted'));
  }

  /** Forgets a shard, as another process may run it next. */
  forget(shard: number): void {
    this.late.delete(shard);
  }

  private async say(now: Date): Promise<void> {
    const projects = this.behind();
    for (const { projectId, since, shards } of projects.slice(0, PROJECTS)) {
      const waiting = await countPending(projectId, shards, now);
      const oldestMs = now.getTime() - since.getTime();
      this.log.warn({ projectId, waiting, oldestMs, shards, projects: projects.length }, 'Events of a project wait to be handed on');
    }
  }

  private behind(): readonly Behind[] {
    const found = new Map<string, Behind>();
    for (const [shard, projects] of this.late) {
      for (const { projectId, since } of projects) {
        const known = found.get(projectId);
        const oldest = known && known.since < since ? known.since : since;
        found.set(projectId, { projectId, since: oldest, shards: [...(known?.shards ?? []), shard] });
      }
    }
    return [...found.values()].sort((a, b) => a.since.getTime() - b.since.getTime());
  }
}
