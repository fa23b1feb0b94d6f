import { base32, newToken, sha256 } from '../../platform/core';
import type { KeyKind, KeyRow, KeyScope } from './model';

const PREFIX: Record<KeyKind, string> = { secret: 'sk_', test: 'sk_test_', public: 'pk_' };
/** Number of characters of a key that are kept for people to recognize it, beyond the prefix of its kind. */
const SHOWN = 12;

/** A key's shape; anything else is refused without a lookup. */
export const KEY_PATTERN = /^(sk_|sk_test_|pk_)[0-9a-hj-km-np-tv-z]{52}$/;

/** Matches the first characters of a key. */
const KEY_BEGINNING = /^(sk_|sk_test_|pk_)[0-9a-hj-km-np-tv-z]{0,52}$/;
/** Number of characters of a key that are needed to revoke it. */
export const SHORTEST_BEGINNING = 12;

/** The rights of a key, and their end. */
export interface KeyAccess {
  /** Default `full`. A public key has none: it may post events and nothing else. */
  readonly scope?: KeyScope | undefined;
  readonly expiresAt?: Date | undefined;
}

/** The maker of a key; absent for an operator. */
export type KeyMaker = Required<Pick<KeyRow, 'createdBy' | 'origin'>>;

/** Hashes an API key: keys are stored in no other form. */
export const hashKey = sha256;

/** Returns what a key is called where it can be revoked: it follows from the hash, and the key does not follow from it. */
export const keyIdOf = (hash: string): string => `key_${base32(Buffer.from(hash.slice(0, 32), 'hex'))}`;

/** Returns a fresh key of 256 bits. Only the row is stored; the key itself is shown once. */
export function makeKey(
  kind: KeyKind,
  now: Date,
  { scope = 'full', expiresAt }: KeyAccess = {},
  maker?: KeyMaker,
): { readonly key: string; readonly row: KeyRow } {
  const key = PREFIX[kind] + newToken();
  const row: KeyRow = {
    hash: hashKey(key),
    kind,
    ...(kind !== 'public' && { scope }),
    prefix: key.slice(0, PREFIX[kind].length + SHOWN),
    ...maker,
    createdAt: now,
    expiresAt: expiresAt ?? null,
    revokedAt: null,
  };
  return { key, row };
}

/** Returns what a key may do; null of a public key. */
export const scopeOf = ({ scope }: Pick<KeyRow, 'scope'>): KeyScope | null => scope ?? null;

/** Returns why no key can be found by this beginning; null where one can. */
export function faultOfBeginning(beginning: string): string | null {
  const isShort = beginning.length < SHORTEST_BEGINNING || !KEY_BEGINNING.test(beginning);
  return isShort ? `Give the first ${SHORTEST_BEGINNING} characters of the key or more` : null;
}

/** Returns whether this is the key, or begins as it does; of what is more than is kept of a key and less than all, the rest cannot be compared. */
export const beginsWith = ({ hash, prefix }: Pick<KeyRow, 'hash' | 'prefix'>, beginning: string): boolean =>
  KEY_PATTERN.test(beginning) ? hash === hashKey(beginning) : prefix.startsWith(beginning) || beginning.startsWith(prefix);
