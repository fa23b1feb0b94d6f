import { decodeHTMLAttribute } from 'entities';
import { flatten, sliceLeaves } from './holes';
import type { Flat } from './holes';
import { HiddenPart, isHidden, mayHide, CELLS, ENDS_HEAD, IN_HEAD, LINES, PARAGRAPHS } from './hidden';
import { isUnsafe, urlOf } from './links';
import { tokenizeHtml } from './html';
import type { Attribute, Token } from './html';
import type { Leaf } from './leaves';
import { TextBuilder } from './text-builder';

/** Replaces a hole in a style; it cannot be confused with the author's text, as only holes are replaced. */
const HOLE = '\0';
const INK = /[^\t\n\f\r ]/;

interface OpenLink {
  readonly href: readonly Leaf[];
  readonly mark: number;
}

/** Returns a key that distinguishes short texts with holes. */
function signature(leaves: readonly Leaf[]): string {
  return leaves
    .map((leaf) => (leaf.kind === 'text' ? leaf.text : JSON.stringify(leaf)))
    .join('')
    .trim();
}

/** Converts a leaf for the text part: values are not escaped; one that is raw in the HTML loses its markup. */
function asPlain(leaf: Leaf): Leaf {
  return leaf.kind === 'value' ? { ...leaf, style: leaf.style === 'escaped' ? 'raw' : 'stripped' } : leaf;
}

/** Returns the readable part of an `href`: the URL, the address of a mailto; nothing for fragments and refused schemes. */
function shownHref(href: readonly Leaf[]): readonly Leaf[] {
  const [head, ...rest] = href;
  if (head?.kind !== 'text') return href;
  const text = head.text.trimStart();
  if (text.startsWith('#') || isUnsafe(urlOf(text))) return [];
  return [{ kind: 'text', text: text.replace(/^(?:mailto|tel):/i, '') }, ...rest];
}

class Converter {
  private readonly builder = new TextBuilder();
  private link: OpenLink | null = null;
  /** For each block: whether the link that is open now was opened before it. */
  private readonly outerLinks: (OpenLink | null)[] = [];
  private section: 'before head' | 'head' | 'body' = 'before head';
  /** Text ends a head that nothing else does. */
  private isHeadClosed = false;
  private readonly hidden = new HiddenPart();
  /** True once the values of a recipient decide what is hidden. */
  private isUndecided = false;

  constructor(private readonly flat: Flat) {}

  /** Returns null when each rendered HTML has its own text. */
  run(tokens: readonly Token[]): readonly Leaf[] | null {
    this.isHeadClosed = tokens.some(({ kind, name }) => kind === 'end' && name === 'head');
    let from = 0;
    for (const token of tokens) {
      this.text(from, token.start);
      if (token.kind === 'start') this.start(token);
      if (token.kind === 'end') this.end(token.name);
      from = token.end;
    }
    this.text(from, this.flat.html.length);
    return this.isUndecided ? null : this.builder.leaves;
  }

  private text(from: number, to: number): void {
    if (from >= to) return;
    for (const leaf of sliceLeaves(this.flat, from, to)) {
      if (leaf.kind === 'text') this.words(leaf.text);
      else if (leaf.kind !== 'value') this.block(leaf);
      else if (this.section !== 'head' && !this.hidden.isOpen) this.builder.value(asPlain(leaf));
    }
  }

  /** Decodes text by the rules of attributes: `?a=1&copy=2` is an address in text, too. */
  private words(markup: string): void {
    if (this.section === 'head' && !this.isHeadClosed && INK.test(markup)) this.section = 'body';
    if (this.section !== 'head' && !this.hidden.isOpen) this.builder.text(withoutFiller(decodeHTMLAttribute(markup)));
  }

  private block(leaf: Leaf): void {
    if (leaf.kind === 'open') this.outerLinks.push(this.link);
    else if (this.link !== this.outerLinks.at(-1)) this.link = null;
    if (leaf.kind === 'close') this.outerLinks.pop();
    this.builder.block(leaf);
  }

  private start(token: Token): void {
    const { name } = token;
    if (name === 'head' && this.section === 'before head') this.section = 'head';
    else if (!IN_HEAD.has(name)) this.section = 'body';
    if (!this.hidden.start(name, () => this.hides(token)) && this.section !== 'head') this.show(token);
  }

  private show(token: Token): void {
    const { name } = token;
    this.breakAround(name);
    if (name === 'br') this.builder.hardBreak();
    if (name === 'li') this.builder.text('- ');
    if (name === 'hr') this.rule();
    if (name === 'pre') this.builder.preformatted += 1;
    if (name === 'img') this.image(token);
    if (name === 'a') this.openLink(token);
  }

