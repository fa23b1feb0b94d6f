import type { World } from '../support/world';

/** Single keys, and the window that lists them. */
export function shortcutJourneys(world: World): void {
  const focused = (): Promise<string | null | undefined> => world.visitor.page.evaluate(() => document.activeElement?.textContent);

  test('by single keys a list is filtered, gone through, selected and opened, and the focus is where the marker is', async () => {
    const { page } = world.visitor;
    const emails = ['a@keys.example', 'b@keys.example'];
    for (const email of emails) await world.platform.post('/v1/contacts', { email });
    await world.visitor.open('/contacts', 'Contacts');
    await page.keyboard.press('/');
    await page.keyboard.type('keys.example');
    await page.getByText('2 rows').waitFor();
    // What is typed is typed.
    await page.keyboard.press('j');
    expect(await page.getByLabel('Name or email').inputValue()).toBe('keys.examplej');
    await page.keyboard.press('Backspace');
    await page.getByText('2 rows').waitFor();
    await page.keyboard.press('Tab');
    await page.getByLabel('Select all').focus();
    await page.keyboard.press('j');
    expect(await focused()).toBe('b@keys.example');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused()).toBe('a@keys.example');
    // A key that is held selects, and does not take it back.
    for (let times = 0; times < 2; times++) await page.keyboard.down('x');
    await page.keyboard.up('x');
    await page.getByText('1 contact selected').waitFor();
    expect([await page.getByLabel('Select a@keys.example').isChecked(), await focused()]).toEqual([true, 'a@keys.example']);
    expect(await world.visitor.hindrances()).toEqual([]);
    await page.keyboard.press('k');
    await page.keyboard.press('Control+j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'b@keys.example' }).waitFor();
    await world.platform.post('/v1/contacts/bulk', { action: 'delete', emails });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('where there is no filter / searches everything, and rows without a link are marked too', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/keys', 'Keys');
    await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.matches('tbody tr:first-child'))).toBe(true);
    expect(await world.visitor.hindrances()).toEqual([]);
    await page.keyboard.press('/');
    await world.dialog.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.press('Escape');
    await world.dialog.waitFor({ state: 'detached' });
  });

  test('? shows all shortcuts, and single keys can be switched off for good', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/keys', 'Keys');
    await page.keyboard.press('?');
    await world.dialog.getByText('Next row').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.dialog.getByLabel('Use single keys in this browser').uncheck();
    await world.pressIn('Close');
    await world.visitor.open('/keys', 'Keys');
    for (const key of ['?', '/', 'j']) await page.keyboard.press(key);
    await world.press('Shortcuts');
    await world.dialog.getByLabel('Use single keys in this browser').check();
    expect([await world.dialog.count(), await page.locator('tbody tr[tabindex]').count()]).toEqual([1, 0]);
    await world.pressIn('Close');
    await page.keyboard.press('?');
    await world.dialog.getByText('Next row').waitFor();
    await page.keyboard.press('Escape');
    await world.dialog.waitFor({ state: 'detached' });
  });
}
