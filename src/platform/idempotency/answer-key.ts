import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Context } from '../core';

/** Separates keys by kind: a web page with a public key cannot take a key before a server uses it. */
const scopeOf = ({ keyKind, testMode }: Context): string => (keyKind === 'public' ? 'public' : testMode ? 'test' : 'live');

const [IV_BYTES, TAG_BYTES] = [12, 16];

/**
 * Names and decrypts the stored answer to a request. Answers name people, and nothing else in a row says whom, so an answer is encrypted
 * with the caller's own key, of which only a hash is stored. The database alone reveals no answer, and the same caller can read it again.
 */
export class AnswerKey {
  /** A hash of project, scope, endpoint and the caller's key. */
  readonly id: string;
  private readonly parts: string;

  constructor(ctx: Context, endpoint: string, key: string) {
    this.parts = [ctx.projectId, scopeOf(ctx), endpoint, key].join('\0');
    this.id = createHash('sha256').update(this.parts).digest('base64url');
  }

  /** Encrypts an answer with AES-256-GCM, bound to the row. */
  seal(answer: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.secret(), iv).setAAD(Buffer.from(this.id));
    const body = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
  }

  /** Decrypts a sealed answer. */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const iv = bytes.subarray(0, IV_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', this.secret(), iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(this.id));
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  }

  private secret(): Buffer {
    return createHash('sha256').update(`answer\0${this.parts}`).digest();
  }
}
