import { createSign, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { forTheFile } from '../run/for-the-file';

/** A person at the provider, who signs in with the login. */
export interface Account {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: readonly string[];
  realm_access?: { readonly roles: readonly string[] };
}

type Claims = Record<string, unknown>;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A request of a browser. */
interface Step {
  readonly at: URL;
  readonly form: URLSearchParams | null;
}

/** Sends a request, and returns the next one: where it leads, or the form of the page, filled in. */
async function nextStep({ at, form }: Step, cookies: Map<string, string>, login: string): Promise<Step> {
  const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
  const answer = await fetch(at, { redirect: 'manual', headers, ...(form && { method: 'POST', body: form }) });
  for (const cookie of answer.headers.getSetCookie()) {
    const [pair = ''] = cookie.split(';');
    cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
  }
  const location = answer.headers.get('location');
  const page = await answer.text();
  if (location !== null) return { at: new URL(location, at), form: null };
  const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? [];
  const [, action] = /action="([^"]+)"/.exec(page) ?? [];
  if (prompt === undefined || action === undefined) throw new Error(`The provider answered ${answer.status}: ${page.slice(0, 500)}`);
  return { at: new URL(action, at), form: new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) }) };
}

/** A real OpenID provider (`oidc-provider`) on this machine, with its own pages for signing in. It can also answer ID tokens that were changed. */
export class OpenIdProvider {
  readonly clientId = 'lettermill';
  readonly clientSecret = 'a secret of the client';
  readonly accounts = new Map<string, Account>();
  /** Changes the claims of the next ID tokens, which are then signed again. */
  forge: ((claims: Claims) => Claims) | null = null;
  /** Signs forged tokens with a key that the provider does not publish. */
  withForeignKey = false;

  private readonly keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  private readonly foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
  ) {}

  static async start(): Promise<OpenIdProvider> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new OpenIdProvider(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Serves the client that is at an address. */
  serve(publicUrl: string): void {
    const provider = new Provider(this.issuer, this.configuration(publicUrl));
    provider.use((ctx, next) => this.forged(ctx, next));
    const answer = provider.callback();
    this.answerBy((req, res) => void answer(req, res));
  }

  /** Answers every request in another way from now on. */
  answerBy(listener: RequestListener): void {
    this.server.removeAllListeners('request').on('request', listener);
  }

  private configuration(publicUrl: string): Configuration {
    const client = {
      client_id: this.clientId,
      client_secret: this.clientSecret,
      redirect_uris: [`${publicUrl}/console/oidc/callback`],
      post_logout_redirect_uris: [`${publicUrl}/console/`],
      grant_types: ['authorization_code'],
    };
    return {
      clients: [client],
      jwks: { keys: [{ ...this.keys.privateKey.export({ format: 'jwk' }), kid: 'own', use: 'sig', alg: 'RS256' }] },
      cookies: { keys: ['a secret of the provider'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups', 'realm_access'] },
      pkce: { required: () => true },
      findAccount: (_ctx, sub) => {
        const account = this.accounts.get(sub);
        return account && { accountId: sub, claims: () => Promise.resolve({ sub, ...account }) };
      },
    };
  }

  private async forged(ctx: Pick<KoaContextWithOIDC, 'path' | 'body'>, next: () => Promise<void>): Promise<void> {
    await next();
    const body = ctx.body as { id_token?: string } | undefined;
    if (ctx.path !== '/token' || this.forge === null || body?.id_token === undefined) return;
    const [header = '', payload = ''] = body.id_token.split('.');
    const claims = this.forge(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims);
    const text = `${header}.${encoded(claims)}`;
    const { privateKey } = this.withForeignKey ? this.foreign : this.keys;
    ctx.body = { ...body, id_token: `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}` };
  }

  /** Goes through the provider's pages as a browser does, from its first address, as somebody. Resolves to the address that it leads back to. */
  async visit(url: string, login: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let step: Step = { at: new URL(url), form: null };
    for (let steps = 0; steps < 15; steps++) {
      step = await nextStep(step, cookies, login);
      if (step.at.origin !== this.issuer) return step.at;
    }
    throw new Error('The provider does not lead back');
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Runs a provider for the tests of a file. */
export const anOpenIdProvider = (publicUrl: string): OpenIdProvider =>
  forTheFile(
    async () => {
      const provider = await OpenIdProvider.start();
      provider.serve(publicUrl);
      return provider;
    },
    (provider) => provider.stop(),
  );
