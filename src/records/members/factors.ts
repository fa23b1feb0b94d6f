import { randomBytes } from 'node:crypto';
import type { ClientSession, QueryFilter, UpdateQuery } from 'mongoose';
import { AppError, base32, invalidState, notFound, sha256 } from '../../platform/core';
import { takeAll } from '../../platform/limits';
import { inTransaction, resealRows } from '../../platform/mongo';
import type { Resealed } from '../../platform/mongo';
import type { SealContext, Secrets } from '../../platform/secrets';
import { PersonModel } from './model';
import type { Factors, Person } from './model';
import { findPerson } from './service';
import { Secret, TOTP } from 'otpauth';

const RECOVERY_CODES = 10;
/** Characters of a recovery code: 80 bits, so that a hash of it keeps it. */
const CODE_LENGTH = 16;
const TOTP_CODE = /^\d{6}$/;
const RECOVERY_CODE = /^[0-9a-hj-km-np-tv-z]{16}$/;

// A person is in many projects, so the row has none to bind the secret to.
const sealContextOf = ({ _id }: Pick<Person, '_id'>): SealContext => ({ collection: 'persons', id: _id, projectId: '' });

/** Filter for the persons who have a second factor. */
const HAS_FACTOR = { $or: [{ totpSince: { $ne: null } }, { 'passkeys.0': { $exists: true } }] };
/** Filter for those who have none. */
const HAS_NO_FACTOR = { totpSince: null, 'passkeys.0': { $exists: false } };

const has = ({ totpSince, passkeys }: Factors): boolean => (totpSince ?? null) !== null || (passkeys?.length ?? 0) > 0;

/** Resolves to whether a person has a second factor. */
export const hasSecondFactor = async (personId: string): Promise<boolean> =>
  (await PersonModel.exists({ _id: personId, ...HAS_FACTOR })) !== null;

/** Resolves to a person. Throws `not_found`. */
export async function personById(personId: string): Promise<Person> {
  const person = await findPerson(personId);
  if (!person) throw notFound('Person');
  return person;
}

/** Recovery codes as the person sees them once, and as they are stored. */
interface RecoveryCodes {
  readonly shown: readonly string[];
  readonly hashes: readonly string[];
}

const hashOf = (personId: string, code: string): string => sha256(`${personId}/${code}`);

function newCodes(personId: string): RecoveryCodes {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(CODE_LENGTH)).slice(0, CODE_LENGTH));
  return {
    shown: codes.map((code) => code.replace(/.{4}(?=.)/g, '$&-')),
    hashes: codes.map((code) => hashOf(personId, code)),
  };
}

/** The recovery codes that come with the first second factor of a person. With a further one, the person has codes already. */
export interface FirstFactor {
  readonly shown: readonly string[] | null;
  /** Holds for the person's row as long as nothing has changed that matters. */
  readonly where: object;
  readonly set: object;
}

/** Returns what the person gets with a further factor. */
export function firstFactor(person: Person): FirstFactor {
  if (has(person)) return { shown: null, where: HAS_FACTOR, set: {} };
  const { shown, hashes } = newCodes(person._id);
  return { shown, where: HAS_NO_FACTOR, set: { recoveryCodes: hashes } };
}

/** A secret that a person gives to an authenticator app. */
interface BegunTotp {
  readonly secret: string;
  /** The content of its QR code. */
  readonly url: string;
}

/** Begins to set up an authenticator app. An earlier beginning is of no use from then on. Throws `invalid_state` where one is set up. */
export async function beginTotp(secrets: Secrets, personId: string): Promise<BegunTotp> {
  const { address } = await personById(personId);
  const secret = newTotpSecret();
  const totpSecret = secrets.encrypt(sealContextOf({ _id: personId }), secret);
  const { matchedCount } = await PersonModel.updateOne({ _id: personId, totpSince: null }, { $set: { totpSecret, totpStep: 0 } });
  if (matchedCount === 0) throw invalidState('An authenticator app is set up already. Turn it off first');
  return { secret, url: totpUrl(secret, address) };
}

const wrongCode = (): AppError => new AppError('validation_error', 'This code is not right. Enter the code that the app shows now');

/** Sets the app up by a code of it. Resolves to the recovery codes where this is the first factor. Throws `validation_error`, `invalid_state` and `rate_limited`. */
export async function confirmTotp(secrets: Secrets, personId: string, code: string): Promise<readonly string[] | null> {
  await takeCodeAttempt(secrets, personId);
  const person = await personById(personId);
  const { totpSecret } = person;
  if (typeof totpSecret !== 'string' || person.totpSince) throw invalidState('Begin to set up the authenticator app again');
  const step = stepIn(secrets, person, code);
  if (step === null) throw wrongCode();
  const { shown, where, set } = firstFactor(person);
  const { matchedCount } = await PersonModel.updateOne(
    { $and: [{ _id: personId, totpSecret, totpSince: null }, where] },
    { $set: { totpSince: new Date(), totpStep: step, ...set } },
  );
  if (matchedCount === 0) throw invalidState('Begin to set up the authenticator app again');
  return shown;
}

const stepIn = (secrets: Secrets, person: Person, code: string): number | null =>
  typeof person.totpSecret === 'string' && TOTP_CODE.test(code)
    ? totpStepOf(secrets.decrypt(sealContextOf(person), person.totpSecret), code, new Date())
    : null;

