import { DONE, doneOrSkipped } from '../node';
import type { Act, ActingNode } from '../node';

export interface AddToSegment {
  readonly segmentId: string;
}

/** Adds the contact to a static segment. */
export const addToSegment: ActingNode<AddToSegment, Act<'addToSegment'>> = {
  references: ({ segmentId }, path) => ({ segmentIds: [{ id: segmentId, path: `${path}.segmentId`, member: 'changed' }] }),
  effect: ({ id }) => ({ kind: 'addToSegment', nodeId: id }),
  outcome: (_node, _state, input) => doneOrSkipped(input),
  rehearse({ segmentIds }, { config }) {
    segmentIds.add(config.segmentId);
    return DONE;
  },
  act: (host, { segmentId }) => host.addToSegment(segmentId),
};

export interface RemoveFromSegment {
  readonly segmentId: string;
}

/** Takes the contact out of a static segment. */
export const removeFromSegment: ActingNode<RemoveFromSegment, Act<'removeFromSegment'>> = {
  references: ({ segmentId }, path) => ({ segmentIds: [{ id: segmentId, path: `${path}.segmentId`, member: 'changed' }] }),
  effect: ({ id }) => ({ kind: 'removeFromSegment', nodeId: id }),
  outcome: (_node, _state, input) => doneOrSkipped(input),
  rehearse({ segmentIds }, { config }) {
    segmentIds.delete(config.segmentId);
    return DONE;
  },
  act: (host, { segmentId }) => host.removeFromSegment(segmentId),
};
