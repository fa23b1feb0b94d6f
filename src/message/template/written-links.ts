import { decodeHTMLAttribute } from 'entities';
import { tokenizeHtml } from './html';
import type { Attribute, Token } from './html';
import { scanTemplate } from './scan';

type Span = readonly [from: number, to: number];

interface WrittenLink {
  /** The URL as its author wrote it, with its tags. */
  readonly text: string;
  /** The texts between its tags, in order; a block counts as one tag. */
  readonly fixed: readonly string[];
}

/** Stands for a tag: no tokenizer cares about it. */
const FILL = '\ufffc';
const OPENS = /^\{\{~?[#^]/;
const CLOSES = /^\{\{~?\//;
const IGNORED = /[\t\n\r]+/g;

const hrefOf = ({ kind, name, attributes }: Token): Attribute | undefined =>
  kind === 'start' && (name === 'a' || name === 'area') ? attributes.find((attribute) => attribute.name === 'href') : undefined;

function linkOf(html: string, { start, end }: Attribute, tags: readonly Span[]): WrittenLink {
  let [text, from, depth] = ['', start, 0];
  const fixed = [''];
  const take = (to: number): void => {
    const words = decodeHTMLAttribute(html.slice(from, to)).replace(IGNORED, '');
    text += words;
    if (depth === 0) fixed[fixed.length - 1] += words;
  };
  for (const [tagStart, tagEnd] of tags) {
    take(tagStart);
    const tag = html.slice(tagStart, tagEnd);
    text += tag;
    from = tagEnd;
    if (depth === 0) fixed.push('');
    if (OPENS.test(tag)) depth += 1;
    if (CLOSES.test(tag)) depth -= 1;
  }
  take(end);
  if (fixed.length === 1) return { text: text.trim(), fixed: [text.trim()] };
  return { text: text.trim(), fixed: [(fixed[0] ?? '').trimStart(), ...fixed.slice(1, -1), (fixed.at(-1) ?? '').trimEnd()] };
}

/** Lists the links of a template, as their author wrote them. */
export function linksOf(html: string): readonly WrittenLink[] {
  const { spans } = scanTemplate(html);
  let flat = '';
  let from = 0;
  for (const [start, end] of spans) {
    flat += html.slice(from, start) + FILL.repeat(end - start);
    from = end;
  }
  let next = 0;
  return tokenizeHtml(flat + html.slice(from)).flatMap((token) => {
    const href = hrefOf(token);
    if (!href) return [];
    while (next < spans.length && spans[next]![1] <= href.start) next += 1;
    const first = next;
    while (next < spans.length && spans[next]![0] < href.end) next += 1;
    return [linkOf(html, href, spans.slice(first, next))];
  });
}

function comesFrom({ fixed }: WrittenLink, url: string): boolean {
  const [first = '', ...rest] = fixed;
  const last = rest.pop() ?? '';
  if (!url.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = url.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return url.length - last.length >= at && url.endsWith(last);
}

const lengthOf = ({ fixed }: WrittenLink): number => fixed.reduce((sum, part) => sum + part.length, 0);

/**
 * Returns a function that finds, for a link of rendered HTML, the link as its author wrote it, with its placeholders: of several that it may come from, the one
 * that says most of it. A link without placeholders, or without a position in the template, is itself.
 */
export function writtenLinks(html: string): (url: string) => string {
  const links = new Map(linksOf(html).map((link) => [link.text, link]));
  const withTags = [...links.values()].filter(({ fixed }) => fixed.length > 1).sort((a, b) => lengthOf(b) - lengthOf(a));
  return (url) => (links.has(url) ? url : (withTags.find((link) => comesFrom(link, url))?.text ?? url));
}
