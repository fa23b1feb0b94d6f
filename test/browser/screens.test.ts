import type { Browser } from 'playwright-core';
import { createKey } from '../../src/records/projects/key-service';
import { DnsServer } from '../support/servers/dns-server';
import type { WireDomain } from '../support/calls/domains';
import { Platform } from '../support/platform/platform';
import { SCREENS, make } from './areas';
import type { Made } from './areas';
import { PLANTED, TEXT } from './areas/words';
import { NARROW, Visitor, WIDE } from './support/browser';
import { buildConsole, startBrowser } from './support/launch';
import { REFUSAL } from './support/refusal';
import { newProject } from '../support/data/projects';
import { hasCount } from './support/waits';

let platform: Platform;
let browser: Browser;
let planted: Made;
let guest: Visitor;

const ENV = { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };
let dns: DnsServer;

/** What name servers answer is somebody else's as well. */
async function plantInDns(): Promise<void> {
  const { body } = await platform.get(`/v1/domains/${planted.ids['domainId']}`);
  for (const { host } of (body.data as WireDomain).dnsRecords) dns.names.set(host, { TXT: [TEXT] });
  await platform.post(`/v1/domains/${planted.ids['domainId']}/verify`, {});
}

beforeAll(async () => {
  buildConsole();
  dns = await DnsServer.start();
  [platform, browser] = await Promise.all([Platform.start({ env: { ...ENV, DNS_SERVERS: dns.address } }), startBrowser()]);
  [planted, guest] = await Promise.all([make(platform, 'planted'), Visitor.come(browser, platform)]);
  await plantInDns();
  await guest.signIn();
}, 300_000);
afterAll(async () => {
  planted?.end();
  await browser?.close();
  await platform?.stop();
  await dns?.stop();
});

const EMPTY = [
  ['/', 'No mail in this period'],
  ['/mail', 'No messages yet'],
  ['/inbound', 'No inbound mail yet'],
  ['/deliverability', 'No mail in this period'],
  ['/approvals', 'No approvals yet'],
  ['/contacts', 'No contacts yet'],
  ['/contacts/import', 'No imports yet'],
  ['/events', 'No events yet'],
  ['/segments', 'No segments yet'],
  ['/topics', 'No topics yet'],
  ['/forms', 'No forms yet'],
  ['/suppressions', 'No suppressed addresses'],
  ['/campaigns', 'No campaigns yet'],
  ['/automations', 'No automations yet'],
  ['/templates', 'No templates yet'],
  ['/files', 'No files yet'],
  ['/translations', 'No translations yet'],
  ['/domains', 'No domains yet'],
  ['/webhooks', 'No webhooks yet'],
  ['/smtp', 'No SMTP sessions yet'],
] as const;

/** The narrowest telephone in use. */
const SMALL = { ...NARROW, width: 360 };
const SIZES = [SMALL, WIDE];

/** What can differ between the themes: nothing but colors. */
const COLORS = ['color-contrast', 'link-in-text-block'];

test.each(SCREENS)(
  'the screen %s is usable in a narrow and a wide window, in both themes, by everybody; its parts stay in place, and nothing planted runs',
  async (_name, place, heading, seen) => {
    await guest.page.setViewportSize(SMALL);
    await guest.page.emulateMedia({ colorScheme: 'light' });
    await guest.open(place(planted.ids), heading);
    await guest.page.getByText(seen).locator('visible=true').first().waitFor();
    expect(await guest.shifts()).toEqual([]);
    for (const size of SIZES) {
      await guest.page.setViewportSize(size);
      await guest.loaded();
      await guest.page.getByText(seen).locator('visible=true').first().waitFor();
      expect([size, await guest.hindrances()]).toEqual([size, []]);
      expect([size, await guest.overflows()]).toEqual([size, false]);
      await guest.page.emulateMedia({ colorScheme: 'dark' });
      expect([size, await guest.hindrances(COLORS)]).toEqual([size, []]);
      await guest.page.emulateMedia({ colorScheme: 'light' });
    }
    expect(await guest.misdeeds()).toEqual([]);
  },
);

