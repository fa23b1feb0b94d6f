import { LRUCache } from 'lru-cache';
import type { SegmentPlan } from './plan';

type Load = (projectId: string, earlier?: SegmentPlan) => Promise<SegmentPlan>;

/** Plans of so many bytes of conditions are kept; in memory they take two to five times as much. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The plans of projects that were asked for last, within a bound on what they take together. */
export class PlanCache {
  private readonly kept: LRUCache<string, { readonly version: number; readonly plan: SegmentPlan }>;
  private readonly loading = new Map<string, { readonly version: number; readonly plan: Promise<SegmentPlan> }>();

  constructor(
    private readonly load: Load,
    private readonly mostBytes = MOST_BYTES,
  ) {
    this.kept = new LRUCache({ maxSize: mostBytes });
  }

  /** Resolves to a plan that is not older than a version. Asked for by many at once, it is loaded once. */
  at(projectId: string, version: number): Promise<SegmentPlan> {
    const kept = this.kept.get(projectId);
    if (kept && kept.version >= version) return Promise.resolve(kept.plan);
    const under = this.loading.get(projectId);
    if (under && under.version >= version) return under.plan;
    const plan = this.next(projectId, version, under?.plan ?? kept?.plan);
    const entry = { version, plan };
    this.loading.set(projectId, entry);
    const over = (): void => {
      if (this.loading.get(projectId) === entry) this.loading.delete(projectId);
    };
    plan.then(over, over);
    return plan;
  }

  /** After the one that is under way, so that a project's conditions are in memory once however fast they change. */
  private async next(projectId: string, version: number, earlier?: SegmentPlan | Promise<SegmentPlan>): Promise<SegmentPlan> {
    const plan = await this.load(projectId, await Promise.resolve(earlier).catch(() => undefined));
    // One that takes more than all may is kept alone: to read it anew for each event would cost more.
    this.kept.set(projectId, { version, plan }, { size: Math.min(plan.bytes, this.mostBytes) });
    return plan;
  }
}
