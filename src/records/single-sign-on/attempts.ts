import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
} from 'openid-client';
import type { Configuration, IDToken } from 'openid-client';
import { isToken, newToken, sha256 } from '../../platform/core';
import type { Core } from '../../platform/core';
import { providerOf } from './provider';
import { SsoAttemptModel } from './model';

/** Time to sign in at the provider. */
const LIFETIME_MS = 10 * 60_000;

/** Why a sign-in with the provider failed. */
export type SsoRefusal =
  /** No provider is configured, or it cannot be reached. */
  | 'unavailable'
  /** It was begun in another browser, was finished before, or has taken too long. */
  | 'stale'
  /** The person, or the provider, has declined. */
  | 'declined'
  /** The provider's answer does not hold. */
  | 'invalid'
  /** The provider does not vouch for the address of the person. */
  | 'unverified'
  /** The address belongs to a person who signs in with another account. */
  | 'taken'
  /** The person has no place in any project. */
  | 'no-access';

// Only the browser's token and the state together give these, and only once: the database has neither.
const derived = (what: string, token: string, state: string): string => sha256(`${what}/${token}/${state}`);

const callbackOf = ({ config }: Pick<Core, 'config'>): string => `${config.PUBLIC_URL}/console/oidc/callback`;

/** A sign-in that begins: the page of the provider, and what the browser keeps until it comes back. */
export interface Begun {
  readonly url: string;
  readonly token: string;
  readonly seconds: number;
}

/** Begins a sign-in: authorization code with PKCE (RFC 7636). Null where there is no provider, or it cannot be reached. */
export async function beginSso(core: Core): Promise<Begun | null> {
  const provider = await reached(core);
  if (!provider) return null;
  const [token, state] = [newToken(), newToken()];
  await SsoAttemptModel.create([{ _id: sha256(state), browser: sha256(token), expiresAt: new Date(Date.now() + LIFETIME_MS) }]);
  const url = buildAuthorizationUrl(provider, {
    redirect_uri: callbackOf(core),
    scope: core.config.OIDC_SCOPES,
    state,
    nonce: derived('nonce', token, state),
    code_challenge: await calculatePKCECodeChallenge(derived('verifier', token, state)),
    code_challenge_method: 'S256',
  });
  return { url: url.href, token, seconds: LIFETIME_MS / 1_000 };
}

async function reached(core: Core): Promise<Configuration | null> {
  try {
    return await providerOf(core);
  } catch (error) {
    core.log.warn({ err: named(error) }, 'The OpenID provider cannot be reached');
    return null;
  }
}

/** Returns the part of an error that the log may have: answers of the provider can name people. */
const named = (error: unknown) => {
  const { name, code, message } = error as { readonly name?: string; readonly code?: string; readonly message?: string };
  return { type: name, code, message };
};

/** The statements of the provider on a person. */
export interface Claims {
  readonly issuer: string;
  readonly subject: string;
  readonly all: Readonly<Record<string, unknown>>;
}

/**
 * Finishes a sign-in with what the provider answers to the browser. The attempt is used up by it, whatever comes of it. Signature, issuer, audience, times and
 * nonce of the ID token are checked. Resolves to what the provider says of the person, or why it failed.
 */
export async function finishSso(core: Core, query: string, token: string | null): Promise<Claims | SsoRefusal> {
  const callback = new URL(callbackOf(core));
  callback.search = query;
  const state = callback.searchParams.get('state') ?? '';
  if (!isToken(state) || token === null || !isToken(token)) return 'stale';
  const { deletedCount } = await SsoAttemptModel.deleteOne({ _id: sha256(state), browser: sha256(token), expiresAt: { $gt: new Date() } });
  if (deletedCount === 0) return 'stale';
  const provider = await reached(core);
  if (!provider) return 'unavailable';
  try {
    return await claimsOf(provider, callback, { token, state });
  } catch (error) {
    core.log.warn({ err: named(error) }, 'A sign-in with the OpenID provider failed');
    return error instanceof AuthorizationResponseError ? 'declined' : 'invalid';
  }
}

async function claimsOf(
  provider: Configuration,
  callback: URL,
  { token, state }: { readonly token: string; readonly state: string },
): Promise<Claims> {
  const tokens = await authorizationCodeGrant(provider, callback, {
    expectedState: state,
    expectedNonce: derived('nonce', token, state),
    pkceCodeVerifier: derived('verifier', token, state),
    idTokenExpected: true,
  });
  const claims = tokens.claims() as IDToken;
  // Many providers put addresses and groups there alone.
  const hasMore = provider.serverMetadata().userinfo_endpoint !== undefined;
  const more: Claims['all'] = hasMore ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : {};
  // What vouches for an address comes from where the address comes from.
  const { email, email_verified } = 'email' in claims ? claims : more;
  return { issuer: claims.iss, subject: claims.sub, all: { ...more, ...claims, email, email_verified } };
}
