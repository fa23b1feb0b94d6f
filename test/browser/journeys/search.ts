import type { World } from '../support/world';

/** Search over everything, from anywhere. */
export function searchJourneys(world: World): void {
  test('Ctrl+K finds contacts, campaigns, pages and ids by keyboard alone', async () => {
    const { page } = world.visitor;
    const { body } = await world.platform.post('/v1/contacts', { email: 'findable@search.example' });
    const draft = { name: 'Findable campaign', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'hello@hello.test' };
    await world.platform.post('/v1/campaigns', draft);
    await world.visitor.open('/', 'Home');

    const search = async (text: string, result: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await world.dialog.getByRole('combobox', { name: 'Search' }).fill(text);
      const option = world.dialog.getByRole('option', { name: result });
      await option.waitFor();
      expect(await world.visitor.hindrances()).toEqual([]);
      for (let n = 0; (await option.getAttribute('aria-selected')) !== 'true' && n < 20; n++) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await world.dialog.waitFor({ state: 'detached' });
    };
    await search('findable@', 'findable@search.example Contact');
    await page.getByRole('heading', { level: 1, name: 'findable@search.example' }).waitFor();
    await search('findable c', 'Findable campaign Campaign');
    await page.getByRole('heading', { level: 1, name: 'Findable campaign' }).waitFor();
    await search('suppr', 'Suppressions Page');
    await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor();
    await search(body.data.contactId as string, `${body.data.contactId as string} Contact`);
    await page.getByRole('heading', { level: 1, name: 'findable@search.example' }).waitFor();
    await page.keyboard.press('Control+k');
    await world.dialog.getByRole('combobox', { name: 'Search' }).fill('nothing has this name');
    await world.dialog.getByText('No results').waitFor();
    await page.keyboard.press('Escape');
    await world.dialog.waitFor({ state: 'detached' });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
