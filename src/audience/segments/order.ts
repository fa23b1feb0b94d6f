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
