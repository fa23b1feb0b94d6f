import type { ClientSession } from 'mongoose';
import { hasSecondFactor } from '../members';
import type { Project } from '../projects';
import { ConsoleSessionModel } from './model';
import type { ConsoleSession } from './model';
import { takeAll } from '../../platform/limits';
import type { Secrets } from '../../platform/secrets';
import { hashKey } from '../projects';

const WINDOW_MS = 10 * 60_000;
const PER_CLIENT = 120;
const PER_KEY = 60;

const limitOf = (secrets: Secrets, whose: string, limit: number) => ({
  id: `lim_${secrets.sign('session', whose)}`,
  limit,
  windowMs: WINDOW_MS,
});

/** Counts an attempt to sign in against the limits of its client and of its key. Throws `rate_limited`. */
export async function takeAttempt(secrets: Secrets, client: string, key?: string): Promise<void> {
  const ofKey = key === undefined ? [] : [limitOf(secrets, `key/${hashKey(key)}`, PER_KEY)];
  await takeAll('sign-ins', [limitOf(secrets, `client/${client}`, PER_CLIENT), ...ofKey]);
}

const MAILS_PER_CLIENT = 20;
const MAILS_PER_ADDRESS = 5;

/** Counts a request for a sign-in link by mail against the limits of its client and of the address, be it known or not. Throws `rate_limited`. */
export const takeMailAttempt = (secrets: Secrets, client: string, address: string): Promise<void> =>
  takeAll('sign-in links', [
    limitOf(secrets, `mail-client/${client}`, MAILS_PER_CLIENT),
    limitOf(secrets, `mail-address/${address}`, MAILS_PER_ADDRESS),
  ]);

/** `code`: the person has a second factor and has not shown it. `enroll`: the project wants one, and the person has none. */
export type Waiting = 'code' | 'enroll';

/**
 * Resolves to what a session waits for before it is good for anything else. It is asked with each request, until the factor was shown: so it counts at
 * once when the person sets one up elsewhere, or an owner wants one of everybody.
 */
export async function waitsFor({ personId, factorAt, bySso }: ConsoleSession, project: Project): Promise<Waiting | null> {
  if (personId === null || factorAt instanceof Date) return null;
  if (await hasSecondFactor(personId)) return 'code';
  // Who signs in with the OpenID provider shows there what the provider asks for. A factor of ours is asked for all the same: an account at the provider
  // is linked by its address alone, which proves no more than a link by mail does.
  return project.membersNeedSecondFactor === true && bySso !== true ? 'enroll' : null;
}

/** Notes that the person has shown a second factor in a session. */
export async function passFactor({ session }: { readonly session: ConsoleSession }): Promise<void> {
  await ConsoleSessionModel.updateOne({ _id: session._id }, { $set: { factorAt: new Date() } });
}

/** Forgets that a second factor was shown in the sessions of a person, in the transaction that removes the last one. */
export async function forgetFactor(personId: string, session: ClientSession): Promise<void> {
  await ConsoleSessionModel.updateMany({ personId }, { $set: { factorAt: null } }, { session });
}
