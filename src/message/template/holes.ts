import type { Attribute, Token } from './html';
import type { Leaf } from './leaves';

/** The work that can be done once for all recipients: only where no value can change the structure of the HTML around it. */
export interface HoleSafety {
  /** Links can be found in the template. */
  readonly links: boolean;
  /** A text part can be derived from the template: raw values may occur in text and attributes. */
  readonly text: boolean;
}

type Region = 'text' | 'comment' | 'raw' | 'tag' | Attribute;

/** The longest name of an element with raw text, with its `</`. */
const RAW_END_LENGTH = 12;
const OPENS_TAG = /<\/?$/;
const ENDS_COMMENT = /[->!]/;

function regionIn(token: Token | undefined, offset: number): Region {
  if (!token || token.start > offset) return 'text';
  if (token.kind === 'comment' || token.kind === 'raw') return token.kind;
  const attribute = token.attributes[firstEndingAfter(token.attributes, offset)];
  return attribute && attribute.quote !== '' && attribute.start <= offset ? attribute : 'tag';
}

/** Returns whether an escaped value is safe at an offset. It has no `<`, `>` or quotes, so it matters only inside unfinished markup. */
function isSafeIn(region: Region, html: string, offset: number): boolean {
  if (region === 'tag') return false;
  if (region === 'comment') return !ENDS_COMMENT.test(html.charAt(offset + 1));
  if (region === 'raw') return !html.slice(Math.max(0, offset - RAW_END_LENGTH), offset).includes('<');
  return region !== 'text' || !OPENS_TAG.test(html.slice(Math.max(0, offset - 2), offset));
}

function isRawValue(leaf: Leaf): boolean {
  return leaf.kind === 'value' && leaf.style === 'raw' && !(leaf.value.kind === 'path' && leaf.value.origin.from === 'system');
}

/** Blocks have to begin, branch and end in one text or in one attribute. */
class BlockRegions {
  private readonly regions: Region[] = [];

  accepts(leaf: Leaf, region: Region): boolean {
    if (leaf.kind === 'value') return true;
    if (leaf.kind === 'open') {
      this.regions.push(region);
      return region !== 'comment' && region !== 'raw';
    }
    const begun = leaf.kind === 'close' ? this.regions.pop() : this.regions.at(-1);
    return begun === region;
  }
}

/** Checks all holes of a template. */
export function holeSafety({ html, spans }: Flat, tokens: readonly Token[]): HoleSafety {
  const blocks = new BlockRegions();
  let links = true;
  let next = 0;
  for (const { leaf, start } of spans) {
    if (leaf.kind === 'text') continue;
    while (tokens[next] && tokens[next]!.end <= start) next += 1;
    const region = regionIn(tokens[next], start);
    if (!isSafeIn(region, html, start) || !blocks.accepts(leaf, region)) return { links: false, text: false };
    if (isRawValue(leaf)) links = false;
  }
  return { links, text: true };
}

interface LeafSpan {
  readonly leaf: Leaf;
  readonly start: number;
  readonly end: number;
}

/** A template as one text in which every hole is a single character that no tokenizer cares about. */
export interface Flat {
  readonly html: string;
  readonly spans: readonly LeafSpan[];
}

const HOLE = '\ufffc';

/** Lays leaves side by side. Holes are known by their offset, so the character may also occur in the text. */
export function flatten(leaves: readonly Leaf[]): Flat {
  const spans: LeafSpan[] = [];
  const parts: string[] = [];
  let at = 0;
  for (const leaf of leaves) {
    const part = leaf.kind === 'text' ? leaf.text : HOLE;
    if (part === '') continue;
    spans.push({ leaf, start: at, end: at + part.length });
    parts.push(part);
    at += part.length;
  }
  return { html: parts.join(''), spans };
}

/** Finds the index of the first piece that ends after an offset, by binary search, as there may be hundreds of thousands. */
function firstEndingAfter(pieces: readonly { readonly end: number }[], offset: number): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle]!.end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the leaves between two offsets, with texts cut where needed. */
export function sliceLeaves({ html, spans }: Flat, from: number, to: number): readonly Leaf[] {
  const slice: Leaf[] = [];
  for (let index = firstEndingAfter(spans, from); index < spans.length; index++) {
    const { leaf, start, end } = spans[index]!;
    if (start >= to) break;
    slice.push(leaf.kind === 'text' ? { kind: 'text', text: html.slice(Math.max(start, from), Math.min(end, to)) } : leaf);
  }
  return slice;
}
