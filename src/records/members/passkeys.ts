import { isIP } from 'node:net';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { AuthenticationResponseJSON, AuthenticatorTransport, RegistrationResponseJSON } from '@simplewebauthn/server';
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers';
import { AppError, invalidState, notFound, sha256 } from '../../platform/core';
import { firstFactor, personById, removeFactor } from './factors';
import type { WhenLast } from './factors';
import { PersonModel } from './model';
import type { Passkey } from './model';
import { findPerson } from './service';
import { model, rowSchema } from '../../platform/mongo';

/** A challenge that an authenticator has to sign, once. */
interface PasskeyChallenge {
  /** Hash of the challenge. */
  readonly _id: string;
  /** The person who adds a passkey; null of a challenge to sign in with. */
  readonly personId: string | null;
  readonly expiresAt: Date;
}

const challengeSchema = rowSchema<PasskeyChallenge>({
  _id: { type: String, required: true },
  personId: { type: String, default: null },
  expiresAt: { type: Date, required: true },
});
challengeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 }); // one that was not used

export const PasskeyChallengeModel = model<PasskeyChallenge>('PasskeyChallenge', challengeSchema, 'passkey_challenges');

const CHALLENGE_MS = 5 * 60_000;
const MOST_PASSKEYS = 20;

/** The site that a passkey is for (WebAuthn's relying party): the host of the console, at the address that is configured. */
export interface PasskeySite {
  readonly rpID: string;
  readonly origin: string;
}

/** Returns the site of a console. Throws `invalid_state` for one that has no name: a passkey belongs to a host name. */
export function passkeySiteOf(publicUrl: string): PasskeySite {
  const { hostname, origin } = new URL(publicUrl);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw invalidState('Passkeys need a host name: PUBLIC_URL of this installation has a network address');
  return { rpID: hostname, origin };
}

async function storeChallenge(challenge: string, personId: string | null): Promise<void> {
  await PasskeyChallengeModel.create({ _id: sha256(challenge), personId, expiresAt: new Date(Date.now() + CHALLENGE_MS) });
}

/** Returns the challenge that an authenticator has signed; null where nothing can be read. */
function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = decodeClientDataJSON(clientData) as { readonly challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** Takes the challenge of an answer, which is good once, whatever else is wrong with the answer. Null for one that is unknown, used up or over. */
async function takeChallenge(clientData: string, personId: string | null): Promise<string | null> {
  const challenge = challengeIn(clientData);
  if (challenge === null) return null;
  const where = { _id: sha256(challenge), personId, expiresAt: { $gt: new Date() } };
  return (await PasskeyChallengeModel.findOneAndDelete(where).lean()) ? challenge : null;
}

/** Resolves to what the browser needs to make a passkey. */
export async function beginPasskey({ rpID }: PasskeySite, personId: string) {
  const { address, name, passkeys = [] } = await personById(personId);
  const options = await generateRegistrationOptions({
    rpName: 'Lettermill',
    rpID,
    userName: address,
    userDisplayName: name ?? address,
    userID: new Uint8Array(Buffer.from(personId)),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: CHALLENGE_MS,
  });
  await storeChallenge(options.challenge, personId);
  return options;
}

/** A passkey that a browser has made. */
export interface MadePasskey {
  readonly name: string;
  readonly response: RegistrationResponseJSON;
}

const notTaken = (): AppError => new AppError('validation_error', 'This passkey was not accepted. Begin again');

/** Adds a passkey. Resolves to the recovery codes where this is the first factor. Throws `validation_error`, `conflict` and `limit_exceeded`. */
export async function addPasskey(
  { rpID, origin }: PasskeySite,
  personId: string,
  { name, response }: MadePasskey,
): Promise<{ readonly passkeyId: string; readonly recoveryCodes: readonly string[] | null }> {
  const expectedChallenge = await takeChallenge(response.response.clientDataJSON, personId);
  if (expectedChallenge === null) throw notTaken();
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) throw notTaken();
  const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
  const passkey: Passkey = {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: transports.slice(0, 8),
    name,
    createdAt: new Date(),
    lastUsedAt: null,
  };
  const person = await personById(personId);
  const { shown, where, set } = firstFactor(person);
  const { matchedCount } = await PersonModel.updateOne(
    { $and: [{ _id: personId, 'passkeys.id': { $ne: id }, [`passkeys.${MOST_PASSKEYS - 1}`]: { $exists: false } }, where] },
    { $push: { passkeys: passkey }, ...(shown && { $set: set }) },
  );
  if (matchedCount > 0) return { passkeyId: id, recoveryCodes: shown };
  if ((person.passkeys?.length ?? 0) >= MOST_PASSKEYS) throw new AppError('limit_exceeded', `A person has up to ${MOST_PASSKEYS} passkeys`);
  throw notTaken();
}

/** Changes the name of a passkey. Throws `not_found`. */
export async function renamePasskey(personId: string, id: string, name: string): Promise<void> {
  const { matchedCount } = await PersonModel.updateOne({ _id: personId, 'passkeys.id': id }, { $set: { 'passkeys.$.name': name } });
  if (matchedCount === 0) throw notFound('Passkey');
}

/** Removes a passkey. Throws `not_found`. */
export async function removePasskey(personId: string, id: string, whenLast: WhenLast): Promise<void> {
  const isRemoved = await removeFactor({ _id: personId, 'passkeys.id': id }, { $pull: { passkeys: { id } } }, whenLast);
  if (!isRemoved) throw notFound('Passkey');
}

/** Resolves to what the browser needs to find a passkey of this site. It names nobody: the authenticator knows whose it is. */
export async function askForPasskey({ rpID }: PasskeySite) {
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required', timeout: CHALLENGE_MS });
  await storeChallenge(options.challenge, null);
  return options;
}

/** Resolves to the person whose passkey has signed the challenge, and whom the authenticator has verified; null where that is not so. */
export async function personByPasskey({ rpID, origin }: PasskeySite, response: AuthenticationResponseJSON): Promise<string | null> {
  const expectedChallenge = await takeChallenge(response.response.clientDataJSON, null);
  if (expectedChallenge === null) return null;
  const personId = Buffer.from(response.response.userHandle ?? '', 'base64url').toString();
  const passkey = (await findPerson(personId))?.passkeys?.find(({ id }) => id === response.id);
  if (!passkey) return null;
  const { id, counter, transports } = passkey;
  const credential = { id, counter, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')) };
  const checked = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: true,
    credential: { ...credential, transports: [...transports] as AuthenticatorTransport[] },
  }).catch(() => null);
  if (!checked?.verified) return null;
  // Of two uses at once by copies of an authenticator that counts, one fails.
  const { matchedCount } = await PersonModel.updateOne(
    { _id: personId, passkeys: { $elemMatch: { id, counter } } },
    { $set: { 'passkeys.$.counter': checked.authenticationInfo.newCounter, 'passkeys.$.lastUsedAt': new Date() } },
  );
  return matchedCount > 0 ? personId : null;
}
