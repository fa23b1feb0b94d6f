import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { base32 } from '../core';

export { localCertificate, selfSigned, certificateIn, keyPairIn, privateKeyIn, readNamed } from './certificate';

/** Purposes, each with a key of its own. */
type TokenPurpose = 'cursor' | 'message' | 'content' | 'link' | 'session' | 'opt-in' | 'form' | 'approval';

/** Purposes that share the one signature of a message. */
export type MessagePurpose = 'open' | 'unsubscribe' | 'view' | 'bounce';

/** Collections that hold sealed texts. `secrets reseal` knows each of them. */
export type SealedCollection = 'domains' | 'webhooks' | 'erasures' | 'persons';

/** Ciphertexts are bound to the row and collection that they are stored in, so that one row's secret cannot be moved into another. */
export interface SealContext {
  readonly collection: SealedCollection;
  readonly id: string;
  readonly projectId: string;
}

interface KeySet {
  /** Names the secret in signatures: short, so one of a thousand pairs of secrets shares a name. */
  readonly name: string;
  /** Names the secret in sealed texts: no two secrets share it. */
  readonly id: string;
  readonly cipher: Buffer;
  readonly macs: Readonly<Record<TokenPurpose, KeyObject>>;
}

const NAME_LENGTH = 2;
/** 80 bits. */
const ID_LENGTH = 16;

/** Whole: a shorter one, which the cipher would take as well, can be guessed. */
const TAG_BYTES = 16;

const PURPOSES: readonly TokenPurpose[] = ['cursor', 'message', 'content', 'link', 'session', 'opt-in', 'form', 'approval'];

/** 96 bits suffice: each guess is a request to us. */
const TAG_DIGITS = 24;
/** Position of each purpose's part in the signature; the rest is the key for the message's clicks. */
const PARTS: Readonly<Record<MessagePurpose, number>> = { open: 0, unsubscribe: 1, view: 2, bounce: 3 };
const CLICK_KEY_AT = 4 * TAG_DIGITS;

/** All signatures of one message: each begins with the name of its key, and has 26 characters of lower-case letters and digits. */
class MessageSignatures {
  constructor(
    readonly emailId: string,
    private readonly keyName: string,
    private readonly digits: string,
  ) {}

  of(purpose: MessagePurpose): string {
    const from = PARTS[purpose] * TAG_DIGITS;
    return this.keyName + this.digits.slice(from, from + TAG_DIGITS);
  }

  /** Signs clicks on what `scope` names: a hash under a key that serves this message alone, cut so that it cannot be extended. */
  ofClicks(scope: string): string {
    return this.keyName + hash('sha256', `${this.digits.slice(CLICK_KEY_AT)}${scope}`, 'hex').slice(0, TAG_DIGITS);
  }
}

const derive = (secret: string, info: string): Buffer => Buffer.from(hkdfSync('sha256', secret, 'lettermill', info, 32));

// A key object takes a sixth off the time of a keyed hash.
const macKey = (secret: string, purpose: TokenPurpose): KeyObject => createSecretKey(derive(secret, `token/${purpose}`));

function keySet(secret: string): KeySet {
  const macs = Object.fromEntries(PURPOSES.map((purpose) => [purpose, macKey(secret, purpose)])) as Record<TokenPurpose, KeyObject>;
  const name = base32(createHash('sha256').update(`id/${secret}`).digest()).slice(0, NAME_LENGTH);
  return { name, id: base32(derive(secret, 'id')).slice(0, ID_LENGTH), cipher: derive(secret, 'cipher'), macs };
}

const aad = (context: SealContext): Buffer => Buffer.from(`${context.collection}\0${context.id}\0${context.projectId}`);

