import { TOTP } from 'otpauth';
import type { Authenticator, Creation } from '../data/authenticator';
import type { ConsoleBrowser } from './console-browser';

const STEP_MS = 30_000;

/** The code that an authenticator app shows, this many steps from now. */
export const codeOf = (secret: string, steps = 0): string => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP_MS });

/** The secret and the recovery codes of a person who has set up an authenticator app. */
export interface App {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Sets up an authenticator app. */
export async function setUpApp(browser: ConsoleBrowser): Promise<App> {
  const { body } = await browser.ask('post', '/console/factors/totp').expect(200);
  const { secret } = body.data as { readonly secret: string };
  const { body: confirmed } = await browser
    .ask('post', '/console/factors/totp/confirm')
    .send({ code: codeOf(secret) })
    .expect(200);
  const { recoveryCodes } = confirmed.data as Pick<App, 'recoveryCodes'>;
  return { secret, recoveryCodes };
}

/** Sends a code for a session that waits for one. */
export const showCode = (browser: ConsoleBrowser, code: string) => browser.ask('post', '/console/session/code').send({ code });

/** Adds a passkey of an authenticator. */
export async function addPasskey(browser: ConsoleBrowser, authenticator: Authenticator, name = 'Laptop') {
  const { body } = await browser.ask('post', '/console/factors/passkeys/options').expect(200);
  return browser.ask('post', '/console/factors/passkeys').send({ name, response: authenticator.make(body.data as Creation) });
}

/** Resolves to a challenge to sign in with. */
export async function challengeFor(browser: ConsoleBrowser): Promise<string> {
  const { body } = await browser.ask('post', '/console/session/passkey/options').expect(200);
  return (body.data as Pick<Creation, 'challenge'>).challenge;
}

/** Signs in by a passkey; the browser keeps the session. */
export async function signInByPasskey(browser: ConsoleBrowser, response: object) {
  const answer = await browser.ask('post', '/console/session/passkey').send({ response });
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
  if (cookie !== undefined) browser.cookie = cookie;
  if (answer.status === 200) browser.csrf = (await browser.ask('get', '/console/session').expect(200)).body.data.csrf;
  return answer;
}
