import { textOf } from '../mime';
import type { Pieces } from '../mime';
import { sliceLeaves } from './holes';
import type { Flat } from './holes';
import { tokenizeHtml } from './html';
import type { Token, Attribute } from './html';
import type { Leaf } from './leaves';
import type { RenderState } from './state';
import { decodeHTMLAttribute } from 'entities';
import { scanTemplate } from './scan';
import { escapeMarkup } from './values';
import type { TrackedLink } from './types';

/** A position in HTML to edit: the value of an `href`, or a part of the decoration. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly what: HrefPosition | 'top' | 'bottom';
}

/** A plan takes memory for each link as long as the content is kept. */
const MOST_PLANNED_EDITS = 2_000;
const NO_TRACKER: Tracker = { isTracking: false, tracked: () => null };
const HREF_NAMES: ReadonlySet<string> = new Set(['href', 'xlink:href']);

function hrefEdits({ name, attributes }: Token): Edit[] {
  const hrefs = attributes.filter((attribute) => HREF_NAMES.has(attribute.name) && attribute.start < attribute.end);
  if (hrefs.length === 0) return [];
  const isLink = name === 'a' || name === 'area';
  const isTracked = isLink && !attributes.some((attribute) => attribute.name === 'data-no-track');
  // A second `href` of one element means nothing to a browser.
  const first = attributes.find((attribute) => attribute.name === 'href');
  return hrefs.map((attribute) => ({
    start: attribute.start,
    end: attribute.end,
    what: { trackable: isTracked && attribute === first, quoted: attribute.quote !== '' },
  }));
}

/** Finds all positions to edit, in the order of the text: preview after `<body>` or at the top, footer and pixel before the last `</body>` or at the end. */
function findEdits(html: string, tokens: readonly Token[]): readonly Edit[] {
  const tags = tokens.filter(({ kind, attributes }) => kind === 'start' && attributes.length > 0);
  const top = tokens.find(({ kind, name }) => kind === 'start' && name === 'body')?.end ?? 0;
  const bottom = tokens.findLast(({ kind, name }) => kind === 'end' && name === 'body')?.start ?? html.length;
  const edits: Edit[] = [{ start: top, end: top, what: 'top' }, { start: bottom, end: bottom, what: 'bottom' }, ...tags.flatMap(hrefEdits)];
  return edits.sort((left, right) => left.start - right.start);
}

/** Returns whether an offset lies outside all blocks. */
function isOutsideBlocks({ spans }: Flat, offset: number): boolean {
  let depth = 0;
  for (const { leaf, start } of spans) {
    if (start >= offset) break;
    if (leaf.kind === 'open') depth += 1;
    if (leaf.kind === 'close') depth -= 1;
  }
  return depth === 0;
}

/** Returns the leaf of a link; one that is the same for all recipients becomes text. */
function linkLeaf(leaves: readonly Leaf[], position: HrefPosition): Leaf {
  const [only, ...rest] = leaves;
  const isFixed = only?.kind === 'text' && rest.length === 0 && !(position.trackable && isWebUrl(urlOf(only.text)));
  return isFixed ? { kind: 'text', text: rewriteHref(only.text, position, NO_TRACKER) } : { kind: 'link', leaves, ...position };
}

/** Finds the links and the positions of the decoration in a template whose holes are safe; null when a position depends on values or there are very many. */
export function planLinks(flat: Flat, tokens: readonly Token[]): readonly Leaf[] | null {
  const edits = findEdits(flat.html, tokens);
  if (edits.length > MOST_PLANNED_EDITS) return null;
  if (edits.some(({ what, start }) => typeof what === 'string' && !isOutsideBlocks(flat, start))) return null;
  const planned: Leaf[] = [];
  let from = 0;
  for (const { start, end, what } of edits) {
    planned.push(...sliceLeaves(flat, from, start));
    planned.push(typeof what === 'string' ? { kind: 'slot', slot: what } : linkLeaf(sliceLeaves(flat, start, end), what));
    from = end;
  }
  return [...planned, ...sliceLeaves(flat, from, flat.html.length)];
}

