import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url');
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');

/** Lengths as CBOR writes those below 65,536 (RFC 8949). */
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** The request of a site for a credential. */
export interface Creation {
  readonly challenge: string;
  readonly user: { readonly id: string };
}

/** Deviations of an authenticator, or of the browser around it. */
interface Odd {
  readonly origin?: string;
  readonly userHandle?: string;
  readonly verified?: boolean;
}

/** An authenticator with one credential, of a key on P-256, and the browser around it (WebAuthn, 6 and 7). */
export class Authenticator {
  readonly id = base64url(randomBytes(32));
  private userHandle = '';
  private counter = 0;
  private readonly key: KeyObject;
  private readonly cose: Buffer;

  constructor(
    private readonly rpId: string,
    private readonly origin = `https://${rpId}`,
  ) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.key = privateKey;
    // Key type 2 (EC2), algorithm -7 (ES256), curve 1 (P-256), and the point.
    const coordinate = (label: number, value: string) => Buffer.concat([Buffer.from([label, 0x58, 0x20]), bytesOf(value)]);
    this.cose = Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), coordinate(0x21, x), coordinate(0x22, y)]);
  }

  private clientData(type: string, challenge: string, origin = this.origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  private authenticatorData(flags: number, credential = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++this.counter);
    return Buffer.concat([createHash('sha256').update(this.rpId).digest(), Buffer.from([flags]), counter, credential]);
  }

  /** Creates the credential. */
  make({ challenge, user }: Creation, { origin, verified = true }: Odd = {}) {
    this.userHandle = user.id;
    const id = bytesOf(this.id);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, this.cose]);
    const flags = USER_PRESENT | HAS_CREDENTIAL | (verified ? USER_VERIFIED : 0);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      Buffer.from([0xa0]),
      cborText('authData'),
      cborBytes(this.authenticatorData(flags, credential)),
    ]);
    return this.answer({
      clientDataJSON: base64url(this.clientData('webauthn.create', challenge, origin)),
      attestationObject: base64url(attestation),
      transports: ['internal'],
    });
  }

  /** Signs a challenge. */
  sign(challenge: string, { origin, verified = true, userHandle = this.userHandle }: Odd = {}) {
    const clientData = this.clientData('webauthn.get', challenge, origin);
    const data = this.authenticatorData(USER_PRESENT | (verified ? USER_VERIFIED : 0));
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
    return this.answer({
      clientDataJSON: base64url(clientData),
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, this.key)),
      userHandle,
    });
  }

  private answer(response: object) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }
}