test('a message is shown with its own styles, in a document that runs nothing', async () => {
  await guest.open(`/mail/${planted.ids['emailId']}`, PLANTED);
  const frame = guest.page.frameLocator('iframe.message');
  const marked = frame.locator('#marked');
  await marked.waitFor();
  expect(await marked.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(12, 34, 56)');
  await hasCount(frame.locator('script'), 1);
  expect(await guest.misdeeds()).toEqual([]);
});

test('what called servers answer is text as well, and so is why an execution ended', async () => {
  await guest.open(`/executions/${planted.ids['calledId']}`, 'ada@example.com');
  const main = guest.page.getByRole('main');
  await main.getByText(/^body: .*Planted <img/).waitFor();
  await main.getByText(PLANTED).nth(1).waitFor();
  expect(await guest.misdeeds()).toEqual([]);
});

test('what mail servers and name servers answer, and the columns of a file, are text as well', async () => {
  await guest.open(`/mail/${planted.ids['refusedId']}`, PLANTED);
  const main = guest.page.getByRole('main');
  await main.getByText('550 5.1.1 Planted <img').first().waitFor();
  await guest.open(`/domains/${planted.ids['domainId']}`, 'planted.example');
  await main.getByText(PLANTED).first().waitFor();
  await guest.open('/contacts/import', 'Import contacts');
  const cell = `"${TEXT.replaceAll('"', '""')}"`;
  const file = { name: `${TEXT.slice(0, 40)}.csv`, mimeType: 'text/csv', buffer: Buffer.from(`email,${cell}\nada@example.com,${cell}\n`) };
  await guest.page.getByLabel('CSV file').setInputFiles(file);
  await guest.page.getByRole('list', { name: 'Columns of the file' }).getByText(PLANTED).first().waitFor();
  expect(await guest.misdeeds()).toEqual([]);
});

/** Screens that a person writes on before anything is asked of the API. */
const ASK_NOTHING: readonly string[] = ['new-template', 'moving', 'import-suppressions'];

test('every screen says so in its place when the API refuses, and takes another try', async () => {
  const visitor = await Visitor.come(browser, platform);
  await visitor.signIn();
  await visitor.page.route('**/v1/**', (route) => route.fulfill(REFUSAL));
  for (const [name, place] of SCREENS.filter(([screen]) => !ASK_NOTHING.includes(screen))) {
    await visitor.page.goto(`${platform.url}/console${place(planted.ids)}`);
    const alert = visitor.page.getByRole('alert').or(visitor.page.locator('.fault')).first();
    await alert.getByText('Not at this moment').waitFor();
    expect([name, await visitor.misdeeds()]).toEqual([name, []]);
  }
  await visitor.page.unroute('**/v1/**');
  await visitor.page.getByRole('button', { name: 'Try again' }).click();
  await visitor.page.getByText('Event: order.paid', { exact: true }).waitFor();
  await visitor.leave();
});

test('a list goes on by itself where a page has looked at much and found nothing, and asks after some', async () => {
  const visitor = await Visitor.come(browser, platform);
  await visitor.signIn();
  let looks = 0;
  let nothingIn = 3;
  await visitor.page.route('**/v1/emails?*status=bounced*', (route) => {
    if (looks++ < nothingIn) return route.fulfill({ json: { success: true, data: [], nextCursor: 'further' } });
    const url = new URL(route.request().url());
    url.searchParams.delete('cursor');
    return route.continue({ url: url.href });
  });
  await visitor.open('/mail?status=bounced', 'Mail log');
  await visitor.page.getByText('refused@example.com').waitFor();
  [looks, nothingIn] = [0, 5];
  await visitor.page.reload();
  await visitor.page.getByText('No matches in the latest messages').waitFor();
  expect([looks, await visitor.hindrances()]).toEqual([5, []]);
  await visitor.page.getByRole('button', { name: 'Search older' }).click();
  await visitor.page.getByText('refused@example.com').waitFor();
  await visitor.leave();
});

test('a key that may only send sees of every other screen why it is not shown', async () => {
  const visitor = await Visitor.come(browser, platform);
  const { key } = await createKey(platform.keys.projectId, 'secret', 50, { scope: 'sending' });
  await visitor.signInByKey(key);
  for (const [, place] of SCREENS.filter(([name]) => !['mail', 'message', 'received'].includes(name))) {
    await visitor.page.goto(`${platform.url}/console${place(planted.ids)}`);
    await visitor.page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
  }
  expect(await visitor.misdeeds()).toEqual([]);
  await visitor.leave();
});

test('a project in which nothing has happened yet says on every list what would be there', async () => {
  const visitor = await Visitor.come(browser, platform, NARROW);
  const { projectId } = await newProject('New');
  await visitor.signIn(projectId);
  for (const [place, words] of EMPTY) {
    await visitor.page.goto(`${platform.url}/console${place}`);
    await visitor.page.getByRole('heading', { name: words }).waitFor();
    if (place !== '/') await visitor.page.locator('.state-picture').first().waitFor();
    expect(await visitor.hindrances()).toEqual([]);
  }
  expect(await visitor.misdeeds()).toEqual([]);
  await visitor.leave();
});

test('the first load is small', async () => {
  const visitor = await Visitor.come(browser, platform);
  const loaded: Promise<number>[] = [];
  visitor.page.on('requestfinished', (request) => {
    if (/\/console\//.test(request.url())) loaded.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await visitor.signIn();
  await visitor.loaded();
  const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
  await visitor.leave();
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(250_000);
});
