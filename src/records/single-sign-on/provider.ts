import {
  ClientSecretPost,
  ClientSecretBasic,
  allowInsecureRequests,
  buildEndSessionUrl,
  clockTolerance,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { ClientAuth, Configuration } from 'openid-client';
import { perCore } from '../../platform/core';
import type { Core } from '../../platform/core';

/** The clocks of provider and platform may differ by this. */
const SKEW_SECONDS = 60;
const TIMEOUT_SECONDS = 10;
/** Time after which the provider's own description is read again. */
const KNOWN_MS = 3_600_000;

interface Known {
  readonly at: number;
  readonly provider: Promise<Configuration>;
}

const knownOf = perCore(() => ({ known: null as Known | null }));

type Settings = Pick<Core, 'config'>;

/** The configured provider and client. */
interface Client {
  readonly issuer: string;
  readonly id: string;
  readonly secret: string;
}

/** Returns the client that the provider knows; null where nobody signs in with a provider. */
function clientIn({ config }: Settings): Client | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = config;
  return issuer === undefined || id === undefined || secret === undefined ? null : { issuer, id, secret };
}

/** Returns the name of the provider, for the button; null where there is none. */
export const providerLabel = (core: Settings): string | null => (clientIn(core) === null ? null : core.config.OIDC_LABEL);

/** Returns what shows the client's secret in the way that the provider supports; the default of the standard is `client_secret_basic`. */
const showing =
  (secret: string): ClientAuth =>
  (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const show = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    show(server, ...request);
  };

/** Reads the provider's own description (OpenID Connect Discovery 1.0), whose issuer has to be the configured one. */
function discovered({ issuer, id, secret }: Client): Promise<Configuration> {
  const options = {
    timeout: TIMEOUT_SECONDS,
    execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
  };
  return discovery(new URL(issuer), id, { client_secret: secret, [clockTolerance]: SKEW_SECONDS }, showing(secret), options);
}

/** Resolves to the provider as it describes itself; null where there is none. Rejects while it cannot be reached; the next call tries again. */
export async function providerOf(core: Core): Promise<Configuration | null> {
  const client = clientIn(core);
  if (client === null) return null;
  const own = knownOf(core);
  if (own.known === null || Date.now() - own.known.at > KNOWN_MS) own.known = { at: Date.now(), provider: discovered(client) };
  const current = own.known;
  return current.provider.catch((error: unknown) => {
    if (own.known === current) own.known = null;
    throw error;
  });
}

/** Resolves to the page of the provider that ends the session there and leads back; null where it has none, or does not answer. */
export async function providerSignOut(core: Core): Promise<string | null> {
  const provider = await providerOf(core).catch(() => null);
  if (!provider?.serverMetadata().end_session_endpoint) return null;
  return buildEndSessionUrl(provider, { post_logout_redirect_uri: `${core.config.PUBLIC_URL}/console/` }).href;
}
