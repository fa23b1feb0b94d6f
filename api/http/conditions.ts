import { z } from 'zod';
import { CONDITION_OPERATORS } from '../../src/rules/conditions/parse-filter';
import { FILTER_FORMS } from './filter-forms';
import { given, holds, withMembers } from './together';
import { anyJson, boundedArray, id } from './pieces';

const UNITS = ['minutes', 'hours', 'days'];

/** Whether field, operator, value and unit fit together is for the rules of conditions to say, in their own code. */
const Filter = z
  .strictObject({
    field: z
      .string()
      .max(400)
      .meta({ description: 'email, createdAt, data.<path>, event.<name>, email.<status>, segment.<segmentId>, ...' }),
    operator: z.string().max(64).meta({ enum: CONDITION_OPERATORS }),
    value: anyJson.optional(),
    unit: z.string().max(16).optional().meta({ enum: UNITS }),
    within: z.number().optional(),
    campaignId: id.optional().meta({ description: 'Narrows email.<status>' }),
  })
  .meta({ id: 'ConditionFilter', ...holds({ anyOf: FILTER_FORMS }) });

const Group = z
  .strictObject({
    filters: boundedArray(Filter, 0, 50),
    get conditions(): z.ZodOptional<typeof ConditionTree> {
      return ConditionTree.optional();
    },
  })
  .meta({
    id: 'ConditionGroup',
    description: 'All filters and the nested tree must hold',
    ...holds({ anyOf: [given('conditions'), withMembers({ filters: { minItems: 1 } })] }),
  });

/** A condition tree as it comes in: shapes and counts only. */
export const ConditionTree: z.ZodObject<
  { logic: z.ZodEnum<{ and: 'and'; or: 'or' }>; groups: z.ZodType<readonly unknown[]> },
  z.core.$strict
> = z
  .strictObject({ logic: z.enum(['and', 'or']), groups: boundedArray(Group, 1, 20) })
  .meta({ id: 'ConditionTree', description: '`logic` joins the groups; trees nest up to five levels' });

export type ConditionTree = z.output<typeof ConditionTree>;
