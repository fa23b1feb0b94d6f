import { MAX_ADDRESS_LENGTH, normalizeAddress } from './address';

export const MAX_DISPLAY_NAME = 200;

/** Escapes may double a name; longer texts are not checked. */
const MOST = 2 * MAX_DISPLAY_NAME + MAX_ADDRESS_LENGTH + 8;

/**
 * Matches a word of a name that needs no quotes: an atom (RFC 5322 3.2.3) with the characters that RFC 6532 adds, and full stops, as
 * everybody writes them (4.1).
 */
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uFFFF-]+$/;
/** Controls, and what ends a line in Unicode. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** `Name <address>` in its parts; the address in its stored form. */
export interface Mailbox {
  readonly email: string;
  /** Null where there is none, or an empty one. */
  readonly name: string | null;
}

/**
 * Reads a name-addr of RFC 5322: a name of atoms and quoted strings, then the address in angle brackets. Null for anything else: comments, routes, groups, lists,
 * folds, names with commas or the like outside quotes, and what has a control character anywhere.
 */
export function parseMailbox(text: string): Mailbox | null {
  const opening = text.lastIndexOf('<');
  if (opening === -1 || !text.endsWith('>') || text.length > MOST || CONTROL.test(text)) return null;
  const email = normalizeAddress(text.slice(opening + 1, -1));
  const name = phrase(text.slice(0, opening));
  return email === null || name === null || name.length > MAX_DISPLAY_NAME ? null : { email, name: name === '' ? null : name };
}

/** Matches a quoted string, or the text between spaces. */
const WORDS = /"(?:[^"\\]|\\.)*"|[^ "]+|"| +/g;

/** Returns the words of a name, quotes and escapes taken off; null when it is no phrase. */
function phrase(text: string): string | null {
  let name = '';
  for (const [word] of text.matchAll(WORDS)) {
    if (word.startsWith(' ')) name += ' ';
    else if (word.length > 1 && word.startsWith('"')) name += word.slice(1, -1).replace(/\\(.)/gs, '$1');
    else if (ATOM.test(word)) name += word;
    else return null;
  }
  return name.trim();
}
