import { tokenizeHtml } from './html';
import type { Leaf } from './leaves';

/** Facts of an HTML body that readers and filters check it by. */
export interface Inspected {
  readonly images: number;
  /** The addresses of images without an `alt` attribute, as they are written; an empty one says that the image is decoration. */
  readonly withoutAlt: readonly string[];
  /** The text between the tags, without that of images, styles and the title. */
  readonly text: string;
}

/** Inspects rendered HTML, in linear time for any input. */
export function inspectHtml(html: string): Inspected {
  const tokens = tokenizeHtml(html);
  const images = tokens.filter(({ kind, name }) => kind === 'start' && name === 'img');
  const valueOf = (image: (typeof images)[number], wanted: string): string | undefined => {
    const attribute = image.attributes.find(({ name }) => name === wanted);
    return attribute && html.slice(attribute.start, attribute.end);
  };
  let [text, from] = ['', 0];
  for (const { start, end } of tokens) {
    text += `${html.slice(from, start)} `;
    from = end;
  }
  return {
    images: images.length,
    withoutAlt: images.filter((image) => valueOf(image, 'alt') === undefined).map((image) => valueOf(image, 'src') ?? ''),
    text: (text + html.slice(from)).replace(/\s+/g, ' ').trim(),
  };
}

/** The root names that a template reads; for `data` also which keys, or null when it reads the whole. */
export interface Reads {
  readonly names: Set<string>;
  readonly system: Set<string>;
  dataKeys: Set<string> | null;
  /** The project's strings that it needs: those that it reads without a fallback. */
  readonly strings: Set<string>;
}

export function noReads(): Reads {
  return { names: new Set(), system: new Set(), dataKeys: new Set(), strings: new Set() };
}

/** Returns what either of two parts reads. */
export function mergedReads(left: Reads, right: Reads): Reads {
  return {
    names: new Set([...left.names, ...right.names]),
    system: new Set([...left.system, ...right.system]),
    strings: new Set([...left.strings, ...right.strings]),
    dataKeys: left.dataKeys && right.dataKeys && new Set([...left.dataKeys, ...right.dataKeys]),
  };
}

/** A template's tags, and what they read. */
export interface Parsed {
  readonly leaves: readonly Leaf[];
  readonly reads: Reads;
}
