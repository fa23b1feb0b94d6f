import { text as streamed } from 'node:stream/consumers';
import { eventually } from '../../support/platform/platform';
import type { World } from '../support/world';

/** Contacts and suppressions. */
export function peopleJourneys(world: World): void {
  test('a contact is added, found, changed, opted out and erased', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/contacts', 'Contacts');
    await page.getByText('There are no contacts yet').waitFor();
    await world.press('Add contact');
    await world.dialog.getByLabel('Address').fill('ada@example.com');
    await world.dialog.getByLabel('First name').fill('Ada');
    await world.dialog.getByLabel('Custom fields').fill('{"plan": ');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Save');
    await world.dialog.getByText('The custom fields must be a JSON object').waitFor();
    await world.dialog.getByLabel('Custom fields').fill('{"plan": "pro", "city": "London"}');
    await world.pressIn('Save');
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();

    await page.getByLabel('Name or address').fill('nobody');
    await page.getByText('No contact is like that').waitFor();
    await page.getByLabel('Name or address').fill('ada');
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();

    await world.press('Edit');
    await world.dialog.getByLabel('Last name').fill('Lovelace');
    await world.dialog.getByLabel('Custom fields').fill('{"plan": "team"}');
    await world.pressIn('Save');
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await world.press('Opt out');
    await world.pressIn('Opt out');
    await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
    await page.getByText('By the API or this console').waitFor();
    await page.getByText('Evidence').locator('..').getByText(/^evt_/).waitFor();
    const { body } = await world.platform.get('/v1/contacts?search=ada');
    expect(body.data).toMatchObject([{ firstName: 'Ada', lastName: 'Lovelace', subscribed: false, data: { plan: 'team' } }]);
    expect(Object.keys(body.data[0].data as object)).toEqual(['plan']);

    await world.press('Erase');
    await world.pressIn('Erase');
    await page.getByText('There are no contacts yet').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('an address is suppressed, and the suppression lifted', async () => {
    await world.visitor.open('/suppressions', 'Suppressions');
    await world.press('Suppress address');
    await world.dialog.getByLabel('Address').fill('no-more@example.com');
    await world.pressIn('Suppress');
    await world.visitor.page.getByText('no-more@example.com').waitFor();
    const row = world.visitor.page.getByRole('row', { name: 'no-more@example.com' });
    await row.getByRole('button', { name: 'Lift' }).click();
    await world.pressIn('Lift');
    await row.waitFor({ state: 'detached' });
    const isSuppressed = async () =>
      (await world.platform.get('/v1/suppressions/check?email=no-more@example.com')).body.data.suppressed as boolean;
    // The row may be gone before the request has ended.
    expect(await eventually('it is lifted', async () => !(await isSuppressed()))).toBe(true);
  });

  test('a file is imported: its columns are said, its progress shows, and the rows that could not be used are a file', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/contacts', 'Contacts');
    await page.getByRole('link', { name: 'Import' }).click();
    const text = 'E-mail;Vorname;Plan;Notes\njoan@example.com;Joan;gold;"one; two"\n=no address;X;free;\nmary@example.com;Mary;silver;x\n';
    await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByText('one; two').waitFor();
    expect(await page.getByLabel('What is E-mail?').inputValue()).toBe('email');
    await page.getByLabel('What is Vorname?').selectOption('First name');
    await page.getByLabel('Field for Plan').fill('plan');
    await page.getByLabel('What is Notes?').selectOption('Left out');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Import');
    await page.getByText('All 3 rows were gone through').waitFor();
    await page.reload();
    await page.getByRole('cell', { name: '=no address' }).waitFor();
    const bad = 'row,email,message\r\n2,"\'=no address","Not an e-mail address"\r\n';
    const fileOf = async (button: string | RegExp): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
      return streamed(await download.createReadStream());
    };
    expect(await fileOf('Download as a file')).toBe(bad);
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByText('3 of 3').waitFor();
    expect(await fileOf(/^Refused rows of .* as a file$/)).toBe(bad);
    expect(await world.visitor.misdeeds()).toEqual([]);
    const { body } = await world.platform.get('/v1/contacts?search=joan');
    expect(body.data).toMatchObject([{ email: 'joan@example.com', firstName: 'Joan', data: { plan: 'gold' } }]);
    await world.platform.post('/v1/contacts/bulk', { action: 'delete', emails: ['joan@example.com', 'mary@example.com'] });
  });
}
