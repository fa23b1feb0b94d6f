import { readFileSync } from 'node:fs';
import { Visitor } from '../support/browser';
import type { World } from '../support/world';
import { hasValue } from '../support/waits';

/** Keys and settings. */
export function keyJourneys(world: World): void {
  test('a key is made and shown once, opens what it may, and is revoked with the session that it began', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/keys', 'Keys');
    await world.press('Create key');
    await world.dialog.getByLabel('Scope').selectOption('read');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Create key');
    const key = (await world.dialog.getByText(/^sk_/).textContent()) ?? '';
    await world.pressIn('I have saved it');
    const row = page.getByRole('row', { name: key.slice(0, 15) });
    await row.getByText('active').waitFor();
    expect(await page.content()).not.toContain(key);

    const reader = await Visitor.come(world.browser, world.platform);
    await reader.signInByKey(key);
    await reader.open('/keys', 'Keys');
    expect(await reader.page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Revoke' }).click();
    await world.pressIn('Revoke');
    await row.getByText('revoked').waitFor();
    await reader.page.reload();
    await reader.page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();
    await reader.leave();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('the audit says who changed what, by author and action, leads to the object, and is saved as a file', async () => {
    const { page } = world.visitor;
    const { body } = await world.platform.post('/v1/segments', { name: 'Audited', type: 'static' });
    const id = String(body.data.segmentId);
    const author = `key ${world.platform.keys.secret.slice(0, 15)}`;
    await world.visitor.open('/audit', 'Audit');
    const row = page.getByRole('row', { name: id });
    await row.getByRole('link', { name: author }).click();
    await page.getByRole('cell', { name: 'console.sign-in' }).first().waitFor({ state: 'detached' });
    await hasValue(page.getByLabel('By', { exact: true }), author);
    await page.getByLabel('Action', { exact: true }).selectOption('segment.create');
    await page.getByRole('cell', { name: 'key.create' }).first().waitFor({ state: 'detached' });
    expect(await world.visitor.hindrances()).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), world.press('Export CSV of changes')]);
    expect(readFileSync(await download.path(), 'utf8')).toContain(`"segment.create","${id}"`);
    await row.getByRole('link', { name: id }).click();
    await page.getByRole('heading', { level: 1, name: 'Audited' }).waitFor();
  });

  test('a project is renamed, and its unsubscribe page has the new name', async () => {
    await world.visitor.open('/settings', 'Settings');
    const { page } = world.visitor;
    await page.getByRole('button', { name: 'Rename project' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Fern & Bloom');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('strong', { hasText: 'Fern & Bloom' }).waitFor();
    const { body } = await world.platform.get('/v1/settings');
    expect(body.data.name).toBe('Fern & Bloom');
  });

  test('what is followed is said for the project, and stays said', async () => {
    await world.visitor.open('/settings', 'Settings');
    const { page } = world.visitor;
    const followed = page.getByRole('group', { name: 'Transactional mail' });
    const opens = followed.getByLabel(/^Track opens/);
    // The box is unchecked by the answer, not by the click.
    await opens.click();
    await followed.getByRole('checkbox', { name: /^Track opens/, checked: false, disabled: false }).waitFor();
    await page.reload();
    await opens.waitFor();
    expect(await opens.isChecked()).toBe(false);
    const { body } = await world.platform.get('/v1/settings');
    expect(body.data.tracking.transactional).toEqual({ opens: false, clicks: true });
  });
}
