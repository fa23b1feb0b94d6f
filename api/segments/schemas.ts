import { z } from 'zod';
import { Contact, contactFields } from '../contacts/schemas';
import { archivedQuery, shownArchivedAt } from '../http/archive';
import { ConditionTree } from '../http/conditions';
import {
  addedFilter,
  boundedArray,
  count,
  emailAddress,
  id,
  json,
  name,
  nameSearch,
  optionalText,
  timestamp,
  together,
} from '../http/pieces';
import { absent, holds, withMembers } from '../http/together';

const type = z.enum(['dynamic', 'static']);

export const SegmentQuery = z.object({ type: addedFilter(type), search: nameSearch, archived: archivedQuery });
const description = z.string().max(10_000).nullable().optional();

export const Segment = z
  .object({
    segmentId: z.string(),
    projectId: z.string(),
    name: z.string(),
    description: optionalText,
    type: type.meta({ description: 'dynamic: computed from `conditions`; static: managed through its members' }),
    conditions: json.nullable().meta({ description: 'A condition tree; null on a static segment' }),
    memberCount: count.meta({ description: 'Exact in the response to a create, update or refresh; up to one minute old elsewhere' }),
    createdAt: timestamp,
    updatedAt: timestamp,
    archivedAt: shownArchivedAt,
  })
  .meta({ id: 'Segment' });

// Which of the two kinds takes conditions is checked with the rest, so that all faults are reported at once. A value that is no object is
// reported alone.
function fits({ type, conditions }: { readonly type?: unknown; readonly conditions?: unknown }): boolean {
  if (type === 'static') return typeof conditions !== 'object' || conditions === null || Array.isArray(conditions);
  return type !== 'dynamic' || conditions !== undefined;
}

export const CreateSegment = z
  .strictObject({ name, description, type: type.default('dynamic'), conditions: ConditionTree.optional() })
  .refine(fits, together('A dynamic segment requires conditions; a static segment accepts none', 'conditions'))
  .meta(
    holds({
      oneOf: [
        withMembers({ type: { enum: ['dynamic'] } }, ['conditions']),
        withMembers({ type: { enum: ['static'] }, ...absent('conditions') }, ['type']),
      ],
    }),
  );

export const UpdateSegment = z.strictObject({ name: name.optional(), description, conditions: ConditionTree.optional() });
export const PreviewSegment = z.strictObject({ conditions: ConditionTree });
export const Preview = z
  .object({ count, sample: z.array(Contact).readonly() })
  .meta({ id: 'SegmentPreview', description: 'At most 10 in the sample' });

export const SegmentMember = z.object({ ...contactFields, enteredAt: timestamp }).meta({ id: 'SegmentMember' });
export const AddMembers = z.strictObject({ emails: boundedArray(emailAddress, 1, 1_000) });

export const AddedMembers = z
  .object({ added: count, missing: z.array(z.string()).readonly().meta({ description: 'Addresses without a contact' }) })
  .meta({ id: 'AddedMembers' });

export const MemberParams = z.object({ id, contactId: id });
export const RemovedMember = z.object({ removed: z.boolean() }).meta({ id: 'RemovedMember' });