  private end(name: string): void {
    if (this.section === 'head' && ENDS_HEAD.has(name)) this.section = 'body';
    if (this.hidden.end(name) || this.section === 'head') return;
    if (name === 'a') this.closeLink();
    if (name === 'pre') this.builder.preformatted = Math.max(0, this.builder.preformatted - 1);
    this.breakAround(name);
  }

  private hides({ name, attributes }: Token): boolean {
    if (attributes.length === 0) return isHidden(name, false, '');
    const style = attributes.find((attribute) => attribute.name === 'style');
    const leaves = style ? this.attribute(style) : [];
    const text = leaves.map((leaf) => (leaf.kind === 'text' ? leaf.text : HOLE)).join('');
    if (leaves.some(({ kind }) => kind !== 'text') && mayHide(text, HOLE)) this.isUndecided = true;
    return isHidden(
      name,
      attributes.some((attribute) => attribute.name === 'hidden'),
      text,
    );
  }

  private breakAround(name: string): void {
    if (PARAGRAPHS.has(name)) this.builder.lineBreak(2);
    else if (LINES.has(name)) this.builder.lineBreak(1);
    else if (CELLS.has(name)) this.builder.text(' ');
  }

  private rule(): void {
    this.builder.text('---');
    this.builder.lineBreak(2);
  }

  /** Reads the value of an attribute: decoded text, values as text, blocks unchanged. */
  private attribute({ start, end }: Attribute): readonly Leaf[] {
    return sliceLeaves(this.flat, start, end).map((leaf) =>
      leaf.kind === 'text' ? { ...leaf, text: decodeHTMLAttribute(leaf.text) } : asPlain(leaf),
    );
  }

  private image({ attributes }: Token): void {
    const alt = attributes.find(({ name }) => name === 'alt');
    if (alt) this.builder.insert(this.attribute(alt));
  }

  private openLink({ attributes }: Token): void {
    const href = attributes.find(({ name }) => name === 'href');
    this.link = href && href.end > href.start ? { href: this.attribute(href), mark: this.builder.leaves.length } : null;
  }

  private closeLink(): void {
    if (!this.link) return;
    const { href, mark } = this.link;
    this.link = null;
    const shown = shownHref(href);
    const label = signature(this.builder.leaves.slice(mark));
    if (shown.length === 0 || label === signature(shown)) return;
    if (label !== '') this.builder.text(' ');
    this.builder.insert([{ kind: 'text', text: '[' }, ...shown, { kind: 'text', text: ']' }]);
  }
}

/** Invisible characters that pad a preview. */
const FILLER = /[\u034f\u00ad\u180e\u200b-\u200f\u2060\ufeff]+/g;

/** Direction marks are kept where they occur alone. */
const DIRECTION_MARKS = /^[\u200e\u200f]+$/;

const NON_JOINER = '\u200c';

const JOINER = '\u200d';

/** Scripts in which joiners are part of how a word is written. */
const JOINING = 'Arab Syrc Mong Nkoo Mand Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt'
  .split(' ')
  .map((script) => `\\p{scx=${script}}`)
  .join('');

const AFTER_JOINING = new RegExp(`[${JOINING}]$`, 'u');

const BEFORE_JOINING = new RegExp(`^[${JOINING}]`, 'u');

const AFTER_EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]$/u;

const BEFORE_EMOJI = /^\p{Extended_Pictographic}/u;

function isSpelling(run: string, before: string, after: string): boolean {
  if (DIRECTION_MARKS.test(run)) return true;
  if (run === NON_JOINER) return AFTER_JOINING.test(before) && BEFORE_JOINING.test(after);
  return run === JOINER && (AFTER_JOINING.test(before) || (AFTER_EMOJI.test(before) && BEFORE_EMOJI.test(after)));
}

/** Drops filler characters. Joiners are kept within a word or an emoji, and direction marks where they occur alone. */
const withoutFiller = (text: string): string =>
  text.replace(FILLER, (run: string, at: number) => {
    const end = at + run.length;
    return isSpelling(run, text.slice(Math.max(0, at - 2), at), text.slice(end, end + 2)) ? run : '';
  });

/**
 * Returns the text part of a template whose holes are safe: one pass over the tokens of its HTML, blocks and values kept in place. Returns null where a value
 * may hide a part of the HTML.
 */
export function deriveText(flat: Flat, tokens: readonly Token[]): readonly Leaf[] | null {
  return new Converter(flat).run(tokens);
}

/**
 * Converts HTML to readable text, in linear time for any input: paragraphs, lists, links as `text [url]`, images as their `alt`;
 * scripts, styles, the head, hidden parts and filler characters are dropped. The tokens may be given when they are known.
 */
export function htmlToText(html: string, tokens: readonly Token[] = tokenizeHtml(html)): string {
  const leaves = deriveText(flatten([{ kind: 'text', text: html }]), tokens) ?? [];
  return leaves.map((leaf) => (leaf.kind === 'text' ? leaf.text : '')).join('');
}
