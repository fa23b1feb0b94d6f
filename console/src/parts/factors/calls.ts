import { ask } from '../api.ts';

/** A passkey as its person sees it. */
export interface Passkey {
  readonly passkeyId: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

/** The second factors of a person. */
export interface Factors {
  readonly totpSince: string | null;
  readonly recoveryCodesLeft: number;
  readonly passkeys: readonly Passkey[];
}

/** A secret for an authenticator app, and what its QR code says. */
export interface BegunTotp {
  readonly secret: string;
  readonly url: string;
}

/** The codes that come with the first factor; null with a further one. */
interface Enrolled {
  readonly recoveryCodes: readonly string[] | null;
}

type Json<T extends 'create' | 'get'> = T extends 'create' ? PublicKeyCredentialCreationOptionsJSON : PublicKeyCredentialRequestOptionsJSON;

const NO_PASSKEYS = 'Passkeys do not work here: they need a current browser, and HTTPS with a host name';
const NO_ANSWER = 'The browser has used no passkey. It was cancelled, or took too long';

/** Lets the browser make or use a passkey, and returns its answer as JSON. */
async function withBrowser(run: () => Promise<Credential | null>): Promise<unknown> {
  if (!('PublicKeyCredential' in globalThis)) throw new Error(NO_PASSKEYS);
  try {
    const credential = await run();
    if (credential) return (credential as PublicKeyCredential).toJSON();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError') throw new Error('This device has a passkey of you already');
    if (error instanceof DOMException && error.name === 'SecurityError') throw new Error(NO_PASSKEYS);
    if (!(error instanceof DOMException)) throw error;
  }
  throw new Error(NO_ANSWER);
}

/** Operations on the second factors of the person. */
export const factors = {
  show: async (): Promise<Factors> => (await ask('GET', 'factors')) as Factors,
  beginTotp: async (): Promise<BegunTotp> => (await ask('POST', 'factors/totp')) as BegunTotp,
  confirmTotp: async (code: string): Promise<Enrolled> => (await ask('POST', 'factors/totp/confirm', { code })) as Enrolled,
  disableTotp: (code: string): Promise<unknown> => ask('POST', 'factors/totp/disable', { code }),
  renewCodes: async (): Promise<Enrolled> => (await ask('POST', 'factors/recovery-codes')) as Enrolled,
  addPasskey: async (name: string): Promise<Enrolled> => {
    const options = (await ask('POST', 'factors/passkeys/options')) as Json<'create'>;
    const response = await withBrowser(() =>
      navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
    );
    return (await ask('POST', 'factors/passkeys', { name, response })) as Enrolled;
  },
  renamePasskey: (id: string, name: string): Promise<unknown> => ask('PATCH', `factors/passkeys/${id}`, { name }),
  removePasskey: (id: string): Promise<unknown> => ask('DELETE', `factors/passkeys/${id}`),
};

/** Sends the code that the session waits for. */
export const showCode = (code: string): Promise<unknown> => ask('POST', 'session/code', { code });

/** Signs in by a passkey, or continues the session that waits for one. */
export async function signInByPasskey(): Promise<void> {
  const options = (await ask('POST', 'session/passkey/options')) as Json<'get'>;
  const response = await withBrowser(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
  await ask('POST', 'session/passkey', { response });
}
