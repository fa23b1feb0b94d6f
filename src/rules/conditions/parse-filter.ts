import { asciiDomain } from '../ascii-domain';
import { isId, parseField } from './fields';
import type { Subject } from './fields';
import { noSuchField, noSuchOperator } from './hints';
import { readActivityTest, readValueTest } from './parse-values';
import type { ActivityOperator, Note, RawFilter, ValueOperator } from './parse-values';
import type { Activity, Condition, ConditionFault } from './types';

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
