import { LRUCache } from 'lru-cache';
import type { ClientSession } from 'mongoose';
import { perDatabase } from '../../platform/mongo';
import { conditionsIn, dependsOnTime, emailStatuses, eventNames, segmentRefs } from '../../rules/conditions/inventory';
import { parseConditions } from '../../rules/conditions/parse';
import type { Tree } from '../../rules/conditions/types';
import { SegmentModel } from './model';
import type { Segment } from './model';

/** A dynamic segment as it is judged by. */
export interface PlannedSegment {
  readonly segmentId: string;
  readonly revision: number;
  readonly tree: Tree;
  readonly segmentIds: readonly string[];
  readonly dependsOnTime: boolean;
}

type Facts = Pick<Segment, '_id' | 'revision' | 'conditions'>;

/** Returns what a stored segment's conditions mean. */
export function planned({ _id, revision, conditions }: Facts): PlannedSegment {
  const parsed = parseConditions(conditions);
  if (!('ok' in parsed)) throw new Error(`The conditions of ${_id} do not hold together`);
  const tree = parsed.ok;
  return { segmentId: _id, revision, tree, segmentIds: segmentRefs(tree), dependsOnTime: dependsOnTime(tree) };
}

const CONTACT_CHANGES = ['contact.updated', 'contact.subscribed', 'contact.unsubscribed'] as const;
const MEMBERSHIPS = ['segment.entered', 'segment.exited'] as const;

/** Returns the events after which it may be another matter whether a contact belongs to a segment with these conditions. */
export function eventsHeard(tree: Tree): readonly string[] {
  const readsContact = conditionsIn(tree).some(({ on }) => on === 'value');
  return [
    'contact.created',
    ...(readsContact ? CONTACT_CHANGES : []),
    ...eventNames(tree),
    ...emailStatuses(tree).flatMap(changesOf),
    ...(segmentRefs(tree).length > 0 ? MEMBERSHIPS : []),
  ];
}

/** Returns the events that change a status; a delivery may bounce later, and then did not happen. */
const changesOf = (status: ReturnType<typeof emailStatuses>[number]): readonly string[] =>
  status === 'delivered' ? ['email.delivered', 'email.bounced'] : [`email.${status}`];

type Happening = { readonly name: string; readonly data: Readonly<Record<string, unknown>> | null };

/** The dynamic segments of a project, each behind those that it asks about. */
export class SegmentPlan {
  private readonly order: readonly PlannedSegment[];
  private readonly heard: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(segments: readonly PlannedSegment[]) {
    this.order = inOrder(segments);
    this.heard = new Map(segments.map(({ segmentId, tree }) => [segmentId, new Set(eventsHeard(tree))]));
  }

  /** Returns the segments that an event may change, with all that have to be judged with them, in order. */
  concerning(event: Happening): readonly PlannedSegment[] {
    return this.together(this.order.filter((segment) => this.hears(segment, event)).map(({ segmentId }) => segmentId));
  }

  /**
   * Segments with all that ask about each other, in order. Judged together, none of them is seen in a state between two: a contact does not enter one
   * for a moment because it has not entered yet what excludes it.
   */
  together(segmentIds: readonly string[]): readonly PlannedSegment[] {
    const wanted = new Set(segmentIds);
    for (let before = -1; before !== wanted.size;) {
      before = wanted.size;
      for (const segment of this.order) {
        const asked = segment.segmentIds.filter((id) => this.heard.has(id));
        if (!wanted.has(segment.segmentId) && !asked.some((id) => wanted.has(id))) continue;
        for (const id of [segment.segmentId, ...asked]) wanted.add(id);
      }
    }
    return this.order.filter(({ segmentId }) => wanted.has(segmentId));
  }

  /** Returns the segments that ask about one, directly or through others, in order. */
  dependentsOf(segmentId: string): readonly PlannedSegment[] {
    const found = new Set([segmentId]);
    const dependents = this.order.filter((segment) => segment.segmentIds.some((id) => found.has(id)) && found.add(segment.segmentId));
    return dependents.filter((segment) => segment.segmentId !== segmentId);
  }

  private hears({ segmentId, segmentIds, tree }: PlannedSegment, { name, data }: Happening): boolean {
    if (!this.heard.get(segmentId)?.has(name)) return false;
    const isMembership = (MEMBERSHIPS as readonly string[]).includes(name) && !eventNames(tree).includes(name);
    return !isMembership || segmentIds.includes(String(data?.['segmentId']));
  }
}

function inOrder(segments: readonly PlannedSegment[]): readonly PlannedSegment[] {
  const byId = new Map(segments.map((segment) => [segment.segmentId, segment]));
  const order = new Set<PlannedSegment>();
  const visit = (segment: PlannedSegment): void => {
    if (!byId.delete(segment.segmentId)) return;
    for (const id of segment.segmentIds) {
      const asked = byId.get(id);
      if (asked) visit(asked);
    }
    order.add(segment);
  };
  for (const segment of segments) visit(segment);
  return [...order];
}

/** Resolves to the dynamic segments of a project as they are now. */
export async function loadPlan(projectId: string, session?: ClientSession): Promise<SegmentPlan> {
  const rows = await SegmentModel.find({ projectId, type: 'dynamic' }, { revision: 1, conditions: 1 }, { session: session ?? null })
    .sort({ createdAt: -1, _id: -1 })
    .lean<Facts[]>();
  return new SegmentPlan(rows.map(planned));
}

const MOST_CACHED = 1_000;
const plans = perDatabase(
  () => new LRUCache<string, { readonly version: number; readonly plan: Promise<SegmentPlan> }>({ max: MOST_CACHED }),
);

/** Resolves to the same, kept as long as the project's listeners are of one version: every edit of a segment makes a new one. */
export function planAt(projectId: string, version: number): Promise<SegmentPlan> {
  const cached = plans();
  const known = cached.get(projectId);
  if (known && known.version >= version) return known.plan;
  const plan = loadPlan(projectId);
  const entry = { version, plan };
  cached.set(projectId, entry);
  plan.catch(() => {
    if (cached.peek(projectId) === entry) cached.delete(projectId);
  });
  return plan;
}
