import { conditionsIn, dependsOnTime, emailStatuses, eventNames, segmentRefs, topicRefs } from '../../rules/conditions/inventory';
import { parseConditions } from '../../rules/conditions/parse';
import type { Tree } from '../../rules/conditions/types';
import type { Segment } from './model';
import { SegmentOrder } from './order';
import type { Asking } from './order';

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
