import type { Library } from './library';
import type { Section } from './markdown';

/** A part of a guide that matches, with the text around the first match. */
export interface Found {
  readonly name: string;
  readonly title: string;
  readonly heading: string;
  readonly anchor: string;
  readonly excerpt: string;
}

/** The most words of a query that are searched for: more would find nothing. */
const MAX_WORDS = 8;
const MAX_FOUND = 30;
const EXCERPT_BEFORE = 60;
const EXCERPT_LENGTH = 200;

const WEIGHT = { heading: 8, title: 4, text: 1 } as const;
/** Instances of a word in one section: more of them do not make it a better answer. */
const MAX_COUNTED = 3;

const wordsOf = (query: string): readonly string[] =>
  [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_.@-]+/gu) ?? [])].slice(0, MAX_WORDS);

/** Returns the instances of a word in a text; a word also finds those that begin with it. */
const matcher = (word: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])${word.replaceAll('.', String.raw`\.`)}`, 'giu');

/** Returns the text around the first match, cut between words. */
function excerptOf(text: string, matchers: readonly RegExp[]): string {
  const first = Math.min(...matchers.map((each) => text.search(each)).filter((at) => at >= 0), text.length);
  const from = first === text.length || first <= EXCERPT_BEFORE ? 0 : text.indexOf(' ', first - EXCERPT_BEFORE) + 1;
  const rest = text.slice(from);
  const shown = rest.length <= EXCERPT_LENGTH ? rest : `${rest.slice(0, EXCERPT_LENGTH).replace(/\s\S*$/, '')} …`;
  return from === 0 ? shown : `… ${shown}`;
}

/** Returns how well a section matches one word: a heading counts most, then the page's title. */
const scoreOf = (title: string, { heading, text }: Section, word: RegExp): number =>
  WEIGHT.title * Number(title.search(word) >= 0) +
  WEIGHT.heading * Number(heading.search(word) >= 0) +
  WEIGHT.text * Math.min(MAX_COUNTED, [...text.matchAll(word)].length);

/** Returns the sections that have all words of the query, best first. A page that matches by its title alone is found once, at its beginning. */
export function search({ guides }: Pick<Library, 'guides'>, query: string): readonly Found[] {
  const words = wordsOf(query).map(matcher);
  if (words.length === 0) return [];
  const matches = [...guides.values()].flatMap(({ name, title, sections }) =>
    sections.flatMap((section) => {
      const scores = words.map((word) => scoreOf(title, section, word));
      const { heading, anchor, text } = section;
      const isOnlyTitle = heading !== title && words.every((word) => `${heading} ${text}`.search(word) < 0);
      if (isOnlyTitle || scores.includes(0)) return [];
      const score = scores.reduce((sum, each) => sum + each, 0);
      return { score, found: { name, title, heading, anchor, excerpt: excerptOf(text, words) } };
    }),
  );
  return matches
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ found }) => found);
}

/** Returns a text in parts, of which every second one matches a word of the query. */
export function partsOf(text: string, query: string): readonly string[] {
  const words = wordsOf(query);
  if (words.length === 0) return [text];
  return text.split(new RegExp(`(${words.map((word) => matcher(word).source).join('|')})`, 'giu'));
}
