import { anyCasePattern, foldCase } from './text';
import type { TextPart } from './types';

type Query = Readonly<Record<string, unknown>>;
type Part = TextPart | 'whole';

/**
 * A pattern may have 32,764 bytes, and 64 KiB once it is compiled, in which a letter with its variants takes up to 33 bytes. Counted generously, so that
 * also what joins texts in one pattern is counted.
 */
const MOST = 32_000;
const OF_ASCII = 4;
const OF_OTHERS = 40;
const OF_A_TEXT = 16;

const costOf = (text: string): number =>
  OF_A_TEXT + OF_ASCII * text.length + (OF_OTHERS - OF_ASCII) * (text.match(/\P{ASCII}/gu)?.length ?? 0);

const PARTS: Readonly<Record<Part, (pattern: string) => string>> = {
  whole: (pattern) => `\\A(?:${pattern})\\z`,
  contains: (pattern) => pattern,
  startsWith: (pattern) => `\\A${pattern}`,
  endsWith: (pattern) => `${pattern}\\z`,
};

/** Matches a value that contains a text, ignoring case. */
export const textQuery = (field: string, part: Part, text: string): Query => ({ [field]: { $regex: PARTS[part](anyCasePattern(text)) } });

/** Matches a value that is one of the texts, ignoring case, with as few comparisons as possible. */
export const oneOfTexts = (field: string, texts: readonly string[]): readonly Query[] =>
  bundled([...new Set(texts.map(foldCase))].sort()).map((bundle) => ({ [field]: { $regex: PARTS.whole(alternatives(bundle)) } }));

function bundled(texts: readonly string[]): readonly (readonly string[])[] {
  const bundles: string[][] = [];
  let cost = Infinity;
  for (const text of texts) {
    cost += costOf(text);
    if (cost > MOST) {
      bundles.push([]);
      cost = costOf(text);
    }
    bundles.at(-1)?.push(text);
  }
  return bundles;
}

/** Brackets nest up to 250 levels in a pattern. */
const MAX_LEVELS = 50;

/** Returns a pattern for texts in order, their common beginnings written once: a value that is in none of a long list fails by its first letters. */
function alternatives(texts: readonly string[], level = 0): string {
  if (level === MAX_LEVELS) return texts.map(anyCasePattern).join('|');
  return byFirstLetter(texts)
    .map((group) => {
      const [first = '', last] = [group[0], group.at(-1)];
      if (last === undefined || group.length === 1) return anyCasePattern(first);
      const common = commonBeginning(first, last);
      const rests = group.map((text) => text.slice(common.length));
      return `${anyCasePattern(common)}(?:${alternatives(rests, level + 1)})`;
    })
    .join('|');
}

const firstLetter = (text = ''): string => (text === '' ? '' : String.fromCodePoint(text.codePointAt(0) ?? 0));

function byFirstLetter(texts: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  for (const text of texts) {
    const group = groups.at(-1);
    if (group && firstLetter(group[0]) === firstLetter(text)) group.push(text);
    else groups.push([text]);
  }
  return groups;
}

function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  const common = a.slice(0, length);
  return /[\ud800-\udbff]$/.test(common) ? common.slice(0, -1) : common;
}
