import type { z } from 'zod';
import type { Member, Segment } from '../../src/audience/segments';
import { toContact } from '../contacts/view';
import type { SegmentMember, Segment as WireSegment } from './schemas';

export function toSegment(segment: Segment): z.input<typeof WireSegment> {
  const { _id, projectId, name, description, type, conditions, memberCount, createdAt, updatedAt } = segment;
  return {
    segmentId: _id,
    projectId,
    name,
    description,
    type,
    conditions,
    memberCount,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

export const toMember = ({ contact, enteredAt }: Member): z.input<typeof SegmentMember> => ({
  ...toContact(contact),
  enteredAt: enteredAt.toISOString(),
});
