import type { Activity, EmailFact, InstantField, Path, TextField, ValueTarget } from './types';

/** The row of the table in docs/conditions.md that a field belongs to. */
export type ValueRow = 'text' | 'flag' | 'instant' | 'data';

/** The subject of a filter, by its `field`. */
export type Subject =
  | { readonly row: ValueRow; readonly target: ValueTarget }
  | { readonly row: 'activity'; readonly activity: Activity }
  | { readonly row: 'segment'; readonly segmentId: string }
  | { readonly row: 'topic'; readonly key: string };

const MAX_LEVELS = 5;
const KEY = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const EVENT_NAME = /^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,127}$/;
const ID = /^[A-Za-z0-9_-]{1,64}$/;

const TEXT_FIELDS: readonly string[] = ['email', 'firstName', 'lastName', 'locale', 'timezone'] satisfies TextField[];
const INSTANT_FIELDS: readonly string[] = ['createdAt', 'updatedAt'] satisfies InstantField[];

/** Fields without a prefix. */
export const OWN_FIELDS: readonly string[] = [...TEXT_FIELDS, 'subscribed', ...INSTANT_FIELDS];
/** Prefixes of the other fields, before the dot. */
export const PREFIXES: readonly string[] = ['data', 'trigger', 'items', 'event', 'email', 'segment', 'topic'];
/** Names after `email.`. */
export const EMAIL_FACTS: readonly string[] = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] satisfies EmailFact[];

/** Returns what a field's name means, or null if the field does not exist. `trigger.` and `items.` exist in automations only. */
export function parseField(field: string, allowTrigger: boolean): Subject | null {
  const dot = field.indexOf('.');
  return dot < 0 ? ownField(field) : prefixedField(field.slice(0, dot), field.slice(dot + 1), allowTrigger);
}

function ownField(name: string): Subject | null {
  if (name === 'subscribed') return { row: 'flag', target: { in: 'field', name } };
  if (TEXT_FIELDS.includes(name)) return { row: 'text', target: { in: 'field', name: name as TextField } };
  if (INSTANT_FIELDS.includes(name)) return { row: 'instant', target: { in: 'field', name: name as InstantField } };
  return null;
}

function prefixedField(prefix: string, rest: string, allowTrigger: boolean): Subject | null {
  switch (prefix) {
    case 'data':
      return dataField('data', rest);
    case 'trigger':
    case 'items':
      return allowTrigger ? dataField(prefix, rest) : null;
    case 'event':
      return EVENT_NAME.test(rest) ? { row: 'activity', activity: { of: 'event', name: rest } } : null;
    case 'email':
      return EMAIL_FACTS.includes(rest)
        ? { row: 'activity', activity: { of: 'email', status: rest as EmailFact, campaignId: null } }
        : null;
    default:
      return namedField(prefix, rest);
  }
}

/** Returns a field that asks about a row of another kind. */
function namedField(prefix: string, name: string): Subject | null {
  if (prefix === 'segment' && ID.test(name)) return { row: 'segment', segmentId: name };
  return prefix === 'topic' && KEY.test(name) ? { row: 'topic', key: name } : null;
}

function dataField(source: 'data' | 'trigger' | 'items', dotted: string): Subject | null {
  const path: Path = dotted.split('.');
  const fits = path.length <= MAX_LEVELS && path.every((key) => KEY.test(key) && !PROTOTYPE_KEYS.has(key));
  return fits ? { row: 'data', target: { in: source, path } } : null;
}

/** Returns whether a text can be the id of a campaign, or of a node. */
export const isId = (text: unknown): text is string => typeof text === 'string' && ID.test(text);
