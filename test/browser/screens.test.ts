import type { Browser } from 'playwright-core';
import { Platform } from '../support/platform';
import { SCREENS, make } from './areas';
import type { Made } from './areas';
import { PLANTED } from './areas/words';
import { NARROW, Visitor, WIDE, buildConsole, startBrowser } from './support/browser';

let platform: Platform;
let browser: Browser;
let planted: Made;
let wide: Visitor;
let narrow: Visitor;

const ENV = { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' };

beforeAll(async () => {
  buildConsole();
  [platform, browser] = await Promise.all([Platform.start({ env: ENV }), startBrowser()]);
  [planted, wide, narrow] = await Promise.all([
    make(platform, 'planted'),
    Visitor.come(browser, platform, WIDE),
    Visitor.come(browser, platform, NARROW),
  ]);
  await wide.signIn();
  await narrow.signIn();
}, 300_000);
afterAll(async () => {
  planted?.end();
  await browser?.close();
  await platform?.stop();
});

describe.each(SCREENS)('the screen %s', (_name, place, heading, seen) => {
  test.each([
    ['wide', () => wide],
    ['narrow', () => narrow],
  ])('is usable on a %s window by everybody, and runs nothing that somebody has planted', async (_width, visitor) => {
    const at = visitor();
    await at.open(place(planted.ids), heading);
    await at.page.getByText(seen).locator('visible=true').first().waitFor();
    expect(await at.hindrances()).toEqual([]);
    expect(await at.misdeeds()).toEqual([]);
    expect(await at.overflows()).toBe(false);
  });
});

test('the dark theme can be read as well', async () => {
  await wide.page.getByLabel('Theme').selectOption('dark');
  for (const [, place, heading] of SCREENS) {
    await wide.open(place(planted.ids), heading);
    expect(await wide.hindrances()).toEqual([]);
  }
  await wide.page.getByLabel('Theme').selectOption('system');
});

test('a message is shown with its own styles, in a document that runs nothing', async () => {
  await wide.open(`/mail/${planted.ids['emailId']}`, PLANTED);
  const frame = wide.page.frameLocator('iframe.message');
  const marked = frame.locator('#marked');
  await marked.waitFor();
  expect(await marked.evaluate((element) => getComputedStyle(element).color)).toBe('rgb(12, 34, 56)');
  expect(await frame.locator('script').count()).toBe(1);
  expect(await wide.misdeeds()).toEqual([]);
});

test('the first load is small', async () => {
  const visitor = await Visitor.come(browser, platform);
  const loaded: Promise<number>[] = [];
  visitor.page.on('requestfinished', (request) => {
    if (/\/console\//.test(request.url())) loaded.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await visitor.signIn();
  await visitor.settled();
  const bytes = (await Promise.all(loaded)).reduce((sum, size) => sum + size, 0);
  await visitor.leave();
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThanOrEqual(250_000);
});
