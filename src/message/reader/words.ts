import { decodeText } from './charset';

/** Returns a text of a mail as one line of limited length. */
export const oneLine = (text: string, length: number): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, length);

/** An encoded word (RFC 2047), as it is and as software writes it: with blanks, question marks and letters of eight bits inside. */
const WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,40})?\?([bq])\?([^\r\n]{0,2000}?)\?=/gi;

/** Longer than any that is shown. */
const MOST_LENGTH = 8_192;

interface Word {
  readonly charset: string;
  readonly encoding: string;
  readonly text: string;
}

function bytesOf({ encoding, text }: Word): Buffer {
  if (encoding === 'b') return Buffer.concat(text.split(/(?<==)(?=[^=])/).map((piece) => Buffer.from(piece, 'base64')));
  const unescaped = text
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(unescaped, 'latin1');
}

const plain = (bytes: string): string => decodeText(Buffer.from(bytes, 'latin1'), null);

/** Decodes adjacent words; those with the same charset as one text, since some software cuts within a character. */
function decodeWords(words: readonly Word[]): string {
  let text = '';
  for (let at = 0; at < words.length;) {
    const { charset } = words[at]!;
    const rest = words.slice(at);
    const different = rest.findIndex((word) => word.charset !== charset);
    const alike = different === -1 ? rest : rest.slice(0, different);
    text += decodeText(Buffer.concat(alike.map(bytesOf)), charset);
    at += alike.length;
  }
  return text;
}

/**
 * Decodes the text of a header field, given with a letter for each byte. Of one that is too long the beginning is decoded.
 */
export function decodeField(given: string): string {
  const value = given.slice(0, MOST_LENGTH);
  let text = '';
  let at = 0;
  let beside: Word[] = [];
  for (const match of value.matchAll(WORD)) {
    const between = value.slice(at, match.index);
    const word = { charset: (match[1] ?? '').toLowerCase(), encoding: (match[2] ?? '').toLowerCase(), text: match[3] ?? '' };
    if (between.trim() !== '' || beside.length === 0) {
      text += decodeWords(beside) + plain(between);
      beside = [];
    }
    beside.push(word);
    at = match.index + match[0].length;
  }
  return text + decodeWords(beside) + plain(value.slice(at));
}