/** Compares in constant time, by bytes: what a caller sends may have other characters than a signature, and as many. */
function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function opened(key: Buffer, context: SealContext, bytes: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: TAG_BYTES }).setAAD(aad(context));
  decipher.setAuthTag(bytes.subarray(12, 12 + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(12 + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** A sealed text that no secret of APP_SECRET opens: it was sealed by another one, altered or moved. */
export class SealedError extends Error {
  override readonly name = 'SealedError';
}

/** All that derives from APP_SECRET: token signatures and encryption at rest. The first secret signs and seals, each of them verifies and opens. */
export class Secrets {
  private readonly keys: readonly KeySet[];
  /** A message names some of its tokens several times. */
  private readonly signed = new Map<TokenPurpose, { readonly payload: string; readonly signature: string }>();

  private lastMessage: MessageSignatures | null = null;

  constructor(appSecrets: readonly string[]) {
    this.keys = appSecrets.map(keySet);
  }

  /** Signs a payload: key name and 128-bit signature, 28 characters of lower-case base32, safe in URLs and in local parts of addresses. */
  sign(purpose: TokenPurpose, payload: string): string {
    const last = this.signed.get(purpose);
    if (last?.payload === payload) return last.signature;
    const key = this.current();
    const signature = key.name + this.mac(key, purpose, payload);
    this.signed.set(purpose, { payload, signature });
    return signature;
  }

  /** Returns whether `signature` was made by `sign` for this purpose and payload with a secret still in use. Takes constant time. */
  verify(purpose: TokenPurpose, payload: string, signature: string): boolean {
    return this.named(signature.slice(0, NAME_LENGTH)).some((key) => same(this.mac(key, purpose, payload), signature.slice(NAME_LENGTH)));
  }

  /** Returns the signatures of a message, all from one keyed hash of its id: HMAC-SHA-512 (RFC 4231), cut into parts (RFC 2104 5). */
  signMessage(emailId: string): MessageSignatures {
    if (this.lastMessage?.emailId !== emailId) this.lastMessage = this.messageSignatures(this.current(), emailId);
    return this.lastMessage;
  }

  /** Returns whether `signature` is what `read` takes from a message's signatures under a secret still in use. Takes constant time. */
  verifyMessage(emailId: string, signature: string, read: (signatures: MessageSignatures) => string): boolean {
    return this.named(signature.slice(0, NAME_LENGTH)).some((key) => same(read(this.messageSignatures(key, emailId)), signature));
  }

  /** Encrypts with AES-256-GCM, bound to its context; the text names the secret it was made with. */
  encrypt(context: SealContext, plain: string): string {
    const key = this.current();
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key.cipher, iv).setAAD(aad(context));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return [key.id, Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')].join('.');
  }

  /** Throws `SealedError` when the secret is not listed, or the text was altered or moved. */
  decrypt(context: SealContext, sealed: string): string {
    const [id, data = ''] = sealed.split('.');
    const why = `No APP_SECRET opens this text of ${context.collection}/${context.id}`;
    const key = this.keys.find((each) => each.id === id);
    if (!key) throw new SealedError(why);
    try {
      return opened(key.cipher, context, Buffer.from(data, 'base64'));
    } catch (cause) {
      throw new SealedError(why, { cause });
    }
  }

  /** Returns the text sealed by the newest secret; null when it is that already. Throws `SealedError`. */
  reseal(context: SealContext, sealed: string): string | null {
    const plain = this.decrypt(context, sealed);
    return sealed.split('.')[0] === this.current().id ? null : this.encrypt(context, plain);
  }

  private named(name: string): readonly KeySet[] {
    return this.keys.filter((key) => key.name === name);
  }

  private current(): KeySet {
    const [key] = this.keys;
    if (!key) throw new Error('APP_SECRET is empty');
    return key;
  }

  private messageSignatures({ name, macs }: KeySet, emailId: string): MessageSignatures {
    return new MessageSignatures(emailId, name, createHmac('sha512', macs.message).update(emailId).digest('hex'));
  }

  private mac(key: KeySet, purpose: TokenPurpose, payload: string): string {
    return base32(createHmac('sha256', key.macs[purpose]).update(payload).digest().subarray(0, 16));
  }
}
