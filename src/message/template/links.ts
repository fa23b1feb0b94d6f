import { textOf } from '../mime';
import { sliceLeaves } from './flat';
import type { Flat } from './flat';
import { isWebUrl, rewriteHref, urlOf } from './href';
import type { HrefPosition, Tracker } from './href';
import type { Token } from './html';
import type { Leaf } from './leaves';
import type { RenderState } from './state';

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
