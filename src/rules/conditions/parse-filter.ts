import { asciiDomain } from '../ascii-domain';
import { isId, parseField, EMAIL_FACTS, OWN_FIELDS, PREFIXES } from './fields';
import type { Subject } from './fields';
import { readActivityTest, readValueTest } from './parse-values';
import type { ActivityOperator, Note, RawFilter, ValueOperator } from './parse-values';
import type { Activity, Condition, ConditionFault } from './types';
import { nearestName } from '../near-name';

type Operator = ValueOperator | ActivityOperator | 'memberOf' | 'notMemberOf';
type Takes = 'nothing' | 'value' | 'duration' | 'count';

const TEXT = ['equals', 'notEquals', 'contains', 'notContains', 'startsWith', 'endsWith', 'in', 'notIn', 'exists', 'notExists'] as const;
const FLAG = ['equals', 'notEquals'] as const;
const INSTANT = [
  ...FLAG,
  'greaterThan',
  'lessThan',
  'greaterThanOrEqual',
  'lessThanOrEqual',
  'within',
  'olderThan',
] as const satisfies readonly ValueOperator[];

const ACTIVITY = [
  'triggered',
  'notTriggered',
  'triggeredWithin',
  'notTriggeredWithin',
  'triggeredOlderThan',
  'countAtLeast',
  'countLessThan',
] as const satisfies readonly ActivityOperator[];

const OPERATORS: Readonly<Record<Subject['row'], readonly string[]>> = {
  text: TEXT,
  flag: FLAG,
  instant: INSTANT,
  data: [...new Set([...TEXT, ...INSTANT])],
  activity: ACTIVITY,
  segment: ['memberOf', 'notMemberOf'],
  topic: FLAG,
};
/** All operators, each once. */
export const CONDITION_OPERATORS: readonly string[] = [...new Set(Object.values(OPERATORS).flat())];

/** Operators that are not listed take a value alone. */
const TAKES: ReadonlyMap<string, Takes> = new Map<Operator, Takes>([
  ['exists', 'nothing'],
  ['notExists', 'nothing'],
  ['triggered', 'nothing'],
  ['notTriggered', 'nothing'],
  ['memberOf', 'nothing'],
  ['notMemberOf', 'nothing'],
  ['within', 'duration'],
  ['olderThan', 'duration'],
  ['triggeredWithin', 'duration'],
  ['notTriggeredWithin', 'duration'],
  ['triggeredOlderThan', 'duration'],
  ['countAtLeast', 'count'],
  ['countLessThan', 'count'],
]);

type Parsed = { readonly ok: Condition } | { readonly faults: readonly ConditionFault[] };

/** Returns what one filter means, or all its faults, each at `<at>.<member>`. `trigger.` fields and `nodeId` exist in automations. */
export function parseFilter(raw: RawFilter, at: string, inAutomation: boolean): Parsed {
  const faults: ConditionFault[] = [];
  const note: Note = (member, message) => {
    faults.push({ path: `${at}.${member}`, code: 'invalid_condition', message });
    return null;
  };
  const subject = parseField(raw.field, inAutomation) ?? note('field', noSuchField(raw.field, inAutomation));
  const taken = subject ? OPERATORS[subject.row] : CONDITION_OPERATORS;
  const isTaken = taken.includes(raw.operator);
  if (!isTaken) note('operator', noSuchOperator(raw.operator, subject ? raw.field : null, taken));
  if (subject) noteCampaign(raw, subject, note);
  noteNode(raw, subject, inAutomation, note);
  // What the value should be, field and operator say together.
  if (!isTaken || !subject) return { faults };
  noteSuperfluous(raw, note);
  const condition = conditionOf(subject, raw, note);
  return faults.length > 0 || !condition ? { faults } : { ok: condition };
}

function noteCampaign({ campaignId }: RawFilter, subject: Subject, note: Note): void {
  if (campaignId === undefined) return;
  if (!isOfMail(subject)) note('campaignId', 'Only email.<status> is narrowed by a campaign');
  else if (!isId(campaignId)) note('campaignId', 'Not an id');
}

