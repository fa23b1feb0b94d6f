import type { Browser, Page } from 'playwright-core';
import { makeLink } from '../../src/records/console-sessions/service';
import { addPerson } from '../../src/records/members/service';
import { codeOf } from '../support/calls/second-factors';
import { Platform } from '../support/platform/platform';
import { Visitor } from './support/browser';
import { buildConsole, startBrowser } from './support/launch';

let platform: Platform;
let browser: Browser;

beforeAll(async () => {
  buildConsole();
  // A passkey belongs to a name, and never to a network address.
  [platform, browser] = await Promise.all([Platform.start({ publicHost: 'localhost' }), startBrowser()]);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await platform?.stop();
});

const consoleUrl = (): string => platform.url.replace('127.0.0.1', 'localhost');

/** A person at a device that knows the person, such as a phone with a fingerprint. */
async function comeWithDevice(): Promise<Visitor> {
  const visitor = await Visitor.come(browser, platform);
  const debug = await visitor.page.context().newCDPSession(visitor.page);
  await debug.send('WebAuthn.enable');
  await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return visitor;
}

const link = async (personId: string): Promise<string> => (await makeLink(platform.keys.projectId, consoleUrl(), personId)).url;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const dialog = (page: Page) => page.getByRole('dialog');

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await heading(page, 'Sign in to Lettermill').waitFor();
}

async function addPasskey({ page }: Visitor, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
}

async function keepCodes({ page }: Visitor): Promise<string[]> {
  await dialog(page).getByRole('heading', { name: 'Keep your recovery codes' }).waitFor();
  const codes = await dialog(page).getByRole('listitem').allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  return codes;
}

test('an owner sets up a passkey and an app, signs in with each, and requires a factor of everybody', async () => {
  const { projectId } = platform.keys;
  const owner = await comeWithDevice();
  const { page } = owner;
  const ownerId = await addPerson(projectId, { address: 'olive@example.com', name: 'Olive Owner', role: 'owner' });
  await page.goto(await link(ownerId));
  await page.getByRole('link', { name: 'Olive Owner' }).click();
  await page.getByText('Recovery codes left').waitFor();
  expect(await owner.hindrances()).toEqual([]);

  await addPasskey(owner, 'Laptop');
  const [recovery = ''] = await keepCodes(owner);
  const row = page.getByRole('row', { name: 'Laptop' });
  await row.getByRole('button', { name: 'Rename' }).click();
  await dialog(page).getByLabel('Name').fill('Phone');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: 'Phone' }).getByText('Never').waitFor();

  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
  const secret = (await dialog(page).locator('.secret').textContent()) ?? '';
  expect(await owner.hindrances()).toEqual([]);
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(codeOf(secret));
  await dialog(page).getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('button', { name: 'Turn off authenticator app' }).waitFor();
  expect(await owner.hindrances()).toEqual([]);

  await signOut(page);
  expect(await owner.hindrances()).toEqual([]);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('link', { name: 'Olive Owner' }).waitFor();

  await signOut(page);
  await page.goto('about:blank');
  await page.goto(await link(ownerId));
  await heading(page, 'Confirm that it is you').waitFor();
  expect(await owner.hindrances()).toEqual([]);
  await page.getByLabel('Code').fill('nothing');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This code is not right').waitFor();
  await page.getByLabel('Code').fill(recovery);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Olive Owner' }).waitFor();

  await page.goto(`${consoleUrl()}/console/settings`);
  await page.getByLabel('Members need a second factor').click();
  await page.getByLabel('Members need a second factor').and(page.locator(':checked:enabled')).waitFor();
  expect(await owner.hindrances()).toEqual([]);

  const guest = await comeWithDevice();
  const guestId = await addPerson(projectId, { address: 'guest@example.com', name: 'Gus Guest', role: 'analyst' });
  await guest.page.goto(await link(guestId));
  await heading(guest.page, 'Set up a second factor').waitFor();
  expect(await guest.hindrances()).toEqual([]);
  await addPasskey(guest, 'Key');
  expect(await keepCodes(guest)).toHaveLength(10);
  await guest.page.getByRole('link', { name: 'Gus Guest' }).waitFor();
  await signOut(guest.page);
  await guest.page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await guest.page.getByRole('link', { name: 'Gus Guest' }).click();

  await guest.page.getByRole('button', { name: 'Remove' }).click();
  await dialog(guest.page).getByRole('button', { name: 'Remove' }).click();
  await heading(guest.page, 'Set up a second factor').waitFor();
  for (const visitor of [owner, guest]) {
    expect(await visitor.misdeeds()).toEqual([]);
    await visitor.leave();
  }
});
