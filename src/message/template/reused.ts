import { LRUCache } from 'lru-cache';
import type { Parsed } from './reads';

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
