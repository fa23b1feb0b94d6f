import { lazily } from '../lazily';

const isOneCharacter = (text: string): boolean => text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff);

/**
 * Folds a character to one character, so that lengths and positions stay: what has no such counterpart (ß in capitals, İ in small
 * letters) is itself.
 */
function foldCharacter(character: string): string {
  // Its capital is the I of another letter (Unicode CaseFolding.txt keeps the two apart outside Turkic languages).
  if (character === 'ı') return character;
  const upper = character.toUpperCase();
  const lower = (isOneCharacter(upper) ? upper : character).toLowerCase();
  return isOneCharacter(lower) ? lower : character;
}

const fold = (text: string): string => Array.from(text, foldCharacter).join('');

const ASCII = /^\p{ASCII}*$/u;

export const isAscii = (text: string): boolean => ASCII.test(text);

/**
 * Returns the same text for texts that differ in case or in their normal form only, by Unicode's simple case folding (K, k and the Kelvin
 * sign; Σ, σ and ς; ẞ and ß).
 */
export const foldCase = (text: string): string => (isAscii(text) ? text.toLowerCase() : fold(text.normalize('NFC')));

const FIRST_LETTER = 0x41;
const LAST_CASED = 0x1e943;
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

function findVariants(): ReadonlyMap<string, string> {
  const variants = new Map<string, string>();
  for (let code = FIRST_LETTER; code <= LAST_CASED; code++) {
    if (isSurrogate(code)) continue;
    const character = String.fromCodePoint(code);
    const folded = foldCharacter(character);
    if (folded !== character) variants.set(folded, (variants.get(folded) ?? folded) + character);
  }
  return variants;
}

const variants = lazily(findVariants);

/** Returns all characters that fold to the same as this one, found once. */
function variantsOf(character: string): string {
  const folded = foldCharacter(character);
  return variants().get(folded) ?? folded;
}

/** Everything that a pattern could take for more than itself; NUL, which no BSON pattern may hold, is written as an escape. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g;

/** Escapes a text so that a regular expression of MongoDB matches it and nothing else. */
export const escapePattern = (text: string): string => text.replaceAll(SPECIAL, '\\$&').replaceAll('\0', '\\x00');

/** Runs of ASCII, and single characters outside it. */
const PIECES = /\p{ASCII}+|\P{ASCII}/gu;

function piecePattern(piece: string): string {
  if (isAscii(piece)) return /[a-z]/i.test(piece) ? `(?i:${escapePattern(piece)})` : escapePattern(piece);
  const variants = variantsOf(piece);
  return variants === piece ? piece : `[${variants}]`;
}

/**
 * Returns a pattern (PCRE) for the texts that equal this one after `foldCase`. It names the variants of characters outside ASCII instead of leaving
 * them to the database, whose table of cases is of another Unicode version than ours.
 */
export const anyCasePattern = (text: string): string => (text.match(PIECES) ?? []).map(piecePattern).join('');

/** Returns how many bytes a text has in UTF-8; it holds no half characters. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
