import type { Formatters } from './skeleton';
import { languageOfTag } from '../../rules/languages';
import type { Language } from '../../rules/languages';
import type { Reads } from './inspect';
import type { ContactFields, Values } from './types';

/** Counts the work of one rendering; throws TemplateRenderError when the budget is used up. */
export interface Meter {
  readonly formatters: Formatters;
  /** In which dates and numbers are written unless the template says otherwise. */
  readonly language: string;
  /** Returns a string of the project in the reader's language; undefined if it has none. */
  stringOf(key: string): string | undefined;
  spend(units: number): void;
}

const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns whether a name is forbidden in every path, even when the data has it. */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN_NAMES.has(name);
}

/** Reads one own property; anything inherited is missing. */
export function ownProperty(holder: unknown, name: string): unknown {
  if (typeof holder === 'object' && holder !== null) {
    return Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined;
  }
  return typeof holder === 'string' && name === 'length' ? holder.length : undefined;
}

/** Returns whether a value falls through to the next source: `0` and `false` do not. */
export function isMissing(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

/** Applies Handlebars' rule for conditions: an empty list is false, an empty object is true. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Converts a value to text: lists joined with commas as in Handlebars, at a cost by their length; objects become empty. */
export function toText(value: unknown, meter: Meter): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return '';
  meter.spend(value.length);
  const text = value.map((item: unknown) => (typeof item === 'object' ? '' : toText(item, meter))).join(',');
  meter.spend(textCost(text.length));
  return text;
}

/** Returns the units that a pass over a text of this length costs. */
export function textCost(length: number): number {
  return 1 + (length >> 5);
}

const VALUE_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '`': '&#x60;',
  '=': '&#x3D;',
};

const IN_VALUE = /[&<>"'`=]/;
const IN_VALUE_ALL = /[&<>"'`=]/g;
const IN_MARKUP = /[&<>"']/;
const IN_MARKUP_ALL = /[&<>"']/g;

const entity = (character: string) => VALUE_ENTITIES[character]!;

/** Escapes a value for any place in HTML, with the set that Handlebars uses. */
export function escapeValue(text: string): string {
  return IN_VALUE.test(text) ? text.replace(IN_VALUE_ALL, entity) : text;
}

/** Escapes for element content and quoted attributes. */
export function escapeMarkup(text: string): string {
  return IN_MARKUP.test(text) ? text.replace(IN_MARKUP_ALL, entity) : text;
}

const CONTACT_NAMES: ReadonlySet<string> = new Set(['email', 'firstName', 'lastName', 'locale', 'contactId']);

function emptyRecord(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function firstPresent(...candidates: readonly unknown[]): unknown {
  return candidates.find((candidate) => !isMissing(candidate));
}

/** Merges `data` key by key, the caller's over the contact's. Anything but an object replaces the contact's as a whole. */
function mergedData(given: unknown, own: ContactFields['data'], keys: ReadonlySet<string> | null): unknown {
  if (!isMissing(given) && (typeof given !== 'object' || Array.isArray(given))) return given;
  const merged = emptyRecord();
  for (const key of keys ?? new Set([...Object.keys(own ?? {}), ...Object.keys(given ?? {})])) {
    if (isForbiddenName(key)) continue;
    const value = firstPresent(ownProperty(given, key), ownProperty(own, key));
    if (value !== undefined) merged[key] = value;
  }
  return merged;
}

/** Resolves the names that a template reads: variables first, then the contact's field of the same name. Values are not copied. */
export function resolveValues(reads: Reads, variables: Values, contact: ContactFields): Values {
  const values = emptyRecord();
  for (const name of reads.names) {
    const given = ownProperty(variables, name);
    const value =
      name === 'data'
        ? mergedData(given, contact.data, reads.dataKeys)
        : firstPresent(given, CONTACT_NAMES.has(name) ? ownProperty(contact, name) : undefined);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

/** Adds the contact's locale for the footer, where it chooses words other than the English ones. */
export function withFooterLanguage(values: Values, { locale }: ContactFields): Values {
  if (locale === null || (languageOfTag(locale) ?? 'en') === 'en') return values;
  return Object.assign(emptyRecord(), { locale }, values);
}

/** Returns the language that the footer is written in. */
export function languageOfValues({ locale }: Values): Language {
  return (typeof locale === 'string' ? languageOfTag(locale) : null) ?? 'en';
}