function noteNode({ campaignId, nodeId }: RawFilter, subject: Subject | null, inAutomation: boolean, note: Note): void {
  if (nodeId === undefined) return;
  if (!inAutomation) note('nodeId', 'Only conditions of automations name a node');
  else if (subject && !isOfMail(subject)) note('nodeId', 'Only email.<status> is narrowed by a node');
  else if (!isId(nodeId)) note('nodeId', 'Not an id');
  else if (campaignId !== undefined) note('nodeId', 'Give nodeId or campaignId, not both');
}

const isOfMail = (subject: Subject): boolean => subject.row === 'activity' && subject.activity.of === 'email';

function noteSuperfluous(raw: RawFilter, note: Note): void {
  const takes = TAKES.get(raw.operator) ?? 'value';
  if (takes === 'nothing' && raw.value !== undefined) note('value', 'The operator takes no value');
  if (takes !== 'duration' && takes !== 'count' && raw.unit !== undefined) note('unit', 'The operator takes no unit');
  if (takes !== 'count' && raw.within !== undefined) note('within', 'Only countAtLeast and countLessThan accept within');
}

// The operator is one of the subject's row.
function conditionOf(subject: Subject, raw: RawFilter, note: Note): Condition | null {
  switch (subject.row) {
    case 'segment':
      return { on: 'segment', segmentId: subject.segmentId, negated: raw.operator === 'notMemberOf' };
    case 'topic': {
      const test = readValueTest('flag', raw.operator as ValueOperator, raw, note);
      if (test?.is !== 'equal') return null;
      return { on: 'topic', key: subject.key, subscribed: test.values.includes(true) !== test.negated };
    }
    case 'activity': {
      const answer = readActivityTest(raw.operator as ActivityOperator, raw, note);
      if (!answer) return null;
      return { on: 'activity', occurrence: { activity: narrowed(subject.activity, raw), nth: answer.nth }, test: answer.test };
    }
    default: {
      const isAddress = subject.target.in === 'field' && subject.target.name === 'email';
      const asked = isAddress ? { ...raw, value: addressValue(raw.value) } : raw;
      const test = readValueTest(subject.row, raw.operator as ValueOperator, asked, note);
      return test && { on: 'value', target: subject.target, test };
    }
  }
}

// Addresses are stored with their domain in ASCII, and asked for as people write it.
function addressValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addressValue);
  return typeof value === 'string' ? asciiDomain(value) : value;
}

function narrowed(activity: Activity, { campaignId, nodeId }: RawFilter): Activity {
  if (activity.of !== 'email') return activity;
  return { ...activity, ...(isId(campaignId) && { campaignId }), ...(isId(nodeId) && { nodeId }) };
}

const MOST_CHARACTERS = 64;

/** Other services' names for operators, without separators and in lower case; of several, the first one that the field accepts wins. */
const OPERATORS_ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  is: ['equals'],
  eq: ['equals'],
  '=': ['equals'],
  '==': ['equals'],
  not: ['notEquals'],
  isnot: ['notEquals'],
  ne: ['notEquals'],
  neq: ['notEquals'],
  '!=': ['notEquals'],
  doesnotequal: ['notEquals'],
  gt: ['greaterThan'],
  '>': ['greaterThan'],
  morethan: ['greaterThan'],
  after: ['greaterThan'],
  isafter: ['greaterThan'],
  gte: ['greaterThanOrEqual', 'countAtLeast'],
  '>=': ['greaterThanOrEqual', 'countAtLeast'],
  atleast: ['greaterThanOrEqual', 'countAtLeast'],
  greaterthanorequal: ['countAtLeast'],
  greaterthanorequalto: ['greaterThanOrEqual', 'countAtLeast'],
  lt: ['lessThan', 'countLessThan'],
  '<': ['lessThan', 'countLessThan'],
  lessthan: ['countLessThan'],
  before: ['lessThan'],
  isbefore: ['lessThan'],
  lte: ['lessThanOrEqual'],
  '<=': ['lessThanOrEqual'],
  atmost: ['lessThanOrEqual'],
  lessthanorequalto: ['lessThanOrEqual'],
  like: ['contains'],
  includes: ['contains'],
  has: ['contains', 'triggered'],
  notlike: ['notContains'],
  excludes: ['notContains'],
  doesnotcontain: ['notContains'],
  beginswith: ['startsWith'],
  prefix: ['startsWith'],
  suffix: ['endsWith'],
  in: ['memberOf'],
  isin: ['in', 'memberOf'],
  anyof: ['in'],
  oneof: ['in'],
  isoneof: ['in'],
  notin: ['notMemberOf'],
  nin: ['notIn'],
  noneof: ['notIn'],
  isnotin: ['notIn', 'notMemberOf'],
  ismember: ['memberOf'],
  isset: ['exists'],
  isnotnull: ['exists'],
  isnotempty: ['exists'],
  present: ['exists'],
  exists: ['triggered', 'memberOf'],
  isnotset: ['notExists'],
  isnull: ['notExists'],
  isempty: ['notExists'],
  missing: ['notExists'],
  notexists: ['notTriggered', 'notMemberOf'],
  inlast: ['within', 'triggeredWithin'],
  withinlast: ['within', 'triggeredWithin'],
  within: ['triggeredWithin'],
  notwithin: ['olderThan', 'notTriggeredWithin'],
  olderthan: ['triggeredOlderThan'],
  morethanago: ['olderThan', 'triggeredOlderThan'],
  did: ['triggered'],
  happened: ['triggered'],
  occurred: ['triggered'],
  performed: ['triggered'],
  didnot: ['notTriggered'],
};

