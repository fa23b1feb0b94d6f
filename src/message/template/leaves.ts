import type { HelperName } from './helpers';

/** The root of a path: the recipient's values, the platform's values, a block's context, or a loop's counters. */
export type Origin =
  | { readonly from: 'values' }
  | { readonly from: 'system'; readonly name: 'unsubscribeUrl' | 'preferencesUrl' | 'viewInBrowserUrl' | 'year' }
  | { readonly from: 'context'; readonly slot: number }
  | { readonly from: 'loop'; readonly loop: number; readonly field: 'index' | 'key' | 'first' | 'last' };

export type Literal = string | number | boolean | null | undefined;

/** The content of a tag: a value, the path of one, or a call of a helper. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Literal }
  | { readonly kind: 'path'; readonly origin: Origin; readonly parts: readonly string[] }
  | {
      readonly kind: 'call';
      readonly helper: HelperName;
      readonly args: readonly Expression[];
      readonly options: ReadonlyMap<string, Expression>;
    };

/** The output of a value: escaped for HTML, unchanged, or with its own markup turned into text. */
export type Style = 'escaped' | 'raw' | 'stripped';

interface TextLeaf {
  readonly kind: 'text';
  readonly text: string;
}

/** A tag that writes a value. */
export interface ValueLeaf {
  readonly kind: 'value';
  readonly value: Expression;
  readonly fallback: string | null;
  readonly style: Style;
}

/** A tag that begins a block. */
export interface OpenLeaf {
  readonly kind: 'open';
  readonly block: 'if' | 'unless' | 'each' | 'with';
  readonly subject: Expression;
  readonly includeZero: Expression | null;
  /** The context slot that `each` and `with` fill, and the loop slot of an `each`. */
  readonly slot: number;
  readonly loop: number;
}

/** The value of an `href`, to be sanitised and, where `trackable`, replaced by a link that counts clicks. */
export interface LinkLeaf {
  readonly kind: 'link';
  readonly leaves: readonly Leaf[];
  readonly trackable: boolean;
  readonly quoted: boolean;
}

/** The position of the decoration. */
interface SlotLeaf {
  readonly kind: 'slot';
  readonly slot: 'top' | 'bottom';
}

/**
 * A template as a flat list in the order of its text. Every `open` has its `close`, with at most one `else` between;
 * a flat list is what lets an HTML tokenizer see the template as one text with holes.
 */
export type Leaf = TextLeaf | ValueLeaf | OpenLeaf | { readonly kind: 'else' } | { readonly kind: 'close' } | LinkLeaf | SlotLeaf;
