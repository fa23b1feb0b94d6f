import { createHash, createHmac, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Crockford base32 in lower case: survives mail systems that fold the case of a local part. */
export function base32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let out = '';
  for (const byte of bytes) {
    value = (value << 8) | byte;
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

/** `<prefix>_<26 characters>`: 10 of time in milliseconds, 16 of chance (80 bits); sorts by the time of its making. */
export const newId = (prefix: string, now: number = Date.now()): string => `${prefix}_${timePart(now)}${base32(randomBytes(10))}`;

/** An id that is a function of its parts: made twice, it is the same, so a repeated insert is refused by `_id`. */
export const derivedId = (prefix: string, ...parts: readonly string[]): string =>
  `${prefix}_${base32(createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16))}`;

/** An id for an address within a project. The project's salt keeps it from being guessed back to the address. */
export const addressId = (prefix: string, salt: string, email: string): string =>
  `${prefix}_${base32(createHmac('sha256', salt).update(email).digest().subarray(0, 16))}`;
