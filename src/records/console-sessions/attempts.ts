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
