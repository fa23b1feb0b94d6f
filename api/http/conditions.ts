import { z } from 'zod';
import { CONDITION_OPERATORS } from '../../src/rules/conditions/parse-filter';
import { given, holds, withMembers, absent } from './together';
import { anyJson, boundedArray, extended, id } from './pieces';
import { PATTERNS } from './patterns';

const UNITS = ['minutes', 'hours', 'days'];

type Schema = Readonly<Record<string, unknown>>;

const KEY = '[A-Za-z_][A-Za-z0-9_-]{0,63}';

const FIELDS = {
  text: '^(email|firstName|lastName|locale|timezone)$',
  flag: '^subscribed$',
  instant: '^(createdAt|updatedAt)$',
  data: String.raw`^(data|trigger)(\.${KEY}){1,5}$`,
  event: String.raw`^event\.${PATTERNS.eventName}$`,
  email: String.raw`^email\.(sent|delivered|opened|clicked|bounced|complained)$`,
  segment: String.raw`^segment\.[A-Za-z0-9_-]{1,64}$`,
} as const;

const TEXT = { type: 'string', maxLength: 1_000 };

const DATES = [
  { type: 'string', format: 'date' },
  { type: 'string', format: 'date-time' },
];

const SCALAR = { anyOf: [TEXT, { type: 'number' }, { type: 'boolean' }] };

const listOf = (items: Schema): Schema => ({ type: 'array', minItems: 1, maxItems: 10_000, items });

const AMOUNT = { type: 'number', exclusiveMinimum: 0 };

const EQUAL = ['equals', 'notEquals'];

const PART = ['contains', 'notContains', 'startsWith', 'endsWith'];

const LIST = ['in', 'notIn'];

const THERE = ['exists', 'notExists'];

const ORDER = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual'];

const AGE = ['within', 'olderThan'];

const HAPPENED = ['triggered', 'notTriggered'];

const LATELY = ['triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'];

const COUNT = ['countAtLeast', 'countLessThan'];

/** Narrow `email.<status>`; a filter has one of them at most. */
const NARROWING = ['campaignId', 'nodeId'];

/** Describes a filter whose operator takes these additional members, and none of the others. */
function form(field: keyof typeof FIELDS, operators: readonly string[], members: Schema = {}): Schema {
  const narrows = field === 'email' ? NARROWING : [];
  const taken = new Set([...Object.keys(members), ...narrows]);
  const others = ['value', 'unit', 'within', ...NARROWING].filter((name) => !taken.has(name));
  return withMembers(
    { field: { type: 'string', pattern: FIELDS[field] }, operator: { enum: operators }, ...members, ...absent(...others) },
    ['field', 'operator', ...Object.keys(members)],
  );
}

const UNIT = { enum: ['minutes', 'hours', 'days'] };

const AGED = { value: AMOUNT, unit: UNIT };

const activity = (field: 'event' | 'email'): readonly Schema[] => [
  form(field, HAPPENED),
  form(field, LATELY, AGED),
  form(field, COUNT, { value: { type: 'integer', minimum: 1 } }),
  form(field, COUNT, { value: { type: 'integer', minimum: 1 }, within: AMOUNT, unit: UNIT }),
];

/** Which operators a field takes, and which values these do, for the OpenAPI document (docs/conditions.md, Filters). */
const FILTER_FORMS: readonly Schema[] = [
  form('text', [...EQUAL, ...PART], { value: TEXT }),
  form('text', LIST, { value: listOf(TEXT) }),
  form('text', THERE),
  form('flag', EQUAL, { value: { type: 'boolean' } }),
  form('instant', [...EQUAL, ...ORDER], { value: { anyOf: DATES } }),
  form('instant', AGE, AGED),
  form('data', EQUAL, { value: SCALAR }),
  form('data', PART, { value: TEXT }),
  form('data', LIST, { value: listOf(SCALAR) }),
  form('data', THERE),
  form('data', ORDER, { value: { anyOf: [{ type: 'number' }, ...DATES] } }),
  form('data', AGE, AGED),
  ...activity('event'),
  ...activity('email'),
  form('segment', ['memberOf', 'notMemberOf']),
];

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
    nodeId: extended(
      id.optional(),
      'An extension of this implementation, in automations only: narrows email.<status> to the message that this `send_email` node of the same execution sent',
    ),
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
