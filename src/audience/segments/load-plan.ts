import type { ClientSession } from 'mongoose';
import { yielder } from '../../platform/async';
import { perDatabase } from '../../platform/mongo';
import { SegmentModel } from './model';
import type { Segment } from './model';
import { SegmentOrder, SegmentPlan, hearing, planned } from './plan';
import type { Asking, HearingSegment, PlannedSegment } from './plan';
import { LRUCache } from 'lru-cache';

/** Size of a segment's conditions in the database, as an aggregation expression. */
const CONDITION_BYTES = { $bsonSize: '$conditions' };

const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;
const BATCH = 50;

type Read = Pick<Segment, '_id' | 'name' | 'revision' | 'conditions'> & { readonly bytes: number };

/** A dynamic segment with its name. */
interface NamedPlan {
  readonly name: string;
  readonly segment: HearingSegment;
}

/**
 * Yields the dynamic segments of a project, newest first, or the ones with these ids, in any order. Their conditions may take megabytes:
 * they are read a few at a time, and other work runs between two that take long.
 */
export async function* plansOf(
  projectId: string,
  { ids, session }: { readonly ids?: readonly string[]; readonly session?: ClientSession | undefined } = {},
): AsyncGenerator<NamedPlan> {
  const filter = { projectId, type: 'dynamic', ...(ids && { _id: { $in: [...ids] } }) };
  const projection = { name: 1, revision: 1, conditions: 1, bytes: CONDITION_BYTES };
  const rows = SegmentModel.collection.find<Read>(filter, {
    projection,
    batchSize: BATCH,
    ...(!ids && { sort: NEWEST_FIRST }),
    ...(session && { session }),
  });
  const yieldWhenDue = yielder();
  for await (const row of rows) {
    yield { name: row.name, segment: hearing(planned(row), row.bytes) };
    await yieldWhenDue();
  }
}

async function segmentsOf(projectId: string, ids: readonly string[]): Promise<readonly HearingSegment[]> {
  const segments: HearingSegment[] = [];
  if (ids.length > 0) for await (const { segment } of plansOf(projectId, { ids })) segments.push(segment);
  return segments;
}

/** Resolves to the dynamic segments of a project as they are now. Reads the conditions only of those that have changed since an earlier plan. */
export async function loadPlan(projectId: string, earlier = new SegmentPlan([])): Promise<SegmentPlan> {
  const rows = await SegmentModel.find({ projectId, type: 'dynamic' }, { revision: 1 })
    .sort(NEWEST_FIRST)
    .lean<Pick<Segment, '_id' | 'revision'>[]>();
  const others = rows.filter(({ _id, revision }) => !earlier.find(_id, revision)).map(({ _id }) => _id);
  const read = new Map((await segmentsOf(projectId, others)).map((segment) => [segment.segmentId, segment]));
  return new SegmentPlan(rows.flatMap(({ _id, revision }) => earlier.find(_id, revision) ?? read.get(_id) ?? []));
}

/** Resolves to the order of a project's dynamic segments, without their conditions. */
export async function loadOrder(projectId: string, session?: ClientSession): Promise<SegmentOrder<Asking>> {
  const rows = await SegmentModel.find({ projectId, type: 'dynamic' }, { segmentIds: 1 }, { session: session ?? null })
    .sort(NEWEST_FIRST)
    .lean<Pick<Segment, '_id' | 'segmentIds'>[]>();
  return new SegmentOrder(rows.map(({ _id, segmentIds }) => ({ segmentId: _id, segmentIds })));
}

/** A segment, and all that have to be judged with it, in order. */
export interface Together {
  readonly own: PlannedSegment;
  readonly order: readonly PlannedSegment[];
}

/** Resolves to a dynamic segment with those that are judged together with it; to null when it is gone. */
export async function loadTogether(projectId: string, segmentId: string): Promise<Together | null> {
  const ids = (await loadOrder(projectId)).together([segmentId]).map((segment) => segment.segmentId);
  const order = new SegmentOrder<PlannedSegment>(await segmentsOf(projectId, ids)).all;
  const own = order.find((segment) => segment.segmentId === segmentId);
  return own ? { own, order } : null;
}

/** Resolves to how many bytes the conditions of a project's segments take together in the database, one segment left out. */
export async function conditionBytes(session: ClientSession, projectId: string, except: string): Promise<number> {
  const [sum] = await SegmentModel.aggregate<{ readonly bytes: number }>([
    { $match: { projectId, type: 'dynamic', _id: { $ne: except } } },
    { $group: { _id: null, bytes: { $sum: CONDITION_BYTES } } },
  ]).session(session);
  return sum?.bytes ?? 0;
}

const plans = perDatabase(() => new PlanCache(loadPlan));

type Load = (projectId: string, earlier?: SegmentPlan) => Promise<SegmentPlan>;

/** Limit for the conditions of cached plans, in bytes; in memory they take two to five times as much. */
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

  // After the one that is under way, so that a project's conditions are in memory once however fast they change.
  private async next(projectId: string, version: number, earlier?: SegmentPlan | Promise<SegmentPlan>): Promise<SegmentPlan> {
    const plan = await this.load(projectId, await Promise.resolve(earlier).catch(() => undefined));
    // A plan above the limit for all is cached alone: reading it again for each event would cost more.
    this.kept.set(projectId, { version, plan }, { size: Math.min(plan.bytes, this.mostBytes) });
    return plan;
  }
}

/** Resolves to a project's plan, kept as long as the project's listeners are of one version: every edit of a segment makes a new one. */
export const planAt = (projectId: string, version: number): Promise<SegmentPlan> => plans().at(projectId, version);
