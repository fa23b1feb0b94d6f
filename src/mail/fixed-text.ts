import { quotedPrintableBound, writeQuotedPrintable } from './quoted-printable';

/** A text as it stands in a quoted-printable body from the beginning of a line on. */
interface Encoded {
  readonly text: string;
  readonly bytes: Buffer;
}

/** Shorter ones are not worth the soft line break that puts them at the beginning of a line. */
const SHORTEST = 200;

/** What a line may begin and end with, so that a text's encoding does not depend on what stands around it. */
const isPlain = (code: number): boolean => code > 0x20 && code < 0x7f && code !== 0x3d;

/** Walked from both ends: a pattern would begin anew at each character of a long run within the text. */
function coreOf(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && !isPlain(text.charCodeAt(from))) from++;
  while (to > from && !isPlain(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

const encoded = new WeakMap<readonly string[], readonly Encoded[]>();

function encode(text: string): Encoded {
  const utf8 = Buffer.from(text);
  const out = Buffer.allocUnsafe(quotedPrintableBound(utf8.length));
  return { text, bytes: Buffer.from(out.subarray(0, writeQuotedPrintable(utf8, out, 0, 0))) };
}

/** The same texts in quoted-printable, encoded once and kept as long as the list. */
export function encodedTexts(texts: readonly string[]): readonly Encoded[] {
  const known = encoded.get(texts);
  if (known) return known;
  const cores = texts.map(coreOf).filter(({ length }) => length >= SHORTEST);
  const made = cores.map(encode);
  encoded.set(texts, made);
  return made;
}
