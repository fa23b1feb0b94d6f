import { createHash, createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { tagsIn } from './signed-mail';
import type { OpenClaim } from './signed-mail';

/** The verdict on a signature by its domain's key. `none`: the domain only tests the key, and wants the signature to count as none. */
export type KeyVerdict = 'pass' | 'fail' | 'neutral' | 'policy' | 'none';

const MINIMUM_BITS = 1_024;
/** More than the record of a key of 16,384 bits, the longest that are worked with. */
const MOST_LENGTH = 8_192;
/** DNS holds only the 32 bytes of an Ed25519 key. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

function keyIn(encoded: string, algorithm: OpenClaim['algorithm']): KeyObject | null {
  const bytes = Buffer.from(encoded, 'base64');
  const key = algorithm === 'ed25519' ? Buffer.concat([ED25519_PREFIX, bytes]) : bytes;
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      const found = createPublicKey({ key, format: 'der', type });
      return found.asymmetricKeyType === algorithm ? found : null;
    } catch {
      // It may be of the other type.
    }
  }
  return null;
}

/** Judges a signature by the record that DNS has of its key (RFC 6376 3.6.1, 6.1.2). */
export function judgeByKey(claim: OpenClaim, record: string): KeyVerdict {
  const tags = record.length > MOST_LENGTH ? null : tagsIn(record);
  if (!tags || !isMeantFor(claim, tags)) return 'neutral';
  const key = keyIn(tags.get('p') ?? '', claim.algorithm);
  if (!key) return 'neutral';
  if (isShort(key)) return 'policy';
  if (listIn(tags, 't', '').includes('y')) return 'none';
  return isSigned(claim, key) ? 'pass' : 'fail';
}

const isShort = ({ asymmetricKeyDetails = {} }: KeyObject): boolean => (asymmetricKeyDetails.modulusLength ?? MINIMUM_BITS) < MINIMUM_BITS;

const listIn = (tags: ReadonlyMap<string, string>, name: string, otherwise: string): readonly string[] =>
  (tags.get(name) ?? otherwise).replace(/\s+/g, '').toLowerCase().split(':');

function isMeantFor({ algorithm, identity, domain }: OpenClaim, tags: ReadonlyMap<string, string>): boolean {
  const isForMail = listIn(tags, 's', '*').some((service) => service === '*' || service === 'email');
  const isForIdentity = identity === domain || !listIn(tags, 't', '').includes('s');
  const isKind = listIn(tags, 'k', 'rsa').includes(algorithm) && listIn(tags, 'h', 'sha256').includes('sha256');
  return (tags.get('v') ?? 'DKIM1') === 'DKIM1' && isKind && isForMail && isForIdentity;
}

function isSigned({ algorithm, signed, signature }: OpenClaim, key: KeyObject): boolean {
  try {
    if (algorithm === 'rsa') return verify('sha256', signed, key, signature);
    return verify(null, createHash('sha256').update(signed).digest(), key, signature);
  } catch {
    return false;
  }
}
