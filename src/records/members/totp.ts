import { Secret, TOTP } from 'otpauth';

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
