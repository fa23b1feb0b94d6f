import type { Leaf } from './leaves';
import type { Scan } from './scan';
import { LRUCache } from 'lru-cache';
import type { Parsed } from './inspect';

const BEGIN = '\uE000';
const END = '\uE001';
/** Characters that change the meaning of a tag next to them: a backslash before braces, or an additional brace. */
const TOUCHES_GRAMMAR = /\\|^\}|\{$/;
const WORDS = /\S(?:[^]*\S)?/;

export interface Skeleton {
  /** The template with a number instead of the words between its tags. White space next to a tag is kept, as it matters to the grammar. */
  readonly source: string;
  /** The words, by their number. */
  readonly texts: readonly string[];
}

/** Returns the skeleton of a template; null when its own text could be mistaken for the numbers. */
export function skeletonOf({ source, spans }: Pick<Scan, 'source' | 'spans'>): Skeleton | null {
  if (source.includes(BEGIN)) return null;
  const texts: string[] = [];
  const numbered = (text: string): string => {
    if (TOUCHES_GRAMMAR.test(text)) return text;
    return text.replace(WORDS, (words) => `${BEGIN}${texts.push(words) - 1}${END}`);
  };
  let from = 0;
  let skeleton = '';
  for (const [start, end] of spans) {
    skeleton += numbered(source.slice(from, start)) + source.slice(start, end);
    from = end;
  }
  return { source: skeleton + numbered(source.slice(from)), texts };
}

/** Replaces numbers by their words. */
export const withTexts = (leaves: readonly Leaf[], texts: readonly string[]): readonly Leaf[] =>
  leaves.map((leaf) => (leaf.kind === 'text' ? { kind: 'text', text: filled(leaf.text, texts) } : leaf));

function filled(text: string, texts: readonly string[]): string {
  const begin = text.indexOf(BEGIN);
  if (begin < 0) return text;
  const end = text.indexOf(END, begin);
  return text.slice(0, begin) + (texts[Number(text.slice(begin + 1, end))] ?? '') + text.slice(end + 1);
}

const FORMATTERS_KEPT = 200;

/** The tags of a longer template are not kept. */
export const SKELETON_CHARACTERS = 1_000_000;

/** Intl's formatters by their options: creating one takes as long as formatting a hundred times. */
export class Formatters {
  readonly dates = new LRUCache<string, Intl.DateTimeFormat>({ max: FORMATTERS_KEPT });
  readonly numbers = new LRUCache<string, Intl.NumberFormat>({ max: FORMATTERS_KEPT });
}

/** Caches that contents share when they are compiled and rendered one after another. */
export class Reused {
  readonly formatters = new Formatters();
  /** Parsed tags by the skeleton of a template, which is its text without the words: individually written contents mostly differ in their words alone. */
  readonly skeletons = new LRUCache<string, Parsed>({ maxSize: SKELETON_CHARACTERS });
}
