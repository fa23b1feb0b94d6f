import { nearestName } from '../near-name';
import { EMAIL_FACTS, OWN_FIELDS, PREFIXES, parseField } from './fields';

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
export function noSuchField(given: string, allowTrigger: boolean): string {
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
export function noSuchOperator(given: string, field: string | null, taken: readonly string[]): string {
  const letters = plain(given.slice(0, MOST_CHARACTERS));
  const known = Object.hasOwn(OPERATORS_ELSEWHERE, letters) ? OPERATORS_ELSEWHERE[letters] : undefined;
  const meant = nearestName(letters, taken) ?? known?.find((operator) => taken.includes(operator));
  if (field === null) return told(`Unknown operator ${quoted(given)}`, meant, 'Operators are', taken);
  return told(`${quoted(field)} does not take ${quoted(given)}`, meant, 'It takes', taken);
}