/** Other services' prefixes for custom fields. */
const CONTACTS_ELSEWHERE =
  /^(contact|user|person|profile|subscriber|attributes?|custom|customfields?|fields?|metadata|properties|traits)$/i;

const quoted = (text: string): string => JSON.stringify(text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text);

/** Returns the probable meanings of a name with another prefix, or with none, most likely first. */
function candidates(given: string): readonly (string | null | undefined)[] {
  const dot = given.indexOf('.');
  if (dot < 0) return [nearestName(given, OWN_FIELDS), `data.${given}`];
  const [first, rest] = [given.slice(0, dot), given.slice(dot + 1)];
  if (CONTACTS_ELSEWHERE.test(first)) return [nearestName(rest, OWN_FIELDS), `data.${rest}`];
  const prefix = nearestName(first, PREFIXES);
  if (prefix === null) return [`data.${given}`];
  const fact = prefix === 'email' ? (nearestName(rest, EMAIL_FACTS) ?? EMAIL_FACTS.find((each) => each.startsWith(rest))) : rest;
  return [fact && `${prefix}.${fact}`];
}

/** Returns what a fault says of names: what is wrong, which one was probably meant, and which there are. */
const told = (fault: string, meant: string | null | undefined, listed: string, names: readonly string[]): string =>
  `${fault}${meant ? `: did you mean "${meant}"? ` : '; '}${meant ? listed : listed.toLowerCase()} ${names.join(', ')}`;

/** Says which fields there are, and which one was probably meant. `trigger.` fields exist where `allowTrigger` says so. */
function noSuchField(given: string, allowTrigger: boolean): string {
  const isField = (field: string | null | undefined): boolean => typeof field === 'string' && parseField(field, allowTrigger) !== null;
  const meant = given === '' || given.length > MOST_CHARACTERS ? null : candidates(given).find(isField);
  const trigger = allowTrigger ? ['trigger.<path>', 'items.<path>'] : [];
  const names = [
    ...OWN_FIELDS,
    'data.<path>',
    ...trigger,
    'event.<name>',
    `email.<${EMAIL_FACTS.join('|')}>`,
    'segment.<segmentId>',
    'topic.<key>',
  ];
  return told(`Unknown field ${quoted(given)}`, meant, 'Fields are', names);
}

const plain = (name: string): string => name.replace(/[-_\s]/g, '').toLowerCase();

/** Says which of the operators that a field takes was probably meant, and which these are; those of all fields where the field is none (`null`). */
function noSuchOperator(given: string, field: string | null, taken: readonly string[]): string {
  const letters = plain(given.slice(0, MOST_CHARACTERS));
  const known = Object.hasOwn(OPERATORS_ELSEWHERE, letters) ? OPERATORS_ELSEWHERE[letters] : undefined;
  const meant = nearestName(letters, taken) ?? known?.find((operator) => taken.includes(operator));
  if (field === null) return told(`Unknown operator ${quoted(given)}`, meant, 'Operators are', taken);
  return told(`${quoted(field)} does not take ${quoted(given)}`, meant, 'It takes', taken);
}
