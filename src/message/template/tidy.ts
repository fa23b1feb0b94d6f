import { FixedText } from '../mime';
import type { Piece, Pieces } from '../mime';

const BREAK = 0x0a;

const MOST_BREAKS = 2;

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
