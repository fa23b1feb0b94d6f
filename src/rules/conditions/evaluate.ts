import { isInTopic } from '../topics';
import type { MailTopic, TopicChoices } from '../topics';
import { daysAndInstants, instantOf, isAmong, isDuring } from './instants';
import { foldCase, isAscii } from './text';
import { before, occurrenceKey } from './types';
import type {
  ActivityTest,
  Condition,
  Group,
  Interval,
  NumberOrder,
  Occurrence,
  Scalar,
  TextPart,
  Tree,
  ValueTarget,
  ValueTest,
} from './types';

type Json = Readonly<Record<string, unknown>>;

/** The contact that conditions are evaluated for. */
export interface JudgedContact extends TopicChoices {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly locale: string | null;
  readonly timezone: string | null;
  readonly subscribed: boolean;
  readonly data: Json | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The loaded values of what `factsNeeded` names. */
export interface Facts {
  /** Times by `occurrenceKey`; an absent key has not happened that often. */
  readonly occurrences: ReadonlyMap<string, Date>;
  /** Ids of segments that the contact is in. */
  readonly memberOf: ReadonlySet<string>;
  /** Data of the event that started an automation. */
  readonly trigger?: Json | null;
  /** The events that its digest has gathered. */
  readonly items?: readonly unknown[];
  /** The topics that `topicRefs` names, by key. */
  readonly topics?: ReadonlyMap<string, MailTopic>;
}

/** Returns whether the conditions hold for a contact at `now` (docs/conditions.md). Agrees with the query of `compile`. */
export function evaluate(tree: Tree, contact: JudgedContact, facts: Facts, now: Date): boolean {
  const holds = ({ filters, nested }: Group): boolean =>
    filters.every((filter) => fulfills(filter, contact, facts, now)) && (nested === null || evaluate(nested, contact, facts, now));
  return tree.logic === 'and' ? tree.groups.every(holds) : tree.groups.some(holds);
}

function fulfills(condition: Condition, contact: JudgedContact, facts: Facts, now: Date): boolean {
  switch (condition.on) {
    case 'segment':
      return facts.memberOf.has(condition.segmentId) !== condition.negated;
    case 'topic': {
      const topic = facts.topics?.get(condition.key);
      return topic !== undefined && isInTopic(topic, contact) === condition.subscribed;
    }
    case 'activity':
      return judgeActivity(condition.occurrence, condition.test, facts, now);
    case 'value':
      return judgeValue(valuesAt(condition.target, contact, facts), condition.test, contact, now);
  }
}

function judgeActivity(occurrence: Occurrence, test: ActivityTest, { occurrences }: Facts, now: Date): boolean {
  const at = occurrences.get(occurrenceKey(occurrence));
  const isRecent = at !== undefined && (test.ms === null || at >= before(now, test.ms));
  if (test.is === 'over') return at !== undefined && !isRecent;
  return isRecent === (test.is === 'happened');
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Returns the values at the target: none, one, or several where the path leads through lists of objects. */
function valuesAt(target: ValueTarget, contact: JudgedContact, facts: Facts): readonly unknown[] {
  if (target.in === 'field') return [contact[target.name]];
  return target.path.reduce<readonly unknown[]>(membersOf, [target.in === 'data' ? contact.data : facts[target.in]]);
}

// In plain loops: a thousand filters may each go through thousands of elements.
function membersOf(values: readonly unknown[], key: string): readonly unknown[] {
  const members: unknown[] = [];
  const take = (value: unknown): void => {
    if (isObject(value) && Object.hasOwn(value, key)) members.push(value[key]);
  };
  for (const value of values) {
    if (Array.isArray(value)) for (const element of value as readonly unknown[]) take(element);
    else take(value);
  }
  return members;
}

function judgeValue(values: readonly unknown[], test: ValueTest, contact: JudgedContact, now: Date): boolean {
  const isThere = values.some((value) => value !== null && value !== undefined);
  if (test.is === 'present') return isThere !== test.negated;
  const passesAlone = (value: unknown): boolean => passesTest(value, test, contact, now);
  const passes = values.some((value) => (Array.isArray(value) ? (value as unknown[]).some(passesAlone) : passesAlone(value)));
  return 'negated' in test && test.negated ? isThere && !passes : passes;
}

function passesTest(value: unknown, test: Exclude<ValueTest, { is: 'present' }>, contact: JudgedContact, now: Date): boolean {
  switch (test.is) {
    case 'equal':
      return isOneOf(value, wantedOf(test), contact);
    case 'text':
      return typeof value === 'string' && HAS[test.part](foldedValue(value, contact), foldedTextOf(test));
    case 'number':
      return typeof value === 'number' && IN_ORDER[test.order](value, test.than);
    case 'during':
      return happensDuring(value, test.interval);
    case 'age': {
      const at = before(now, test.ms).getTime();
      return happensDuring(value, test.older ? { from: null, to: at } : { from: at, to: null });
    }
  }
}

const HAS: Readonly<Record<TextPart, (text: string, part: string) => boolean>> = {
  contains: (text, part) => text.includes(part),
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
};

const IN_ORDER: Readonly<Record<NumberOrder, (value: number, than: number) => boolean>> = {
  greaterThan: (value, than) => value > than,
  lessThan: (value, than) => value < than,
  greaterThanOrEqual: (value, than) => value >= than,
  lessThanOrEqual: (value, than) => value <= than,
};

type EqualTest = Extract<ValueTest, { is: 'equal' }>;
type TextTest = Extract<ValueTest, { is: 'text' }>;

interface Wanted {
  /** Texts folded, everything else as it is. */
  readonly values: ReadonlySet<Scalar>;
  readonly dates: ReturnType<typeof daysAndInstants>;
}

/** Returns the function with its results kept for each key: a condition judges many contacts by a list that may be long. */
function remembered<K extends object, V>(workOut: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const value = known.get(key) ?? workOut(key);
    known.set(key, value);
    return value;
  };
}

const wantedOf = remembered(({ values }: EqualTest): Wanted => ({
  values: new Set(values.map((value) => (typeof value === 'string' ? foldCase(value) : value))),
  dates: daysAndInstants(values.filter((value) => typeof value === 'string')),
}));

/** The values outside ASCII of contacts that are being judged. */
const folds = new WeakMap<JudgedContact, Map<string, string>>();

/** Folds a value, outside ASCII once for each contact: a thousand filters may ask for the same ones, and folding them costs more than all the rest. */
function foldedValue(value: string, contact: JudgedContact): string {
  if (isAscii(value)) return foldCase(value);
  let known = folds.get(contact);
  if (!known) folds.set(contact, (known = new Map<string, string>()));
  let folded = known.get(value);
  if (folded === undefined) known.set(value, (folded = foldCase(value)));
  return folded;
}

const foldedTextOf = remembered(({ text }: TextTest) => foldCase(text));

function isOneOf(value: unknown, { values, dates }: Wanted, contact: JudgedContact): boolean {
  if (typeof value !== 'string') return values.has(value as Scalar);
  if (values.has(foldedValue(value, contact))) return true;
  const at = instantOf(value);
  return at !== null && isAmong(dates, at);
}

function happensDuring(value: unknown, interval: Interval): boolean {
  const at = value instanceof Date ? value.getTime() : typeof value === 'string' ? instantOf(value) : null;
  return at !== null && isDuring(at, interval);
}
