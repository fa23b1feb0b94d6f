import { eventually } from '../../support/platform/platform';
import { NARROW, WIDE } from '../support/browser';
import type { World } from '../support/world';

/** A form that is sent sooner was not filled in by a person. */
const A_PERSON_TAKES_MS = 2_000;

/** Resolves to the link of the confirmation that somebody got. */
async function confirmationOf({ platform }: World, email: string): Promise<string> {
  await eventually('the confirmation has arrived', () => platform.arrived(email).length > 0);
  const text = platform.arrived(email).at(-1)?.raw.toString().replaceAll('=\r\n', '') ?? '';
  return /\/c\/[0-9a-z.]+/.exec(text)?.[0] ?? '';
}

/** Sign-up forms, and the evidence of what people agreed to. */
export function formJourneys(world: World): void {
  test('a form is created, a person signs up on its page and confirms, and the contact has the evidence', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/topics', { key: 'letters', name: 'Letters', defaultSubscription: 'out' });
    await world.visitor.open('/forms', 'Forms');
    await page.getByText('No forms yet').waitFor();
    await page.getByRole('link', { name: 'New form' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Paper news');
    await page.getByLabel('Consent text').fill('I agree to receive the paper news.');
    await page.getByLabel('Privacy policy URL').fill('https://example.com/privacy');
    await world.press('Add field');
    const field = page.getByRole('group', { name: 'Field 1' });
    await field.getByLabel('Label').fill('Your city');
    await field.getByLabel('Key').fill('email');
    await page.getByRole('checkbox', { name: 'Letters' }).check();
    const drawing = page.locator('.form-drawing');
    for (const words of ['Paper news', 'Your city', 'I agree to receive the paper news.', 'Privacy policy'])
      await drawing.getByText(words, { exact: true }).waitFor();
    for (const size of [NARROW, WIDE]) {
      await page.setViewportSize(size);
      expect([size, await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([size, [], false]);
    }
    await world.press('Create form');
    await page.getByText('fields.0.key: The form uses this name itself').waitFor();
    await field.getByLabel('Key').fill('city');
    await world.press('Create form');
    await page.getByRole('heading', { level: 1, name: 'Paper news' }).waitFor();
    const place = new URL(page.url()).pathname;
    const formId = place.split('/').at(-1) ?? '';

    const reader = await world.browser.newPage({ viewport: NARROW, locale: 'en-GB' });
    await reader.goto(`${world.platform.url}/f/${formId}`);
    const opened = Date.now();
    await reader.getByLabel('Email address').fill('signer@example.com');
    await reader.getByLabel('Your city').fill('Vienna');
    await reader.getByText('I agree to receive the paper news.').waitFor();
    await eventually('a person has filled it in', () => Date.now() - opened > A_PERSON_TAKES_MS);
    await reader.getByRole('button', { name: 'Sign up' }).click();
    await reader.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await reader.goto(world.platform.url + (await confirmationOf(world, 'signer@example.com')));
    await reader.getByRole('button', { name: 'Confirm subscription' }).click();
    await reader.getByRole('heading', { name: 'You are subscribed' }).waitFor();
    await reader.close();

    const { body } = await world.platform.get('/v1/contacts/signer@example.com');
    expect(body.data).toMatchObject({ subscribed: true, data: { city: 'Vienna' } });
    await world.visitor.open(`/contacts/${body.data.contactId}`, 'signer@example.com');
    const ledger = page.locator('.card', { has: page.getByRole('heading', { name: 'Consent' }) });
    await ledger.getByText('Chain verified. Entries: 2.').waitFor();
    const [confirmed, requested] = [ledger.getByRole('listitem').first(), ledger.getByRole('listitem').last()];
    await confirmed.getByText('Letters · Double opt-in').waitFor();
    await requested.getByText('Letters · Form').waitFor();
    await requested.getByText('Evidence').click();
    await requested.getByText('I agree to receive the paper news.').waitFor();
    expect([await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([[], false]);
    await requested.getByRole('link', { name: 'View form' }).click();
    await page.locator('.tile', { hasText: 'Confirmed' }).getByText('1').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a form is put on another page by its snippet, held, opened again and deleted', async () => {
    const { page } = world.visitor;
    const form = { name: 'Snippets', consentText: 'I agree.', doubleOptIn: false };
    const { formId } = (await world.platform.post('/v1/forms', form)).body.data as { formId: string };
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.platform.url });
    await world.visitor.open(`/forms/${formId}`, 'Snippets');
    await world.press('Copy snippet');
    await world.toast('Copied.').waitFor();
    const snippet = await page.evaluate(() => navigator.clipboard.readText());

    const other = await world.browser.newPage({ locale: 'en-GB' });
    await other.setContent(snippet);
    await other.getByLabel('Email address').fill('elsewhere@example.com');
    await other.getByRole('button', { name: 'Sign up' }).click();
    await other.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect((await world.platform.get('/v1/contacts/elsewhere@example.com')).body.data.subscribed).toBe(true);

    await world.press('Hold form');
    await world.pressIn('Hold form');
    await page.getByText('This form is on hold').waitFor();
    await other.goto(`${world.platform.url}/f/${formId}`);
    await other.getByRole('heading', { name: 'Sign-up is paused' }).waitFor();
    await other.goto('about:blank');
    await other.setContent(snippet);
    await other.getByLabel('Email address').fill('late@example.com');
    await other.getByRole('button', { name: 'Sign up' }).click();
    await other.getByRole('heading', { name: 'Sign-up is paused' }).waitFor();
    await other.close();
    await world.visitor.open(`/forms/${formId}`, 'Snippets');
    await page.locator('dl', { hasText: 'Form was held' }).getByText('1').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await page.getByRole('link', { name: 'Forms', exact: true }).first().click();
    const row = page.getByRole('row', { name: 'Snippets' });
    await row.getByText('held manually').waitFor();
    await row.getByRole('link', { name: 'Snippets' }).click();
    await world.press('Reopen form');
    await world.pressIn('Reopen form');
    await page.getByRole('button', { name: 'Hold form' }).waitFor();
    await world.press('Delete form');
    await world.pressIn('Delete form');
    await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
    await row.waitFor({ state: 'detached' });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
