import type { z } from 'zod';
import type { Member, Segment } from '../../src/audience/segments';
import { toContact } from '../contacts/view';
import type { SegmentMember, Segment as WireSegment } from './schemas';

export const toSegment = ({ _id, createdAt, updatedAt, ...segment }: Segment): z.input<typeof WireSegment> => ({
  segmentId: _id,
  ...segment,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const toMember = ({ contact, enteredAt }: Member): z.input<typeof SegmentMember> => ({
  ...toContact(contact),
  enteredAt: enteredAt.toISOString(),
});
