import { FixedText } from '../mime';
import type { Piece, Pieces } from '../mime';

const BREAK = 0x0a;
const MOST_BREAKS = 2;
const LONG_RUN = '\n\n\n';

/** Text in which no more than two line breaks follow each other. */
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

/** Cuts the pieces at both ends down to what is no white space. */
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
 * Trims a text and lets no more than two line breaks follow each other: where blocks leave nothing, the breaks around them meet. Pieces that come in
 * every message become others that do.
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
