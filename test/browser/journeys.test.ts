import type { Browser } from 'playwright-core';
import { createKey, revokeKey } from '../../src/projects/key-service';
import { Platform, eventually } from '../support/platform';
import { NARROW, Visitor, buildConsole, startBrowser } from './support/browser';

let platform: Platform;
let browser: Browser;
let visitor: Visitor;

beforeAll(async () => {
  buildConsole();
  [platform, browser] = await Promise.all([Platform.start(), startBrowser()]);
  visitor = await Visitor.come(browser, platform);
  await visitor.signIn();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await platform?.stop();
});

const dialog = () => visitor.page.getByRole('dialog');
const press = (name: string) => visitor.page.getByRole('button', { name, exact: true }).click();
const pressIn = (name: string) => dialog().getByRole('button', { name, exact: true }).click();

test('a contact is added, found, changed, opted out and erased', async () => {
  const { page } = visitor;
  await visitor.open('/contacts', 'Contacts');
  await page.getByText('There are no contacts yet').waitFor();
  await press('Add contact');
  await dialog().getByLabel('Address').fill('ada@example.com');
  await dialog().getByLabel('First name').fill('Ada');
  await dialog().getByLabel('Custom fields').fill('{"plan": ');
  expect(await visitor.hindrances()).toEqual([]);
  await pressIn('Save');
  await dialog().getByText('The custom fields must be a JSON object').waitFor();
  await dialog().getByLabel('Custom fields').fill('{"plan": "pro", "city": "London"}');
  await pressIn('Save');
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();

  await page.getByLabel('Name or address').fill('nobody');
  await page.getByText('No contact is like that').waitFor();
  await page.getByLabel('Name or address').fill('ada');
  await page.getByRole('link', { name: 'ada@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();

  await press('Edit');
  await dialog().getByLabel('Last name').fill('Lovelace');
  await dialog().getByLabel('Custom fields').fill('{"plan": "team"}');
  await pressIn('Save');
  await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
  await press('Opt out');
  await pressIn('Opt out');
  await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
  const { body } = await platform.get('/v1/contacts?search=ada');
  expect(body.data).toMatchObject([{ firstName: 'Ada', lastName: 'Lovelace', subscribed: false, data: { plan: 'team' } }]);
  expect(Object.keys(body.data[0].data as object)).toEqual(['plan']);

  await press('Erase');
  await pressIn('Erase');
  await page.getByText('There are no contacts yet').waitFor();
  expect(await visitor.misdeeds()).toEqual([]);
});

test('a message that was sent is found by its recipient, with what the mail server said', async () => {
  const { page } = visitor;
  const id = await platform.send('grace@example.com', { subject: 'Your invoice' });
  await platform.send('someone-else@example.com', { subject: 'Not this one' });
  await platform.untilStatus(id, 'delivered');
  await visitor.open('/mail', 'Mail log');
  await page.getByLabel('Recipient').fill('grace@example.com');
  await page.getByText('Not this one').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('link', { name: 'Your invoice' }).click();
  await page.getByText('email.delivered').waitFor();
  await page.getByText('250').first().waitFor();
  await page.getByRole('tab', { name: 'Text' }).press('Enter');
  await page.getByRole('tabpanel', { name: 'Text' }).getByText('Hello').waitFor();
  expect(await visitor.misdeeds()).toEqual([]);
});

test('an address is suppressed, and the suppression lifted', async () => {
  await visitor.open('/suppressions', 'Suppressions');
  await press('Suppress address');
  await dialog().getByLabel('Address').fill('no-more@example.com');
  await pressIn('Suppress');
  await visitor.page.getByText('no-more@example.com').waitFor();
  await press('Lift');
  await pressIn('Lift');
  await visitor.page.getByText('No address is suppressed').waitFor();
  const { body } = await platform.get('/v1/suppressions/check?email=no-more@example.com');
  expect(body.data.suppressed).toBe(false);
});

test('a domain is added and asked for; what is expected stands beside what was found', async () => {
  const { page } = visitor;
  await visitor.open('/domains', 'Domains');
  await press('Add domain');
  await dialog().getByLabel('Domain').fill('not a domain');
  await pressIn('Add');
  await dialog()
    .getByText(/^domain: /)
    .waitFor();
  await dialog().getByLabel('Domain').fill('mail.example.com');
  await pressIn('Add');
  await page.getByRole('link', { name: 'mail.example.com' }).click();
  await page.getByText('Permitted senders (SPF)').waitFor();
  await press('Check now');
  await eventually('DNS was asked', async () => {
    const { body } = await platform.get('/v1/domains');
    return body.data.data[0].lastCheckedAt;
  });
  await page.getByText('All records as a zone file').click();
  expect(await page.locator('details.card pre').textContent()).toContain('v=spf1');
  expect(await visitor.misdeeds()).toEqual([]);
});

test('a webhook is added: its secret is shown once', async () => {
  await visitor.open('/webhooks', 'Webhooks');
  await press('Add webhook');
  await dialog().getByLabel('Address').fill('https://example.com/hooks');
  await pressIn('Save');
  await dialog()
    .getByText(/^whsec_/)
    .waitFor();
  await pressIn('I have kept it');
  await visitor.page.getByRole('link', { name: 'https://example.com/hooks' }).click();
  await press('Switch off');
  await visitor.page.getByRole('button', { name: 'Switch on' }).waitFor();
  const { body } = await platform.get('/v1/webhooks');
  expect(body.data.data).toMatchObject([{ enabled: false, events: ['email.delivered', 'email.bounced'] }]);
});

describe('a session', () => {
  test('of a key that may read shows all, and offers nothing that it may not do', async () => {
    const reader = await Visitor.come(browser, platform);
    const { key } = await createKey(platform.keys.projectId, 'secret', 50, { scope: 'read' });
    await reader.signInByKey(key);
    await reader.open('/suppressions', 'Suppressions');
    await reader.page.getByText('Read only').waitFor();
    expect(await reader.page.getByRole('button', { name: 'Suppress address' }).count()).toBe(0);
    const kept = await reader.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
    expect(kept).not.toContain('sk_');
    await revokeKey(key);
    await reader.page.reload();
    await reader.page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();
    await reader.leave();
  });

  test('of a key that may only send shows the mail log, and says of the rest why not', async () => {
    const sender = await Visitor.come(browser, platform, NARROW);
    const { key } = await createKey(platform.keys.projectId, 'secret', 50, { scope: 'sending' });
    await sender.signInByKey(key);
    await sender.page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
    expect(await sender.hindrances()).toEqual([]);
    await sender.page.getByRole('button', { name: 'Menu' }).press('Enter');
    await sender.page.getByRole('link', { name: 'Mail log' }).press('Enter');
    await sender.page.getByRole('link', { name: 'Your invoice' }).waitFor();
    await sender.leave();
  });

  test('ends by signing out: no page shows anything any more', async () => {
    const leaver = await Visitor.come(browser, platform);
    await leaver.signIn();
    await leaver.page.getByRole('button', { name: 'Sign out' }).click();
    await leaver.page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();
    expect(await leaver.hindrances()).toEqual([]);
    await leaver.page.goto(`${platform.url}/console/contacts`);
    await leaver.page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();
    await leaver.leave();
  });
});