const MINUTE_MS = 60_000;
const ATTEMPTS = 10;
/** A thief of a mailbox who tries all day long hits with a chance of about one in 7,000: three codes are good at a time. */
const ATTEMPTS_A_DAY = 50;

/** Counts an attempt to show a code against the limits of its person. Throws `rate_limited`. */
const takeCodeAttempt = (secrets: Secrets, personId: string): Promise<void> =>
  takeAll('codes', [
    { id: `lim_${secrets.sign('session', `code/${personId}`)}`, limit: ATTEMPTS, windowMs: 10 * MINUTE_MS },
    { id: `lim_${secrets.sign('session', `codes-a-day/${personId}`)}`, limit: ATTEMPTS_A_DAY, windowMs: 24 * 60 * MINUTE_MS },
  ]);

/**
 * Takes a code of the app or a recovery code: each is good once, however many send it at the same time. Throws `validation_error` for any other, and
 * `rate_limited`.
 */
export async function takeCode(secrets: Secrets, personId: string, given: string): Promise<void> {
  await takeCodeAttempt(secrets, personId);
  const code = given.toLowerCase().replace(/[\s-]/g, '');
  const isTaken = TOTP_CODE.test(code) ? await takeTotp(secrets, personId, code) : await takeRecovery(personId, code);
  if (!isTaken)
    throw new AppError('validation_error', 'This code is not right, or was used already. Wait for the next one, and enter that');
}

async function takeTotp(secrets: Secrets, personId: string, code: string): Promise<boolean> {
  const person = await personById(personId);
  const { totpSince = null } = person;
  const step = totpSince && stepIn(secrets, person, code);
  if (step === null) return false;
  const { matchedCount } = await PersonModel.updateOne({ _id: personId, totpSince, totpStep: { $lt: step } }, { $set: { totpStep: step } });
  return matchedCount > 0;
}

async function takeRecovery(personId: string, code: string): Promise<boolean> {
  if (!RECOVERY_CODE.test(code)) return false;
  const hash = hashOf(personId, code);
  const { matchedCount } = await PersonModel.updateOne(
    { _id: personId, recoveryCodes: hash, ...HAS_FACTOR },
    { $pull: { recoveryCodes: hash } },
  );
  return matchedCount > 0;
}

/** The rest of the transaction that removes the last second factor of a person. */
export type WhenLast = (personId: string, session: ClientSession) => Promise<void>;

/** Removes a factor of the person whom the filter finds. Resolves to whether there was one. */
export const removeFactor = (where: QueryFilter<Person>, change: UpdateQuery<Person>, whenLast: WhenLast): Promise<boolean> =>
  inTransaction(async (session) => {
    const person = await PersonModel.findOneAndUpdate(where, change, { session, returnDocument: 'after' }).lean<Person>();
    if (person && !has(person)) await whenLast(person._id, session);
    return person !== null;
  });

/** Turns the app off, by a code. Throws what `takeCode` throws, and `invalid_state` where none is set up. */
export async function disableTotp(secrets: Secrets, personId: string, code: string, whenLast: WhenLast): Promise<void> {
  const { totpSince = null } = await personById(personId);
  if (totpSince === null) throw invalidState('No authenticator app is set up');
  await takeCode(secrets, personId, code);
  await removeFactor({ _id: personId, totpSince }, { $set: { totpSecret: null, totpSince: null, totpStep: 0 } }, whenLast);
}

/** Creates new recovery codes; the earlier ones are of no use from then on. Throws `invalid_state` for a person without a second factor. */
export async function renewRecoveryCodes(personId: string): Promise<readonly string[]> {
  const { shown, hashes } = newCodes(personId);
  const { matchedCount } = await PersonModel.updateOne({ _id: personId, ...HAS_FACTOR }, { $set: { recoveryCodes: hashes } });
  if (matchedCount === 0) throw invalidState('Set up an authenticator app or a passkey first');
  return shown;
}

/** Removes all factors of a person, with the recovery codes. Throws `not_found`. */
export async function resetFactors(personId: string): Promise<void> {
  const { matchedCount } = await PersonModel.updateOne(
    { _id: personId },
    { $set: { totpSecret: null, totpSince: null, totpStep: 0, recoveryCodes: [], passkeys: [] } },
  );
  if (matchedCount === 0) throw notFound('Person');
}

/** Brings the secrets of authenticator apps under the newest secret. */
export const resealTotp = (secrets: Secrets): Promise<Resealed> =>
  resealRows(PersonModel, { fields: ['totpSecret'], where: { totpSecret: { $type: 'string' } } }, (row) => {
    const { totpSecret = null } = row;
    const renewed = totpSecret === null ? null : secrets.reseal(sealContextOf(row), totpSecret);
    return renewed === null ? null : { was: { totpSecret }, set: { totpSecret: renewed } };
  });

const PERIOD_SECONDS = 30;
/** Steps by which the clock of a phone may be off. */
const SKEW = 1;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: 'Lettermill', label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });

/** Creates a secret for an authenticator app, in base32: 160 bits, as RFC 4226 wants. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns the address that an authenticator app takes as a QR code. */
export const totpUrl = (secret: string, address: string): string => totpOf(secret, address).toString();

/** Returns the step of time that a code is of, by RFC 6238; null for a code of no step near `now`. */
export function totpStepOf(secret: string, code: string, now: Date): number | null {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: SKEW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
