import type { Leaf } from './leaves';
import { FixedText } from '../mime';
import type { Piece, Pieces } from '../mime';

/** All but a single space, which stays as it is: most words are parted by one. */
const WHITESPACE = /[\t\r\n\f\u00a0\u2007][ \t\r\n\f\u00a0\u2007]*| [ \t\r\n\f\u00a0\u2007]+/g;
const MOST_BREAKS = 2;

/** The end of the text: a number of line breaks (two at the very start), or a space. */
interface Ending {
  breaks: number;
  isSpaced: boolean;
}

interface OpenBlock {
  readonly entry: Ending;
  /** The end of the branches so far. */
  ending: Ending | null;
  readonly isLoop: boolean;
  hasElse: boolean;
  /** The whitespace that the first output of a loop's body needed, and got from the text before the loop. */
  lead: { readonly breaks: number; readonly isSpaced: boolean } | null;
}

function weaker(left: Ending, right: Ending | null): Ending {
  return right ? { breaks: Math.min(left.breaks, right.breaks), isSpaced: left.isSpaced && right.isSpaced } : { ...left };
}

/** Writes text with collapsed whitespace and line breaks that merge, also across the borders of blocks. */
export class TextBuilder {
  readonly leaves: Leaf[] = [];
  /** Above zero inside elements that keep their whitespace. */
  preformatted = 0;
  private ending: Ending = { breaks: MOST_BREAKS, isSpaced: false };
  private wantedBreaks = 0;
  private wantsSpace = false;
  private readonly blocks: OpenBlock[] = [];

  text(raw: string): void {
    const text = this.preformatted > 0 ? raw : raw.replace(WHITESPACE, ' ');
    if (text.startsWith(' ') && this.preformatted === 0) this.wantsSpace = true;
    const core = this.preformatted > 0 ? text : text.trim();
    if (core === '') return;
    this.writeWhitespace(true);
    this.push(core);
    this.ending = { breaks: 0, isSpaced: false };
    this.wantsSpace = this.preformatted === 0 && text.endsWith(' ');
  }

  value(leaf: Leaf): void {
    this.writeWhitespace(true);
    this.leaves.push(leaf);
    this.ending = { breaks: 0, isSpaced: false };
  }

  /** Inserts text with values and blocks unchanged into the line. */
  insert(leaves: readonly Leaf[]): void {
    if (leaves.length === 0) return;
    this.writeWhitespace(true);
    this.leaves.push(...leaves);
    this.ending = { breaks: 0, isSpaced: false };
  }

  /** Requests line breaks before the next output; several requests in a row count once. */
  lineBreak(breaks: number): void {
    this.wantedBreaks = Math.max(this.wantedBreaks, breaks);
  }

  hardBreak(): void {
    this.wantedBreaks = Math.min(MOST_BREAKS, Math.max(this.wantedBreaks, this.ending.breaks) + 1);
  }

  block(leaf: Leaf): void {
    this.writeWhitespace(false);
    if (leaf.kind === 'open') {
      const isLoop = leaf.block === 'each';
      this.blocks.push({ entry: { ...this.ending }, ending: null, isLoop, hasElse: false, lead: null });
    } else {
      this.endBranch(leaf.kind === 'close');
    }
    this.leaves.push(leaf);
  }

  private endBranch(isLast: boolean): void {
    const block = isLast ? this.blocks.pop() : this.blocks.at(-1);
    if (!block) return;
    if (block.isLoop && !block.hasElse) this.repeatLead(block);
    block.ending = weaker(this.ending, block.ending);
    if (!isLast) {
      block.hasElse = true;
      this.ending = { ...block.entry };
    } else {
      this.ending = block.hasElse ? block.ending : weaker(block.ending, block.entry);
    }
  }

  /** Repeats the leading breaks of a loop's body: from the second element on, the body follows itself and not the text before the loop. */
  private repeatLead({ lead }: OpenBlock): void {
    if (!lead) return;
    const missing = lead.breaks - this.ending.breaks;
    if (missing > 0) {
      this.push('\n'.repeat(missing));
      this.ending = { breaks: lead.breaks, isSpaced: false };
    } else {
      this.space(lead.isSpaced);
    }
  }

  /** Writes the requested whitespace that is not there yet. */
  private writeWhitespace(beforeOutput: boolean): void {
    if (beforeOutput || this.wantedBreaks > 0 || this.wantsSpace) this.noteLead();
    if (this.wantedBreaks > this.ending.breaks) {
      this.push('\n'.repeat(this.wantedBreaks - this.ending.breaks));
      this.ending = { breaks: this.wantedBreaks, isSpaced: false };
    } else if (this.wantedBreaks === 0) {
      this.space(this.wantsSpace);
    }
    this.wantedBreaks = 0;
    this.wantsSpace = false;
  }

  private noteLead(): void {
    for (const block of this.blocks) {
      block.lead ??= { breaks: Math.min(this.wantedBreaks, block.entry.breaks), isSpaced: this.wantsSpace };
    }
  }

  private space(isWanted: boolean): void {
    if (!isWanted || this.ending.breaks > 0 || this.ending.isSpaced) return;
    this.push(' ');
    this.ending = { breaks: 0, isSpaced: true };
  }

  private push(text: string): void {
    this.leaves.push({ kind: 'text', text });
  }
}

const BREAK = 0x0a;

const LONG_RUN = '\n\n\n';

/** Cuts runs of line breaks to two. */
const withoutLongRuns = (text: string): string => (text.includes(LONG_RUN) ? text.replace(/\n{3,}/g, '\n\n') : text);

const isFixed = (piece: Piece): piece is FixedText => piece instanceof FixedText;

const wordsOf = (piece: Piece): string => (isFixed(piece) ? piece.text : piece);

function breaksAtStart(text: string): number {
  let count = 0;
  while (text.charCodeAt(count) === BREAK) count++;
  return count;
}

function breaksAtEnd(text: string): number {
  let from = text.length;
  while (text.charCodeAt(from - 1) === BREAK) from--;
  return text.length - from;
}

/** Trims white space at both ends of the pieces. */
function trimmed(pieces: Pieces): Piece[] {
  let [from, to] = [0, pieces.length];
  while (from < to && wordsOf(pieces[from]!).trim() === '') from++;
  while (to > from && wordsOf(pieces[to - 1]!).trim() === '') to--;
  const kept = pieces.slice(from, to);
  const first = kept[0];
  if (first !== undefined) kept[0] = first.slice(wordsOf(first).length - wordsOf(first).trimStart().length, wordsOf(first).length);
  const last = kept.at(-1);
  if (last !== undefined) kept[kept.length - 1] = last.slice(0, wordsOf(last).trimEnd().length);
  return kept;
}

/**
 * Trims a text and cuts runs of line breaks to two: where blocks produce nothing, the breaks around them meet. Pieces shared by every message remain
 * shared.
 */
export function tidy(pieces: Pieces): Pieces {
  const kept = trimmed(pieces);
  let run = 0;
  for (let index = 0; index < kept.length; index++) {
    const given = kept[index]!;
    const piece = isFixed(given) ? given.changed('short runs', withoutLongRuns) : withoutLongRuns(given);
    const text = wordsOf(piece);
    const leading = breaksAtStart(text);
    const surplus = Math.max(0, Math.min(leading, run + leading - MOST_BREAKS));
    kept[index] = surplus === 0 ? piece : piece.slice(surplus, text.length);
    run = leading === text.length ? run + leading - surplus : breaksAtEnd(text);
  }
  return kept;
}