/** Replaces links and adds the decoration in rendered HTML, byte for byte as `planLinks` would. */
export function decorateHtml(html: string, tokens: readonly Token[], state: RenderState): string {
  let output = '';
  let from = 0;
  for (const { start, end, what } of findEdits(html, tokens)) {
    output += html.slice(from, start);
    output += typeof what === 'string' ? textOf(state[what]) : rewriteHref(html.slice(start, end), what, state);
    from = end;
  }
  return output + html.slice(from);
}

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

/** Schemes that run code or read what is on the reader's machine. */
const UNSAFE_SCHEME = /^(?:javascript|data|vbscript|file|blob):/i;
/** Everything that a scheme has no use for, and that could disguise one. */
const DISGUISE = /[^\x21-\x7e]+/g;
/** Browsers ignore this character, and all before it, around a URL. */
const SPACE = 0x20;
const INSIDE = /[\t\n\r]+/g;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
/** Matches values that need no quotes in an attribute (HTML, "Unquoted attribute value syntax"). */
const FITS_UNQUOTED = /^[^\s"'=<>`]+$/;
const PLAINLY_WEB = /^https?:\/\//;

/** Returns the URL that a browser reads from an attribute as written (WHATWG URL, "remove leading and trailing", "remove tab or newline"). */
export const urlOf = (attribute: string): string => trimmed(decodeHTMLAttribute(attribute)).replace(INSIDE, '');

function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= SPACE) from++;
  while (to > from && text.charCodeAt(to - 1) <= SPACE) to--;
  return text.slice(from, to);
}

/** Returns the scheme in lower case, or null for a relative URL. */
function schemeOf(url: string): string | null {
  return SCHEME.exec(url)?.[1]?.toLowerCase() ?? null;
}

/** Returns whether a URL has a scheme that mail must not contain, even if it is disguised: a mail program may drop what a browser keeps. */
export function isUnsafe(url: string): boolean {
  const end = url.indexOf(':');
  return end > 0 && UNSAFE_SCHEME.test(url.slice(0, end + 1).replace(DISGUISE, ''));
}

/** Returns whether a URL leads to a web server, however its scheme is written. */
function isWebUrl(url: string): boolean {
  if (PLAINLY_WEB.test(url)) return true;
  const scheme = schemeOf(url);
  return scheme === 'http' || scheme === 'https';
}

interface HrefPosition {
  readonly trackable: boolean;
  readonly quoted: boolean;
}

/** Replaces links that count clicks in one rendering. */
export interface Tracker {
  /** False when no link is replaced in this rendering. */
  readonly isTracking: boolean;
  /** Returns the replacement of a URL, or null to keep it; `isShared` when it is the same for all recipients. */
  tracked(url: string, isShared: boolean): TrackedLink | null;
}

/** Rewrites an `href`: `#` for an unsafe scheme, the counting link for a trackable one, else the same text. */
export function rewriteHref(attribute: string, { trackable, quoted }: HrefPosition, tracker: Tracker): string {
  const isTracked = trackable && tracker.isTracking;
  if (!isTracked && PLAINLY_WEB.test(attribute)) return attribute;
  const url = urlOf(attribute);
  const instead = isUnsafe(url) ? '#' : isTracked && isWebUrl(url) ? tracker.tracked(url, false) : null;
  return instead === null ? attribute : textOf(attributeOf(instead, quoted));
}

/** Writes a link as the value of an attribute. */
export function attributeOf(link: TrackedLink, quoted: boolean): Pieces {
  if (typeof link !== 'string') return quoted ? link : ['"', ...link, '"'];
  const text = escapeMarkup(link);
  return [quoted || FITS_UNQUOTED.test(text) ? text : `"${text}"`];
}
