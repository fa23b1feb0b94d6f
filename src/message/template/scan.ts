import { EXPRESSION_LIMIT, NESTING_LIMIT, TAG_LIMIT, WORD_LIMIT } from './limits';

/** `chain` is an `{{else if …}}`; `inverted` a `{{^if …}}`. */
type TagKind = 'statement' | 'block' | 'inverted' | 'chain';

export interface Tag {
  readonly offset: number;
  readonly kind: TagKind;
  /** True when the last argument is a fallback, written after a bar. */
  readonly fallback: boolean;
}

export interface Scan {
  /** The template with the bars of its fallbacks blanked, so that every offset stays what it was. */
  readonly source: string;
  /** In the order of the text: comments, closing tags and plain `{{else}}` are not among them. */
  readonly tags: readonly Tag[];
  /** Start and end of each tag, of all kinds: everything between them is text. */
  readonly spans: readonly Span[];
}

type Span = readonly [from: number, to: number];

/** Why a template is not passed to the parser, and where. */
export class ScanError extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

type BodyKind = TagKind | 'raw' | 'close';

interface BodyProgress {
  depth: number;
  inWord: boolean;
  fallback: boolean;
}

interface OpenBlock {
  readonly offset: number;
  hasElse: boolean;
}

const PLAIN_ELSE = /\{\{~?\s*(?:else\s*|\^\s*)~?\}\}/y;
const CHAINED_ELSE = /\{\{~?\s*else\b/y;
const LONG_COMMENT_END = /--~?\}\}/g;
const FALLBACK_START = /\|\s*"/y;
const CLOSE = /~?\}\}/y;
const CLOSE_RAW = /\}~?\}\}/y;
const SPACE = /\s/;
const SEPARATORS = './=@|()';

function matchAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

class Scanner {
  private readonly tags: Tag[] = [];
  private readonly bars: number[] = [];
  private readonly spans: Span[] = [];
  private readonly open: OpenBlock[] = [];
  private tagCount = 0;
  private expressions = 0;
  private words = 0;

  constructor(private readonly source: string) {}

  run(): Scan {
    const nul = this.source.indexOf('\0');
    if (nul >= 0) throw new ScanError(nul, 'A NUL character is not allowed');
    let from = 0;
    for (let at = this.source.indexOf('{{'); at >= 0; at = this.source.indexOf('{{', from)) {
      if (++this.tagCount > TAG_LIMIT) throw new ScanError(at, `More than ${TAG_LIMIT} tags`);
      const isTag = !this.isEscaped(at, from);
      from = isTag ? this.tag(at) : at + 2;
      if (isTag) this.spans.push([at, from]);
    }
    const unclosed = this.open.pop();
    if (unclosed) throw new ScanError(unclosed.offset, 'This block is not closed');
    return { source: this.blanked(), tags: this.tags, spans: this.spans };
  }

  /** Returns whether braces are escaped: after one backslash they are text; two are a backslash before a tag. */
  private isEscaped(at: number, contentStart: number): boolean {
    const isBackslash = (position: number) => position >= contentStart && this.source[position] === '\\';
    return isBackslash(at - 1) && !isBackslash(at - 2);
  }

  private blanked(): string {
    let from = 0;
    const parts = this.bars.map((bar) => {
      const part = this.source.slice(from, bar);
      from = bar + 1;
      return part;
    });
    return [...parts, this.source.slice(from)].join(' ');
  }

  /** Reads the tag that begins here and returns where it ends. */
  private tag(at: number): number {
    if (this.source.startsWith('{{{{', at)) throw new ScanError(at, 'Raw blocks are not supported');
    const sigil = this.source[at + 2] === '~' ? at + 3 : at + 2;
    if (this.source[sigil] === '!') return this.comment(at, sigil);
    const elseEnd = matchAt(PLAIN_ELSE, this.source, at);
    if (elseEnd >= 0) return this.plainElse(at, elseEnd);
    if (this.source[sigil] === '/') {
      if (!this.open.pop()) throw new ScanError(at, 'This closes a block that was not opened');
      return this.body(at, sigil + 1, 'close').end;
    }
    return this.expression(at, sigil);
  }

  private comment(at: number, sigil: number): number {
    const isLong = this.source.startsWith('!--', sigil);
    LONG_COMMENT_END.lastIndex = sigil + 1;
    const plainEnd = isLong ? -1 : this.source.indexOf('}}', sigil);
    const end = isLong && LONG_COMMENT_END.test(this.source) ? LONG_COMMENT_END.lastIndex : plainEnd + 2;
    if (end < at + 2) throw new ScanError(at, 'This comment is not closed');
    return end;
  }

  private plainElse(at: number, end: number): number {
    const block = this.open.at(-1);
    if (!block) throw new ScanError(at, 'An else outside a block');
    if (block.hasElse) throw new ScanError(at, 'A second else in one block');
    block.hasElse = true;
    return end;
  }

