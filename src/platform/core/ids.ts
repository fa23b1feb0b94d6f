import { createHash, createHmac, randomBytes } from 'node:crypto';

/** Returns the SHA-256 of a text in UTF-8, as hexadecimal digits. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Encodes as Crockford base32 in lower case, which survives mail systems that fold the case of a local part. */
export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let out = '';
  // An iterator over bytes would cost more than the rest of this.
  for (let at = 0; at < bytes.length; at++) {
    value = (value << 8) | (bytes[at] as number);
    bits += 8;
    while (bits >= 5) {
      out += ALPHABET[(value >>> (bits - 5)) & 31];
      bits -= 5;
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? out + ALPHABET[(value << (5 - bits)) & 31] : out;
}

function timePart(ms: number): string {
  let out = '';
  for (let rest = ms, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) out = (ALPHABET[rest % 32] ?? '0') + out;
  return out;
}

/** Returns what ids of a millisecond begin with: `<prefix>_` and 10 characters. */
export const timePrefix = (prefix: string, ms: number): string => `${prefix}_${timePart(ms)}`;

/** Returns the instant that an id of `newId` or `timedId` begins with. */
export function timeOfId(id: string): Date {
  let ms = 0;
  for (const digit of id.slice(id.indexOf('_') + 1).slice(0, 10)) ms = ms * 32 + ALPHABET.indexOf(digit);
  return new Date(ms);
}

const CHANCE_BYTES = 10;
let lastMs = 0;
let chance = Buffer.alloc(CHANCE_BYTES);

/** Draws fresh chance in each millisecond, and counts up within it: later ids sort later. */
function chanceAt(ms: number): Buffer {
  if (ms !== lastMs) {
    lastMs = ms;
    chance = randomBytes(CHANCE_BYTES);
    return chance;
  }
  for (let i = CHANCE_BYTES - 1; i >= 0; i--) {
    chance[i] = ((chance[i] ?? 0) + 1) & 0xff;
    if (chance[i] !== 0) break;
  }
  return chance;
}

/** Returns an id `<prefix>_<26 characters>`: 10 of time in milliseconds, 16 random ones (80 bits); sorts by its creation, also within a millisecond. */
export const newId = (prefix: string, now: number = Date.now()): string => `${prefix}_${timePart(now)}${base32(chanceAt(now))}`;

/** Returns an id that is a function of its parts: made twice, it is the same, so a repeated insert is refused by `_id`. */
export const derivedId = (prefix: string, ...parts: readonly string[]): string =>
  `${prefix}_${base32(createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16))}`;

/**
 * Returns an id like `newId`, with a hash of `of` instead of random characters: it sorts by `ms`, and the same arguments give the same id.
 */
export const timedId = (prefix: string, ms: number, of: string): string =>
  `${prefix}_${timePart(ms)}${base32(createHash('sha256').update(of).digest().subarray(0, CHANCE_BYTES))}`;

/** Returns an id for an address within a project. The project's salt keeps it from being guessed back to the address. */
export const addressId = (prefix: string, salt: string, email: string): string =>
  `${prefix}_${base32(createHmac('sha256', salt).update(email).digest().subarray(0, 16))}`;

/** Returns the id that the same address has under another prefix, of one that `addressId` made. */
export const siblingId = (prefix: string, id: string): string => `${prefix}${id.slice(id.indexOf('_'))}`;

/** Creates a token that nobody can guess: 256 bits, in base32. Store its `sha256` only. */
export const newToken = (): string => base32(randomBytes(32));

const TOKEN = /^[0-9a-hj-km-np-tv-z]{52}$/;

/** Returns whether a text has the form of a token. */
export const isToken = (text: string): boolean => TOKEN.test(text);
