import { text as streamed } from 'node:stream/consumers';
import { eventually } from '../../support/platform/platform';
import type { World } from '../support/world';
import { hasValue } from '../support/waits';

/** Contacts and suppressions. */
export function peopleJourneys(world: World): void {
  test('a contact is added, found, changed, opted out and erased', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/contacts', 'Contacts');
    await page.getByText('No contacts yet').waitFor();
    await world.press('Add contact');
    await world.dialog.getByLabel('Email').fill('ada@example.com');
    await world.dialog.getByLabel('First name').fill('Ada');
    await world.pressIn('Edit as JSON (Custom fields)');
    const json = world.dialog.getByLabel('Custom fields as JSON');
    await json.fill('{}');
    await hasValue(json, '{}');
    await json.fill('{"plan": ');
    await world.dialog.getByText('Enter a JSON object').waitFor();
    await world.pressIn('Save');
    // The form is still there: the fault keeps it from being sent.
    await json.fill('{"plan": "pro"}');
    await world.pressIn('Edit as rows (Custom fields)');
    await world.pressIn('Add field');
    const city = world.dialog.getByRole('group', { name: 'Field 2' });
    await city.getByLabel('Value').fill('London');
    await city.getByText('Enter a name.').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await city.getByLabel('Field').fill('city');
    await world.pressIn('Save');
    await page.getByRole('link', { name: 'ada@example.com' }).waitFor();

    await page.getByLabel('Name or email').fill('nobody');
    await page.getByText('No matching contacts').waitFor();
    await page.getByLabel('Name or email').fill('ada');
    await page.getByRole('link', { name: 'ada@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();

    await world.press('Edit');
    await world.dialog.getByLabel('Last name').fill('Lovelace');
    await world.dialog.getByRole('group', { name: 'Field 1' }).getByLabel('Value').fill('team');
    await world.pressIn('Remove field 2');
    await world.pressIn('Save');
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await world.press('Unsubscribe');
    await world.pressIn('Unsubscribe');
    await page.getByRole('button', { name: 'Subscribe', exact: true }).waitFor();
    await page.getByText('API or console', { exact: true }).waitFor();
    await page.getByText('Evidence').locator('..').getByText(/^evt_/).waitFor();
    const { body } = await world.platform.get('/v1/contacts?search=ada');
    expect(body.data).toMatchObject([{ firstName: 'Ada', lastName: 'Lovelace', subscribed: false, data: { plan: 'team' } }]);
    expect(Object.keys(body.data[0].data as object)).toEqual(['plan']);

    await world.press('Erase contact');
    await world.pressIn('Erase contact');
    await page.getByText('No contacts yet').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a custom field is a column, and the selected contacts are changed together', async () => {
    const { page } = world.visitor;
    for (const [name, plan] of [
      ['ada', 'pro'],
      ['grace', 'team'],
      ['linus', 'free'],
    ] as const)
      await world.platform.post('/v1/contacts', { email: `${name}@bulk.example`, data: { plan }, subscribed: true });
    await world.platform.post('/v1/segments', { name: 'Guests', type: 'static' });
    await world.visitor.open('/contacts?search=bulk.example', 'Contacts');
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('plan').check();
    await page.getByRole('cell', { name: 'team' }).waitFor();

    await page.getByLabel('Select ada@bulk.example').check();
    await page.getByLabel('Select grace@bulk.example').check();
    const bar = page.getByRole('region', { name: 'Selected contacts' });
    await bar.getByText('2 contacts selected').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await bar.getByRole('button', { name: 'Add to segment' }).click();
    await world.dialog.getByLabel('Static segment').selectOption({ label: 'Guests' });
    await world.pressIn('Add');
    await world.dialog.waitFor({ state: 'detached' });
    await bar.waitFor({ state: 'detached' });
    await page.getByLabel('Select all').check();
    await page.getByLabel('Select linus@bulk.example').uncheck();
    await world.press('Unsubscribe');
    await world.pressIn('Unsubscribe');
    await world.dialog.waitFor({ state: 'detached' });
    await bar.waitFor({ state: 'detached' });
    type Rows = readonly Readonly<Record<string, unknown>>[];
    const rows = async (path: string): Promise<Rows> => {
      const { data } = (await world.platform.get(path)).body;
      return (Array.isArray(data) ? data : data.data) as Rows;
    };
    const found = (await rows('/v1/contacts?search=bulk.example')).map(({ email, subscribed }) => [email, subscribed]);
    expect(found).toEqual([
      ['linus@bulk.example', true],
      ['grace@bulk.example', false],
      ['ada@bulk.example', false],
    ]);
    const guests = (await rows('/v1/segments')).find(({ name }) => name === 'Guests');
    const members = (await rows(`/v1/segments/${String(guests?.['segmentId'])}/members`)).map(({ email }) => email);
    expect(members.toSorted()).toEqual(['ada@bulk.example', 'grace@bulk.example']);

    // The journeys after this one begin without contacts.
    await page.getByLabel('Select all').check();
    await world.press('Delete');
    await world.pressIn('Delete');
    await page.getByText('No matching contacts').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('an address is suppressed with a note, which is changed, and the suppression removed; both are undone by their toasts', async () => {
    await world.visitor.open('/suppressions', 'Suppressions');
    await world.press('Suppress address');
    await world.dialog.getByLabel('Email').fill('no-more@example.com');
    await world.dialog.getByLabel('Note').fill('Asked by phone');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Suppress address');
    const row = world.visitor.page.getByRole('row', { name: 'no-more@example.com' });
    await row.getByText('Asked by phone').waitFor();
    await row.getByRole('button', { name: 'Edit note' }).click();
    await world.dialog.getByLabel('Note').fill('Asked by letter');
    await world.pressIn('Save');
    await row.getByText('Asked by letter').waitFor();
    await world.toast('no-more@example.com suppressed.').getByRole('button', { name: 'Undo' }).click();
    await row.waitFor({ state: 'detached' });
    await world.press('Suppress address');
    await world.dialog.getByLabel('Email').fill('no-more@example.com');
    await world.dialog.getByLabel('Note').fill('Again');
    await world.pressIn('Suppress address');
    await row.getByRole('button', { name: 'Remove' }).click();
    await world.pressIn('Remove');
    await row.waitFor({ state: 'detached' });
    await world.toast('no-more@example.com removed.').getByRole('button', { name: 'Undo' }).click();
    await row.getByText('Again').waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await world.pressIn('Remove');
    await row.waitFor({ state: 'detached' });
    const isSuppressed = async () =>
      (await world.platform.get('/v1/suppressions/check?email=no-more@example.com')).body.data.suppressed as boolean;
    // The row may be gone before the request has ended.
    expect(await eventually('it is removed', async () => !(await isSuppressed()))).toBe(true);
  });

  test('a file of addresses is suppressed: what failed continues, and the rows that could not be used are named by their lines', async () => {
    const { page } = world.visitor;
    const lines = [
      'Email;Reason;Notes',
      'one@imported.example;bounce;"two',
      'lines"',
      'nobody;;',
      'two@imported.example;soft;',
      `three@imported.example;;M\u00fcller ${'x'.repeat(600)}`,
    ];
    await world.visitor.open('/suppressions', 'Suppressions');
    await page.getByRole('link', { name: 'Import suppressions' }).click();
    const text = lines.join('\n');
    const choose = (buffer: Buffer) => page.getByLabel('CSV file').setInputFiles({ name: 'blocked.csv', mimeType: 'text/csv', buffer });
    await choose(Buffer.from(text, 'latin1'));
    await page.getByText('It was read as Windows-1252').waitFor();
    await choose(Buffer.from(`\uFEFF${text}`, 'utf16le'));
    await page.getByText('It was read as Windows-1252').waitFor({ state: 'detached' });
    await page.getByLabel('Reason of rows without one').selectOption('Complaint');
    expect(await world.visitor.hindrances()).toEqual([]);
    await page.route(
      '**/v1/suppressions/import',
      (route) => route.fulfill({ status: 409, json: { success: false, error: 'Not at this moment', code: 'invalid_state' } }),
      { times: 1 },
    );
    await world.press('Import suppressions');
    await page.getByText('Not at this moment').waitFor();
    let proceed = (): void => undefined;
    const held = new Promise<void>((resolve) => (proceed = resolve));
    await page.route('**/v1/suppressions/import', async (route) => held.then(() => route.continue()), { times: 1 });
    await world.press('Continue the import');
    await page.locator('input[type=file]:disabled').waitFor();
    proceed();
    await page.getByText('The import is complete').waitFor();
    await page.getByText('Notes cut at 500 characters: 1').waitFor();
    await page.getByRole('row', { name: '4 nobody Not an e-mail address' }).waitFor();
    await page.getByRole('row', { name: '5 two@imported.example Unknown reason “soft”' }).waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), world.press('Download as CSV')]);
    expect(await streamed(await download.createReadStream())).toBe(
      'line,email,message\r\n4,"nobody","Not an e-mail address"\r\n5,"two@imported.example","Unknown reason “soft”"\r\n',
    );
    await page.getByRole('link', { name: 'View suppressions' }).click();
    await page.getByText('Müller').waitFor();
    const { body } = await world.platform.get('/v1/suppressions?search=imported.example');
    expect((body.data as object[]).length).toBe(2);
    expect(body.data).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: 'one@imported.example', reason: 'hard_bounce', source: 'import', note: 'two\nlines' }),
        expect.objectContaining({
          email: 'three@imported.example',
          reason: 'complaint',
          source: 'import',
          note: `Müller ${'x'.repeat(493)}`,
        }),
      ]),
    );
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a file is imported: its columns are said, its progress shows, and the rows that could not be used are a file', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/contacts', 'Contacts');
    await page.getByRole('link', { name: 'Import contacts' }).click();
    const text = 'E-mail;Vorname;Plan;Notes\njoan@example.com;Joan;gold;"one; two"\n=no address;X;free;\nmary@example.com;Mary;silver;x\n';
    await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByText('one; two').waitFor();
    await hasValue(page.getByLabel('Import E-mail as'), 'email');
    await page.getByLabel('Import Vorname as').selectOption('First name');
    await page.getByLabel('Field for Plan').fill('plan');
    await page.getByLabel('Import Notes as').selectOption('Skip');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Import contacts');
    await page.getByText('All 3 rows processed').waitFor();
    await page.reload();
    await page.getByRole('cell', { name: '=no address' }).waitFor();
    const bad = 'row,email,message\r\n2,"\'=no address","Not an e-mail address"\r\n';
    const fileOf = async (button: string | RegExp): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
      return streamed(await download.createReadStream());
    };
    expect(await fileOf('Download as CSV')).toBe(bad);
    await page.getByRole('link', { name: 'Imports' }).click();
    await page.getByText('3 of 3').waitFor();
    expect(await fileOf(/^Download rejected rows of /)).toBe(bad);
    expect(await world.visitor.misdeeds()).toEqual([]);
    const { body } = await world.platform.get('/v1/contacts?search=joan');
    expect(body.data).toMatchObject([{ email: 'joan@example.com', firstName: 'Joan', data: { plan: 'gold' } }]);
    await world.platform.post('/v1/contacts/bulk', { action: 'delete', emails: ['joan@example.com', 'mary@example.com'] });
  });
}