  private expression(at: number, sigil: number): number {
    this.count(at);
    const kind = this.kindOf(at, sigil);
    if (kind === 'block' || kind === 'inverted') {
      this.open.push({ offset: at, hasElse: false });
      if (this.open.length > NESTING_LIMIT) throw new ScanError(at, `Blocks nested deeper than ${NESTING_LIMIT}`);
    }
    const isRaw = this.source[sigil] === '{';
    const start = isRaw || kind === 'block' || kind === 'inverted' ? sigil + 1 : sigil;
    const { end, fallback } = this.body(at, start, isRaw ? 'raw' : kind);
    this.tags.push({ offset: at, kind, fallback });
    return end;
  }

  private kindOf(at: number, sigil: number): TagKind {
    if (this.source[sigil] === '#') return 'block';
    if (this.source[sigil] === '^') return 'inverted';
    if (matchAt(CHAINED_ELSE, this.source, at) < 0) return 'statement';
    if (this.open.length === 0) throw new ScanError(at, 'An else outside a block');
    return 'chain';
  }

  private count(at: number): void {
    if (++this.expressions > EXPRESSION_LIMIT) throw new ScanError(at, `More than ${EXPRESSION_LIMIT} expressions`);
  }

  /** Reads to the closing braces, knowing strings, bracketed names, sub-expressions and the fallback. */
  private body(tagStart: number, start: number, kind: BodyKind): { end: number; fallback: boolean } {
    const progress = { depth: 0, inWord: false, fallback: false };
    let at = start;
    while (at < this.source.length) {
      const end = this.closeAt(at, kind === 'raw');
      if (end >= 0) return { end, fallback: progress.fallback };
      const character = this.source[at]!;
      if (progress.fallback && !SPACE.test(character)) throw new ScanError(at, 'A fallback is the last thing in a placeholder');
      if (this.isFallbackBar(at, kind)) {
        at = this.fallback(at, progress.depth === 0 && (kind === 'statement' || kind === 'raw'));
        progress.fallback = true;
      } else {
        this.countCharacter(at, character, progress);
        at = this.afterPart(at, character);
      }
    }
    throw new ScanError(tagStart, 'This tag is not closed');
  }

  private countCharacter(at: number, character: string, progress: BodyProgress): void {
    if (character === '(') {
      this.count(at);
      progress.depth += 1;
      if (progress.depth > NESTING_LIMIT) throw new ScanError(at, `Sub-expressions nested deeper than ${NESTING_LIMIT}`);
    }
    if (character === ')') progress.depth -= 1;
    const isSeparator = SEPARATORS.includes(character);
    const isWord = !isSeparator && !SPACE.test(character);
    if (isSeparator || (isWord && !progress.inWord)) this.word(at);
    progress.inWord = isWord;
  }

  private word(at: number): void {
    if (++this.words > WORD_LIMIT) throw new ScanError(at, `More than ${WORD_LIMIT} words in expressions`);
  }

  /** Returns where the tag ends when its closing braces are here, else -1. */
  private closeAt(at: number, isRaw: boolean): number {
    const character = this.source[at];
    if (character === '{') throw new ScanError(at, 'A brace is not allowed inside a tag');
    if (character !== '}' && character !== '~') return -1;
    const rawEnd = matchAt(CLOSE_RAW, this.source, at);
    const plainEnd = matchAt(CLOSE, this.source, at);
    const end = isRaw ? rawEnd : rawEnd < 0 ? plainEnd : -1;
    const isClosing = character === '}' || plainEnd >= 0;
    if (end < 0 && isClosing) throw new ScanError(at, `Expected ${isRaw ? '}}}' : '}}'}`);
    return end;
  }

  /** Returns whether a bar begins a fallback. Block parameters, as in `as |item|`, have bars too, but no quote after them. */
  private isFallbackBar(at: number, kind: BodyKind): boolean {
    if (this.source[at] !== '|') return false;
    return kind === 'statement' || kind === 'raw' || kind === 'close' || matchAt(FALLBACK_START, this.source, at) >= 0;
  }

  private fallback(at: number, isAllowed: boolean): number {
    if (!isAllowed) throw new ScanError(at, 'A fallback belongs to a placeholder');
    const quoteEnd = matchAt(FALLBACK_START, this.source, at);
    if (quoteEnd < 0) throw new ScanError(at, 'A fallback is written in double quotes: {{name | "text"}}');
    this.bars.push(at);
    this.word(at);
    return this.afterPart(quoteEnd - 1, '"');
  }

  private afterPart(at: number, character: string): number {
    const closer = character === '[' ? ']' : character === '"' || character === "'" ? character : null;
    if (closer === null) return at + 1;
    let end = this.source.indexOf(closer, at + 1);
    while (end > at + 1 && this.source[end - 1] === '\\') end = this.source.indexOf(closer, end + 1);
    if (end < 0) throw new ScanError(at, closer === ']' ? 'This bracket is not closed' : 'This string is not closed');
    return end + 1;
  }
}

/**
 * Reads a template in linear time: finds its tags, checks the bounds that protect the parser, and blanks the bars of
 * `{{name | "fallback"}}`, which the parser does not know. Throws ScanError at the first thing that it cannot accept.
 */
export function scanTemplate(source: string): Scan {
  return new Scanner(source).run();
}
