import { someElement } from './compile-elements';
import { anyCasePattern, foldCase, isAscii } from './text';
import type { TextPart, ValueTarget } from './types';

type Query = Readonly<Record<string, unknown>>;
type Part = TextPart | 'whole';

/**
 * A pattern may have 32,764 bytes, and 64 KiB once it is compiled, in which a letter with its variants takes up to 33 bytes. Counted generously, so that
 * also what joins texts in one pattern has its place.
 */
const MOST = 32_000;
const OF_ASCII = 4;
const OF_OTHERS = 40;
const OF_A_TEXT = 16;

const costOf = (text: string): number =>
  OF_A_TEXT + OF_ASCII * text.length + (OF_OTHERS - OF_ASCII) * (text.match(/\P{ASCII}/gu)?.length ?? 0);

/** What a single run of ASCII may have: two bytes a letter, compiled. */
const MOST_ALONE = 32_700;

/** Whether one pattern can hold a text. */
export const fitsPattern = (text: string): boolean => costOf(text) <= MOST || (isAscii(text) && anyCasePattern(text).length <= MOST_ALONE);

const PARTS: Readonly<Record<Part, (pattern: string) => string>> = {
  whole: (pattern) => `\\A(?:${pattern})\\z`,
  contains: (pattern) => pattern,
  startsWith: (pattern) => `\\A${pattern}`,
  endsWith: (pattern) => `${pattern}\\z`,
};

/** That a text is found in a value, whatever the case. */
export const textQuery = (target: ValueTarget, field: string, part: Part, text: string): Query =>
  fitsPattern(text) ? { [field]: { $regex: PARTS[part](anyCasePattern(text)) } } : longTextQuery(target, field, part, text);

/** That a value is one of the texts, whatever the case: in as few looks at it as there can be. */
export function oneOfTexts(target: ValueTarget, field: string, texts: readonly string[]): readonly Query[] {
  const bundles = bundled([...new Set(texts.filter(fitsPattern).map(foldCase))].sort());
  return [
    ...bundles.map((bundle) => ({ [field]: { $regex: PARTS.whole(alternatives(bundle)) } })),
    ...texts.filter((text) => !fitsPattern(text)).map((text) => longTextQuery(target, field, 'whole', text)),
  ];
}

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

/** A pattern for texts in order, their common beginnings written once: what is in none of a long list is told by its first letters. */
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

/** So many letters tell apart almost all values; only those that have them are looked at as a whole. */
const TELLING = 100;

const LENGTH = { $strLenCP: '$$this' };

/** A text that no pattern can hold: it is compared piece by piece, each at its place. Texts that are equal but for their case are of equal length. */
function longTextQuery(target: ValueTarget, field: string, part: Part, text: string): Query {
  const letters = Array.from(text);
  const pieces = piecesOf(letters);
  const telling = anyCasePattern((part === 'endsWith' ? letters.slice(-TELLING) : letters.slice(0, TELLING)).join(''));
  const standsAt = (place: unknown) => ({
    $and: pieces.map(({ from, size, pattern }) => ({
      $regexMatch: { input: { $substrCP: ['$$this', { $add: [place, from] }, size] }, regex: PARTS.whole(pattern) },
    })),
  });
  const last = { $subtract: [LENGTH, letters.length] };
  const room = { $substrCP: ['$$this', 0, { $add: [last, TELLING] }] };
  const found = { $regexFindAll: { input: room, regex: `(?=${telling})` } };
  const stands: Readonly<Record<Part, () => unknown>> = {
    whole: () => ({ $and: [{ $eq: [last, 0] }, standsAt(0)] }),
    contains: () => ({ $anyElementTrue: [{ $map: { input: found, as: 'found', in: standsAt('$$found.idx') } }] }),
    startsWith: () => standsAt(0),
    endsWith: () => standsAt(last),
  };
  const isText = { $eq: [{ $type: '$$this' }, 'string'] };
  const holds = { $cond: [isText, { $cond: [{ $gte: [last, 0] }, stands[part](), false] }, false] };
  const hint = part === 'whole' ? PARTS.startsWith(telling) : PARTS[part](telling);
  return { $and: [{ [field]: { $regex: hint } }, { $expr: someElement(target, holds) }] };
}

function piecesOf(letters: readonly string[]): readonly { readonly from: number; readonly size: number; readonly pattern: string }[] {
  const size = Math.floor((MOST - OF_A_TEXT) / OF_OTHERS);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, index) => {
    const piece = letters.slice(index * size, (index + 1) * size);
    return { from: index * size, size: piece.length, pattern: anyCasePattern(piece.join('')) };
  });
}
