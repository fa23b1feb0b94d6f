import { stored } from '../data/stored';
import type { TestApp } from '../platform/app';
import type { Account, OpenIdProvider } from '../servers/openid-provider';
import { CONSOLE_ORIGIN, ConsoleBrowser } from './console-browser';

/** The settings of an app whose persons sign in with a provider. */
export const ssoSettings = ({ issuer, clientId, clientSecret }: OpenIdProvider) => ({
  PUBLIC_URL: CONSOLE_ORIGIN,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
});

/** A sign-in that has begun: the provider's page, and the cookie of the browser. */
interface Begun {
  readonly url: URL;
  readonly cookie: string;
}

/** The end of a sign-in, with the browser that is signed in; the browser is null where it was refused. */
interface Arrived {
  readonly refused: string | null;
  readonly browser: ConsoleBrowser | null;
}

const cookiesOf = (headers: Record<string, unknown>): readonly string[] => (headers['set-cookie'] ?? []) as readonly string[];

/** Calls of a browser that signs in with a provider. */
export function ssoCalls(app: () => TestApp, provider: () => OpenIdProvider) {
  const browse = () => new ConsoleBrowser(app().url);

  async function begin(): Promise<Begun> {
    const { headers } = await browse().ask('get', '/console/oidc').expect(303);
    return { url: new URL(headers['location'] as string), cookie: cookiesOf(headers)[0]?.split(';')[0] ?? '' };
  }

  /** Comes back from the provider, which is another site. */
  async function comeBack({ search }: Pick<URL, 'search'>, cookie: string): Promise<Arrived> {
    const browser = browse();
    const answer = await browser
      .ask('get', `/console/oidc/callback${search}`, { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' })
      .expect(303);
    const [, refused = null] = /#refused=([a-z-]+)$/.exec(answer.headers['location'] as string) ?? [];
    const session = cookiesOf(answer.headers).find((each) => each.includes('lettermill-console='));
    if (session === undefined) return { refused, browser: null };
    browser.cookie = session.split(';')[0] ?? '';
    browser.csrf = (await browser.ask('get', '/console/session').expect(200)).body.data.csrf as string;
    return { refused, browser };
  }

  /** Signs in at the provider as somebody, and comes back; `change` alters the request to the provider. */
  async function signIn(login: string, change: (url: URL) => void = () => undefined): Promise<Arrived> {
    const { url, cookie } = await begin();
    change(url);
    return comeBack(await provider().visit(url.href, login), cookie);
  }

  return {
    begin,
    comeBack,
    signIn,
    /** Adds an account to the provider, or changes it. */
    account: (login: string, account: Account = {}) =>
      provider().accounts.set(login, { email: `${login}@example.com`, email_verified: true, ...account }),
    /** Resolves to what a browser may do, and where. */
    me: async ({ browser }: Arrived) => (await (browser as ConsoleBrowser).ask('get', '/v1/me').expect(200)).body.data,
    person: (address: string) => stored.persons.one({ address }),
  };
}
