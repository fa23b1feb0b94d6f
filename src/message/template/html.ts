/** An attribute of a tag, by offsets in the document. */
export interface Attribute {
  readonly name: string;
  /** The range of the value, quotes excluded; empty at the end of the name when there is none. */
  readonly start: number;
  readonly end: number;
  readonly quote: '"' | "'" | '';
}

/** `raw` is the text inside script, style and similar elements; `rest` a tag that the end of the text cut off. Everything between tokens is text. */
export interface Token {
  readonly kind: 'start' | 'end' | 'comment' | 'bogus' | 'raw' | 'rest';
  readonly start: number;
  readonly end: number;
  /** The element, in lower case; empty for comments. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

const RAW_ELEMENTS: ReadonlySet<string> = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
]);
const COMMENT_END = /--!?>/g;
const TAG_NAME = /[^\t\n\f\r />]*/y;
const BEFORE_ATTRIBUTE = /[\t\n\f\r /]*/y;
const ATTRIBUTE_NAME = /=?[^\t\n\f\r />=]*/y;
const EQUALS = /[\t\n\f\r ]*=[\t\n\f\r ]*/y;
const UNQUOTED = /[^\t\n\f\r >]*/y;
const NO_ATTRIBUTES: readonly Attribute[] = [];

const rawEnds: ReadonlyMap<string, RegExp> = new Map(
  [...RAW_ELEMENTS].map((name) => [name, new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi')]),
);

function runTo(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

class Tokenizer {
  readonly tokens: Token[] = [];

  constructor(private readonly html: string) {}

  run(): readonly Token[] {
    let at = this.html.indexOf('<');
    while (at >= 0) {
      const next = this.html.charCodeAt(at + 1);
      const end = isLetter(next) ? this.tag(at, 'start') : this.other(at, next);
      at = this.html.indexOf('<', end);
    }
    return this.tokens;
  }

  private push(kind: Token['kind'], start: number, end: number, name = '', attributes = NO_ATTRIBUTES): number {
    this.tokens.push({ kind, start, end, name, attributes });
    return end;
  }

  private other(at: number, next: number): number {
    if (next === 47) {
      if (isLetter(this.html.charCodeAt(at + 2))) return this.tag(at, 'end');
      return at + 2 < this.html.length ? this.bogus(at, at + 2) : at + 2;
    }
    if (next === 33 && this.html.startsWith('--', at + 2)) return this.comment(at);
    return next === 33 || next === 63 ? this.bogus(at, at + 2) : at + 1;
  }

  private bogus(at: number, from: number): number {
    const end = this.html.indexOf('>', from);
    return this.push('bogus', at, end < 0 ? this.html.length : end + 1);
  }

  private comment(at: number): number {
    if (this.html.startsWith('>', at + 4)) return this.push('comment', at, at + 5);
    if (this.html.startsWith('->', at + 4)) return this.push('comment', at, at + 6);
    COMMENT_END.lastIndex = at + 4;
    return this.push('comment', at, COMMENT_END.test(this.html) ? COMMENT_END.lastIndex : this.html.length);
  }

  private tag(at: number, kind: 'start' | 'end'): number {
    const nameStart = kind === 'start' ? at + 1 : at + 2;
    const nameEnd = runTo(TAG_NAME, this.html, nameStart);
    const name = this.html.slice(nameStart, nameEnd).toLowerCase();
    if (this.html[nameEnd] === '>') return this.closeTag(kind, at, nameEnd, name, NO_ATTRIBUTES);
    const attributes: Attribute[] = [];
    let from = runTo(BEFORE_ATTRIBUTE, this.html, nameEnd);
    while (from < this.html.length && this.html[from] !== '>') {
      const attribute = this.attribute(from);
      if (!attribute) return this.push('rest', at, this.html.length);
      attributes.push(attribute);
      from = runTo(BEFORE_ATTRIBUTE, this.html, attribute.quote === '' ? attribute.end : attribute.end + 1);
    }
    if (from >= this.html.length) return this.push('rest', at, this.html.length);
    return this.closeTag(kind, at, from, name, attributes);
  }

  private closeTag(kind: 'start' | 'end', at: number, bracket: number, name: string, attributes: readonly Attribute[]): number {
    const end = this.push(kind, at, bracket + 1, name, attributes);
    return kind === 'start' && RAW_ELEMENTS.has(name) ? this.raw(name, end) : end;
  }

  /** Reads an attribute; null when the text ends inside a quoted value. */
  private attribute(at: number): Attribute | null {
    const nameEnd = runTo(ATTRIBUTE_NAME, this.html, at);
    const name = this.html.slice(at, nameEnd).toLowerCase();
    const start = runTo(EQUALS, this.html, nameEnd);
    if (start === nameEnd) return { name, start: nameEnd, end: nameEnd, quote: '' };
    const quote = this.html[start];
    if (quote !== '"' && quote !== "'") return { name, start, end: runTo(UNQUOTED, this.html, start), quote: '' };
    const end = this.html.indexOf(quote, start + 1);
    return end < 0 ? null : { name, start: start + 1, end, quote };
  }

  private raw(name: string, from: number): number {
    const pattern = rawEnds.get(name)!;
    pattern.lastIndex = from;
    const found = name === 'plaintext' ? null : pattern.exec(this.html);
    return this.push('raw', from, found ? found.index : this.html.length, name);
  }
}

/** Splits HTML into tags, comments and raw text by the rules of the HTML standard (13.2.5), in linear time. */
export function tokenizeHtml(html: string): readonly Token[] {
  return new Tokenizer(html).run();
}
