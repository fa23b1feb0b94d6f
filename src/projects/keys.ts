import { createHash, randomBytes } from 'node:crypto';
import { base32 } from '../ids';
import type { KeyKind, KeyRow } from './model';

const PREFIX: Record<KeyKind, string> = { secret: 'sk_', test: 'sk_test_', public: 'pk_' };

/** A key's shape; anything else is refused without a look-up. */
export const KEY_PATTERN = /^(sk_|sk_test_|pk_)[0-9a-hj-km-np-tv-z]{52}$/;

export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** A fresh key of 256 bits. Only the row is stored; the key itself is shown once. */
export function makeKey(kind: KeyKind, now: Date): { readonly key: string; readonly row: KeyRow } {
  const key = PREFIX[kind] + base32(randomBytes(32));
  return { key, row: { hash: hashKey(key), kind, prefix: key.slice(0, PREFIX[kind].length + 12), createdAt: now, revokedAt: null } };
}
