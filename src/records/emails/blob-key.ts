import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const TAG_LENGTH = 16;
/** A key encrypts one attachment and nothing else, so that its nonce may be any. */
const NONCE = Buffer.alloc(12);

/** Returns a new key for one attachment, in base64url. */
export const newBlobKey = (): string => randomBytes(32).toString('base64url');

/** Encrypts the bytes of an attachment under a key of their own. */
export function encryptBlob(key: string, bytes: Buffer): Buffer {
  const cipher = createCipheriv(ALGORITHM, Buffer.from(key, 'base64url'), NONCE);
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the bytes are not what was encrypted under the key. */
export function decryptBlob(key: string, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(ALGORITHM, Buffer.from(key, 'base64url'), NONCE, { authTagLength: TAG_LENGTH });
  const end = bytes.length - TAG_LENGTH;
  decipher.setAuthTag(bytes.subarray(end));
  return Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
}
