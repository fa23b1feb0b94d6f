import type { Browser } from 'playwright-core';
import { OpenIdProvider } from '../../support/servers/openid-provider';
import { DnsServer } from '../../support/servers/dns-server';
import { Platform } from '../../support/platform/platform';
import { Visitor } from './browser';
import { buildConsole, startBrowser } from './launch';

/** What the journeys share: a platform, a browser, and a person in it who has signed in. */
export class World {
  platform!: Platform;
  browser!: Browser;
  visitor!: Visitor;
  /** What the platform asks about domains. */
  dns!: DnsServer;
  /** A provider that persons sign in with. */
  openId!: OpenIdProvider;

  /** The window over the page. */
  get dialog() {
    return this.visitor.page.getByRole('dialog');
  }

  /** What the console says after something was done. */
  toast(text: string) {
    return this.visitor.page
      .getByRole('status', { name: /^Notifications/ })
      .getByRole('listitem')
      .filter({ hasText: text });
  }

  press(name: string): Promise<void> {
    return this.visitor.click(this.visitor.page.getByRole('button', { name, exact: true }));
  }

  /** Presses a button of the window over the page. */
  pressIn(name: string): Promise<void> {
    return this.visitor.click(this.dialog.getByRole('button', { name, exact: true }));
  }
}

/** Starts what the tests of a file share, and stops it after them. */
export function openWorld(): World {
  const world = new World();
  beforeAll(async () => {
    buildConsole();
    world.dns = await DnsServer.start();
    world.openId = await OpenIdProvider.start();
    const env = {
      DNS_SERVERS: world.dns.address,
      WEBHOOK_ALLOW_INSECURE: 'true',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      TEMPORAL_UI_URL: 'https://temporal.example',
      OIDC_ISSUER: world.openId.issuer,
      OIDC_CLIENT_ID: world.openId.clientId,
      OIDC_CLIENT_SECRET: world.openId.clientSecret,
      OIDC_LABEL: 'Example ID',
    };
    [world.platform, world.browser] = await Promise.all([Platform.start({ env }), startBrowser()]);
    world.openId.serve(world.platform.url.replace('127.0.0.1', 'localhost'));
    world.visitor = await Visitor.come(world.browser, world.platform);
    await world.visitor.signIn();
  }, 300_000);
  afterAll(async () => {
    await world.browser?.close();
    await world.platform?.stop();
    await world.openId?.stop();
    await world.dns?.stop();
  });
  return world;
}
