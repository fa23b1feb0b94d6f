import type { Formatters } from './reused';

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
