import { decodeHTMLAttribute } from 'entities';
import { flatten, sliceLeaves } from './flat';
import type { Flat } from './flat';
import { isSafeScheme, schemeOf, urlOf } from './href';
import { tokenizeHtml } from './html';
import type { Attribute, Token } from './html';
import type { Leaf } from './leaves';
import { TextBuilder } from './text-builder';

const PARAGRAPHS: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 ul ol dl blockquote pre hr figure'.split(' '));
const LINES: ReadonlySet<string> = new Set(
  (
    'div tr li section article header footer main nav aside address center form fieldset table tbody thead tfoot caption dt dd body ' +
    'html option figcaption'
  ).split(' '),
);
const CELLS: ReadonlySet<string> = new Set(['td', 'th']);

interface OpenLink {
  readonly href: readonly Leaf[];
  readonly mark: number;
}

/** Makes a key that distinguishes short texts with holes. */
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
  const scheme = schemeOf(urlOf(text));
  if (text.startsWith('#') || (scheme !== null && !isSafeScheme(scheme))) return [];
  return [{ kind: 'text', text: text.replace(/^(?:mailto|tel):/i, '') }, ...rest];
}

class Converter {
  private readonly builder = new TextBuilder();
  private link: OpenLink | null = null;
  /** For each block: whether the link that is open now was opened before it. */
  private readonly outerLinks: (OpenLink | null)[] = [];
  private isInHead = false;

  constructor(private readonly flat: Flat) {}

  run(tokens: readonly Token[]): readonly Leaf[] {
    let from = 0;
    for (const token of tokens) {
      this.text(from, token.start);
      if (token.kind === 'start') this.start(token);
      if (token.kind === 'end') this.end(token.name);
      from = token.end;
    }
    this.text(from, this.flat.html.length);
    return this.builder.leaves;
  }

  /** By the rules of attributes: `?a=1&copy=2` is an address in text, too. */
  private text(from: number, to: number): void {
    if (from >= to) return;
    for (const leaf of sliceLeaves(this.flat, from, to)) {
      if (leaf.kind === 'text') {
        if (!this.isInHead) this.builder.text(decodeHTMLAttribute(leaf.text));
      } else if (leaf.kind === 'value') {
        if (!this.isInHead) this.builder.value(asPlain(leaf));
      } else {
        this.block(leaf);
      }
    }
  }

  private block(leaf: Leaf): void {
    if (leaf.kind === 'open') this.outerLinks.push(this.link);
    else if (this.link !== this.outerLinks.at(-1)) this.link = null;
    if (leaf.kind === 'close') this.outerLinks.pop();
    this.builder.block(leaf);
  }

  private start(token: Token): void {
    const { name } = token;
    if (name === 'head') this.isInHead = true;
    if (name === 'body') this.isInHead = false;
    if (this.isInHead) return;
    this.breakAround(name);
    if (name === 'br') this.builder.hardBreak();
    if (name === 'li') this.builder.text('- ');
    if (name === 'hr') this.rule();
    if (name === 'pre') this.builder.preformatted += 1;
    if (name === 'img') this.image(token);
    if (name === 'a') this.openLink(token);
  }

  private end(name: string): void {
    if (name === 'head') this.isInHead = false;
    if (this.isInHead) return;
    if (name === 'a') this.closeLink();
    if (name === 'pre') this.builder.preformatted = Math.max(0, this.builder.preformatted - 1);
    this.breakAround(name);
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

/** Makes the text part of a template whose holes are safe: one pass over the tokens of its HTML, blocks and values kept in place. */
export function deriveText(flat: Flat, tokens: readonly Token[]): readonly Leaf[] {
  return new Converter(flat).run(tokens);
}

/**
 * Converts HTML to readable text, in linear time for any input: paragraphs, lists, links as `text [url]`, images as their `alt`;
 * scripts, styles and the head are dropped. The tokens may be given when they are known.
 */
export function htmlToText(html: string, tokens: readonly Token[] = tokenizeHtml(html)): string {
  const leaves = deriveText(flatten([{ kind: 'text', text: html }]), tokens);
  return leaves.map((leaf) => (leaf.kind === 'text' ? leaf.text : '')).join('');
}
