import type { Schemas } from '../api.ts';

export type Filter = Schemas['ConditionFilter'];
export type Tree = Schemas['ConditionTree'];
export type Group = Tree['groups'][number];
export type Operator = Filter['operator'];

/** The subject of a condition; some need a name too: of a custom field, an event, a state of messages, a segment. */
export type Subject =
  | 'email'
  | 'firstName'
  | 'lastName'
  | 'locale'
  | 'timezone'
  | 'subscribed'
  | 'createdAt'
  | 'updatedAt'
  | 'data'
  | 'event'
  | 'message'
  | 'segment'
  | 'trigger'
  | 'items';

/** The row of the table in the documentation of conditions. */
type Row = 'text' | 'flag' | 'instant' | 'data' | 'activity' | 'segment';

export const SUBJECTS: readonly (readonly [Subject, string])[] = [
  ['email', 'Email'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['locale', 'Locale'],
  ['timezone', 'Time zone'],
  ['subscribed', 'Subscribed'],
  ['createdAt', 'Created'],
  ['updatedAt', 'Updated'],
  ['data', 'Custom field'],
  ['event', 'Event'],
  ['message', 'Email activity'],
  ['segment', 'Segment'],
];

/** Within automations alone. */
export const AUTOMATION_SUBJECTS: readonly (readonly [Subject, string])[] = [
  ['trigger', 'Trigger event data'],
  ['items', 'Digest items'],
];

/** Prefixes of the names that follow a subject. */
const PREFIXES: Readonly<Partial<Record<Subject, string>>> = {
  data: 'data.',
  event: 'event.',
  message: 'email.',
  segment: 'segment.',
  trigger: 'trigger.',
  items: 'items.',
};

const ROWS: Readonly<Record<Subject, Row>> = {
  email: 'text',
  firstName: 'text',
  lastName: 'text',
  locale: 'text',
  timezone: 'text',
  subscribed: 'flag',
  createdAt: 'instant',
  updatedAt: 'instant',
  data: 'data',
  trigger: 'data',
  items: 'data',
  event: 'activity',
  message: 'activity',
  segment: 'segment',
};

export const MESSAGE_STATES = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;

/** Splits a field's name into its subject and the rest. */
export function subjectOf(field: string): readonly [Subject, rest: string] {
  for (const [subject, prefix] of Object.entries(PREFIXES))
    if (field.startsWith(prefix)) return [subject as Subject, field.slice(prefix.length)];
  return [field as Subject, ''];
}

export const fieldOf = (subject: Subject, rest: string): string => {
  const prefix = PREFIXES[subject];
  return prefix === undefined ? subject : prefix + rest;
};

export const rowOf = (field: string): Row => ROWS[subjectOf(field)[0]];

const TEXT = ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith', 'in', 'notIn', 'exists', 'notExists'] as const;
const FLAG = ['equals', 'notEquals'] as const;
const ORDER = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual', 'within', 'olderThan'] as const;

export const OPERATORS: Readonly<Record<Row, readonly Operator[]>> = {
  text: TEXT,
  flag: FLAG,
  instant: [...FLAG, ...ORDER],
  data: [...TEXT, ...ORDER],
  activity: ['triggered', 'notTriggered', 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan', 'countAtLeast', 'countLessThan'],
  segment: ['memberOf', 'notMemberOf'],
};

export const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  equals: 'is',
  notEquals: 'is not',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  in: 'is one of',
  notIn: 'is not one of',
  exists: 'is set',
  notExists: 'is not set',
  greaterThan: 'is greater than',
  lessThan: 'is less than',
  greaterThanOrEqual: 'is at least',
  lessThanOrEqual: 'is at most',
  within: 'is within the last',
  olderThan: 'is older than',
  triggered: 'happened',
  notTriggered: 'never happened',
  triggeredWithin: 'happened in the last',
  notTriggeredWithin: 'did not happen in the last',
  triggeredOlderThan: 'last happened longer ago than',
  countAtLeast: 'happened at least',
  countLessThan: 'happened fewer than',
  memberOf: 'is in the segment',
  notMemberOf: 'is not in the segment',
};

const TEXT_OPERATORS: readonly Operator[] = ['contains', 'notContains', 'startsWith', 'endsWith'];

/** Returns whether an operator compares with a part of a text. */
export const isTextOperator = (operator: Operator): boolean => TEXT_OPERATORS.includes(operator);

type Takes = 'nothing' | 'value' | 'list' | 'duration' | 'count';

const TAKES: Readonly<Partial<Record<Operator, Takes>>> = {
  exists: 'nothing',
  notExists: 'nothing',
  triggered: 'nothing',
  notTriggered: 'nothing',
  memberOf: 'nothing',
  notMemberOf: 'nothing',
  within: 'duration',
  olderThan: 'duration',
  triggeredWithin: 'duration',
  notTriggeredWithin: 'duration',
  triggeredOlderThan: 'duration',
  countAtLeast: 'count',
  countLessThan: 'count',
  in: 'list',
  notIn: 'list',
};

export const takesOf = (operator: Operator): Takes => TAKES[operator] ?? 'value';

const DAYS = { value: 30, unit: 'days' } as const;

type Values = Partial<Omit<Filter, 'field' | 'operator'>>;

const scalarFor = (row: Row, given: Values): unknown => {
  // The number of a duration is none of the field; a list of one is its value.
  const value: unknown =
    given.unit !== undefined ? '' : Array.isArray(given.value) && given.value.length === 1 ? given.value[0] : given.value;
  if (row === 'flag') return typeof value === 'boolean' ? value : true;
  const fits = typeof value === 'string' || (row === 'data' && ['number', 'boolean'].includes(typeof value));
  return fits ? value : '';
};

/** The given values as far as they fit the operator, otherwise its initial values. */
const VALUES: Readonly<Record<Takes, (row: Row, given: Values) => Values>> = {
  nothing: () => ({}),
  value: (row, given) => ({ value: scalarFor(row, given) }),
  list: (_row, { value, unit }) => {
    if (Array.isArray(value)) return { value: value as unknown[] };
    return { value: value === undefined || value === '' || unit !== undefined ? [] : [value] };
  },
  duration: (_row, { value, unit }) => (typeof value === 'number' && unit ? { value, unit } : DAYS),
  count: (_row, { value, unit, within }) => ({
    value: typeof value === 'number' ? value : 1,
    ...(within !== undefined && unit && { within, unit }),
  }),
};

const valueFor = (operator: Operator, row: Row, given: Values): Values => VALUES[takesOf(operator)](row, given);

/** Returns the members that narrow a condition to some messages, as far as it has them. */
const narrowing = ({ campaignId, nodeId }: Filter): Pick<Filter, 'campaignId' | 'nodeId'> => ({
  ...(campaignId !== undefined && { campaignId }),
  ...(nodeId !== undefined && { nodeId }),
});

/** Returns the same condition with another operator; what still fits is kept. */
export const withOperator = (filter: Filter, operator: Operator): Filter => ({
  field: filter.field,
  operator,
  ...valueFor(operator, rowOf(filter.field), filter),
  ...narrowing(filter),
});

/** Returns a condition on a field, as it begins. */
export function newFilter(field: string): Filter {
  const row = rowOf(field);
  const operator: Operator = row === 'instant' ? 'within' : (OPERATORS[row][0] ?? 'equals');
  return { field, operator, ...valueFor(operator, row, {}) };
}

/** Returns the same condition on another field; what still fits is kept. */
export function withField(filter: Filter, field: string): Filter {
  if (rowOf(filter.field) !== rowOf(field)) return newFilter(field);
  const { campaignId: _campaign, nodeId: _node, ...any } = filter;
  return { ...any, field, ...(field.startsWith('email.') && narrowing(filter)) };
}

export const newGroup = (): Group => ({ filters: [newFilter('email')] });

/** A tree to begin with. */
export const NEW_TREE: Tree = { logic: 'and', groups: [{ filters: [newFilter('subscribed')] }] };

/** Numbers the rows of a tree, which are named by their indexes. */
export const numbered = <T>(rows: readonly T[]): readonly (readonly [key: string, row: T])[] => rows.map((row, at) => [String(at), row]);

/** Returns a list with one of its rows replaced, or removed. */
export const withRow = <T>(rows: readonly T[], at: number, row: T | null): T[] =>
  row === null ? rows.filter((_row, place) => place !== at) : rows.map((old, place) => (place === at ? row : old));
