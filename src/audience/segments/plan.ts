import { conditionsIn, dependsOnTime, emailStatuses, eventNames, segmentRefs, topicRefs } from '../../rules/conditions/inventory';
import { parseConditions } from '../../rules/conditions/parse';
import type { Tree } from '../../rules/conditions/types';
import type { Segment } from './model';

/** A dynamic segment, and the segments that its conditions ask about. */
export interface Asking {
  readonly segmentId: string;
  readonly segmentIds: readonly string[];
}

/** Dynamic segments of a project, each behind those that it asks about. */
export class SegmentOrder<T extends Asking> {
  readonly all: readonly T[];
  private readonly dynamic: ReadonlySet<string>;

  constructor(segments: readonly T[]) {
    this.all = inOrder(segments);
    this.dynamic = new Set(segments.map(({ segmentId }) => segmentId));
  }

  /**
   * Returns segments with all that ask about each other, in order. Judged together, none of them is seen in a state between two: a
   * contact does not enter one for a moment because it has not yet entered what excludes it.
   */
  together(segmentIds: readonly string[]): readonly T[] {
    const wanted = new Set(segmentIds);
    for (let before = -1; before !== wanted.size;) {
      before = wanted.size;
      for (const segment of this.all) {
        const asked = segment.segmentIds.filter((id) => this.dynamic.has(id));
        if (!wanted.has(segment.segmentId) && !asked.some((id) => wanted.has(id))) continue;
        for (const id of [segment.segmentId, ...asked]) wanted.add(id);
      }
    }
    return this.all.filter(({ segmentId }) => wanted.has(segmentId));
  }

  /** Returns the segments that ask about one, directly or through others, in order. */
  dependentsOf(segmentId: string): readonly T[] {
    const found = new Set([segmentId]);
    const dependents = this.all.filter((segment) => segment.segmentIds.some((id) => found.has(id)) && found.add(segment.segmentId));
    return dependents.filter((segment) => segment.segmentId !== segmentId);
  }
}

function inOrder<T extends Asking>(segments: readonly T[]): readonly T[] {
  const byId = new Map(segments.map((segment) => [segment.segmentId, segment]));
  const order = new Set<T>();
  const visit = (segment: T): void => {
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

/** A dynamic segment as it is judged by. */
export interface PlannedSegment extends Asking {
  readonly revision: number;
  readonly tree: Tree;
  readonly dependsOnTime: boolean;
}

/** The same with what is worked out once for all events. */
export interface HearingSegment extends PlannedSegment {
  /** The events that it hears whatever their data. */
  readonly heard: ReadonlySet<string>;
  /** Size of its conditions in the database. */
  readonly bytes: number;
}

/** Returns what a stored segment's conditions mean. */
export function planned({ _id, revision, conditions }: Pick<Segment, '_id' | 'revision' | 'conditions'>): PlannedSegment {
  const parsed = parseConditions(conditions);
  if (!('ok' in parsed)) throw new Error(`The conditions of ${_id} do not hold together`);
  const tree = parsed.ok;
  return { segmentId: _id, revision, tree, segmentIds: segmentRefs(tree), dependsOnTime: dependsOnTime(tree) };
}

/** Returns the same for a segment with conditions of this size. */
export function hearing(segment: PlannedSegment, bytes: number): HearingSegment {
  return { ...segment, heard: new Set(heardAlways(segment.tree)), bytes };
}

const CONTACT_CHANGES = ['contact.updated', 'contact.subscribed', 'contact.unsubscribed'] as const;
const TOPIC_CHANGES = ['contact.topic_subscribed', 'contact.topic_unsubscribed'] as const;
const MEMBERSHIPS: readonly string[] = ['segment.entered', 'segment.exited'];

/** Returns the events after which it may be another matter whether a contact belongs to a segment with these conditions. */
export const eventsHeard = (tree: Tree): readonly string[] => [...heardAlways(tree), ...(segmentRefs(tree).length > 0 ? MEMBERSHIPS : [])];

/** Returns these events without the ones of membership, which depend on the segment that a contact enters or leaves. */
function heardAlways(tree: Tree): readonly string[] {
  const readsContact = conditionsIn(tree).some(({ on }) => on === 'value');
  const readsTopics = topicRefs(tree).length > 0;
  return [
    'contact.created',
    ...(readsContact ? CONTACT_CHANGES : []),
    ...(readsTopics ? TOPIC_CHANGES : []),
    ...eventNames(tree),
    ...emailStatuses(tree).flatMap(changesOf),
  ];
}

/** Returns the events that change a status; a delivery may bounce later, and then did not happen. */
const changesOf = (status: ReturnType<typeof emailStatuses>[number]): readonly string[] =>
  status === 'delivered' ? ['email.delivered', 'email.bounced'] : [`email.${status}`];

type Happening = { readonly name: string; readonly data: Readonly<Record<string, unknown>> | null };

/** A project adds to a plan as much as this, and so does each segment, however short its conditions are. */
const LEAST_BYTES = 1_000;

/** The dynamic segments of a project, each behind those that it asks about. */
export class SegmentPlan {
  /** About what it takes in memory, in bytes of conditions. */
  readonly bytes: number;
  private readonly order: SegmentOrder<HearingSegment>;
  private readonly byId: ReadonlyMap<string, HearingSegment>;

  constructor(segments: readonly HearingSegment[]) {
    this.bytes = segments.reduce((sum, { bytes }) => sum + LEAST_BYTES + bytes, LEAST_BYTES);
    this.order = new SegmentOrder(segments);
    this.byId = new Map(segments.map((segment) => [segment.segmentId, segment]));
  }

  /** Returns a segment, if it is of this revision here: its conditions are the same then. */
  find(segmentId: string, revision: number): HearingSegment | undefined {
    const segment = this.byId.get(segmentId);
    return segment?.revision === revision ? segment : undefined;
  }

  /** Returns the segments that an event may change, with all that have to be judged with them, in order. */
  concerning(event: Happening): readonly PlannedSegment[] {
    return this.order.together(this.order.all.filter((segment) => hears(segment, event)).map(({ segmentId }) => segmentId));
  }
}

const hears = ({ segmentIds, heard }: HearingSegment, { name, data }: Happening): boolean =>
  heard.has(name) || (MEMBERSHIPS.includes(name) && segmentIds.includes(String(data?.['segmentId'])));
