import type { Leaf } from './leaves';

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
export function firstEndingAfter(pieces: readonly { readonly end: number }[], offset: number): number {
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
