/** One header field; the value may hold folds (`\r\n `) and nothing outside ASCII. */
export interface HeaderField {
  readonly name: string;
  readonly value: string;
}

/** A line with an encoded-word may have 76 characters (RFC 2047 2); other lines are folded to that where they have spaces. */
const SOFT_LINE = 76;
/** No line may be longer (RFC 5322 2.1.1). */
const HARD_LINE = 998;
const WORD = 75;
const WORD_FRAME = '=?utf-8?Q??='.length;
const FOLD = '\r\n ';
const BREAKS = /[\r\n\0]/;

/**
 * Returns a field of free text: folded where it is plain ASCII, RFC 2047 encoded-words where it is not or cannot be folded. CR, LF and NUL become
 * spaces; a character that no field name has is dropped from the name.
 */
export function textField(name: string, value: string): HeaderField {
  const safeName = name.replace(/[^\x21-\x39\x3b-\x7e]/g, '') || 'X-Header';
  const text = oneLine(value);
  const used = safeName.length + 2;
  const folded = isPlain(text) ? foldWords(text, used) : null;
  return { name: safeName, value: folded ?? encodedWords(text, used) };
}

/** Returns a field with one mailbox: `Name <address>`, the name as atoms, quoted or encoded as it needs. */
export function mailboxField(name: string, mailbox: { readonly address: string; readonly name: string | null }): HeaderField {
  const address = headerAddress(mailbox.address);
  const phrase = displayName(oneLine(mailbox.name ?? ''), name.length + 2);
  if (phrase === '') return { name, value: address };
  const lastLine = phrase.length - (phrase.lastIndexOf('\n') + 1) + (phrase.includes('\n') ? 0 : name.length + 2);
  const space = lastLine + address.length + 3 > SOFT_LINE ? FOLD : ' ';
  return { name, value: `${phrase}${space}<${address}>` };
}

/** Returns a field with several mailboxes, each on its own line; with none it is an empty group (RFC 5322 3.4). */
export function mailboxesField(
  name: string,
  mailboxes: readonly { readonly address: string; readonly name: string | null }[],
): HeaderField {
  if (mailboxes.length === 0) return { name, value: 'undisclosed-recipients:;' };
  return { name, value: mailboxes.map((mailbox) => mailboxField(name, mailbox).value).join(`,${FOLD}`) };
}

/** Renders fields as lines, each ended by CRLF. */
export function renderFields(fields: readonly HeaderField[]): string {
  let block = '';
  for (const { name, value } of fields) block += `${name}: ${value}\r\n`;
  return block;
}

/** Cleans an address for a header: drops characters that could end it or begin another one. */
function headerAddress(address: string): string {
  return address.replace(/[^\x21-\x7e]|[<>(),;:\\"[\]]/g, '');
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';

/** Joins the lines of a text. Trims blanks by a loop: a pattern would start over at each blank of a long run within the text. */
function oneLine(text: string): string {
  const line = BREAKS.test(text) ? text.replace(/\r\n|[\r\n\0]/g, ' ') : text;
  let [from, to] = [0, line.length];
  while (from < to && isBlank(line[from])) from++;
  while (to > from && isBlank(line[to - 1])) to--;
  return line.slice(from, to);
}

/** Returns whether a text needs no encoding. One that looks like an encoded-word does, or it would be decoded into something else. */
function isPlain(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text) && !text.includes('=?');
}

function displayName(name: string, used: number): string {
  if (!isPlain(name) || name.length > WORD - 15) return encodedWords(name, used);
  if (/^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+( [A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]+)*$/.test(name)) return name;
  return name === '' ? '' : `"${name.replace(/["\\]/g, '\\$&')}"`;
}

/** Folds before single spaces only, so that unfolding gives back every run of spaces; null when a line would still be too long. */
function foldWords(text: string, used: number): string | null {
  if (used + text.length <= SOFT_LINE) return text;
  const words = text.split(' ');
  let folded = '';
  let width = used - 1;
  let longest = 0;
  words.forEach((word, index) => {
    const single = index > 0 && word !== '' && words[index - 1] !== '';
    const breaks = single && width + 1 + word.length > SOFT_LINE;
    folded += index === 0 ? word : `${breaks ? FOLD : ' '}${word}`;
    width = (breaks ? 0 : width) + 1 + word.length;
    longest = Math.max(longest, width);
  });
  return longest <= HARD_LINE ? folded : null;
}

/** Encodes a text as RFC 2047 words in UTF-8, with the shorter of B and Q; no word splits a character. */
function encodedWords(text: string, used: number): string {
  const characters = [...text];
  const quotedLength = characters.reduce((sum, character) => sum + quotedCost(character), 0);
  const quoted = quotedLength <= Math.ceil(Buffer.byteLength(text) / 3) * 4;
  const cost = quoted ? quotedCost : byteCost;
  const room = (line: number) => (quoted ? line - WORD_FRAME : Math.floor((line - WORD_FRAME) / 4) * 3);
  const startsOnNextLine = room(SOFT_LINE - used) < 12;
  const chunks = split(characters, cost, startsOnNextLine ? room(WORD) : room(SOFT_LINE - used), room(WORD));
  const words = chunks.map((chunk) =>
    quoted ? `=?utf-8?Q?${quotedText(chunk)}?=` : `=?utf-8?B?${Buffer.from(chunk).toString('base64')}?=`,
  );
  return (startsOnNextLine ? FOLD : '') + words.join(FOLD);
}

function split(characters: readonly string[], cost: (character: string) => number, first: number, rest: number): string[] {
  const chunks: string[] = [];
  let chunk = '';
  let left = first;
  for (const character of characters) {
    const needed = cost(character);
    if (needed > left) {
      chunks.push(chunk);
      chunk = '';
      left = rest;
    }
    chunk += character;
    left -= needed;
  }
  chunks.push(chunk);
  return chunks;
}

const byteCost = (character: string): number => Buffer.byteLength(character);

/** Returns the length of a character in a Q word, by the set that is safe in every place (RFC 2047 5 (3)). */
const quotedCost = (character: string): number => (/^[A-Za-z0-9!*+\-/ ]$/.test(character) ? 1 : 3 * Buffer.byteLength(character));

function quotedText(text: string): string {
  return text.replace(/[^A-Za-z0-9!*+\-/ ]/gu, percentBytes).replaceAll(' ', '_');
}

function percentBytes(character: string): string {
  return Buffer.from(character)
    .toString('hex')
    .toUpperCase()
    .replace(/../g, (digits) => `=${digits}`);
}
