import { stored } from '../../support/data/stored';
import { REFUSAL } from '../support/refusal';
import type { World } from '../support/world';

/** Search over everything, from anywhere. */
export function searchJourneys(world: World): void {
  test('Ctrl+K finds contacts, campaigns, messages, pages and ids by keyboard alone', async () => {
    const { page } = world.visitor;
    const { body } = await world.platform.post('/v1/contacts', { email: 'findable@search.example' });
    await world.platform.send('findable@search.example', { subject: 'Findable parcel' });
    const draft = { name: 'Findable campaign', subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'hello@hello.test' };
    const { campaignId } = (await world.platform.post('/v1/campaigns', draft)).body.data as { campaignId: string };
    const row = await stored.campaigns.collection.findOne({ _id: campaignId });
    const later = Array.from({ length: 200 }, (_, n) => ({ ...row, _id: `cmp_later${n}`, name: 'Later', createdAt: new Date() }));
    try {
      await stored.campaigns.collection.insertMany(later);
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
      await search('parcel', 'Findable parcel Message');
      await page.getByRole('heading', { level: 1, name: 'Findable parcel' }).waitFor();
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
    } finally {
      await stored.campaigns.collection.deleteMany({ name: 'Later' });
    }
  });

  test('a search of subjects that ended before it found one continues in the mail log', async () => {
    const { page } = world.visitor;
    const [texts, unfinished] = [[] as (string | null)[], { success: true, data: [], nextCursor: 'there-is-more' }];
    await page.route('**/v1/emails?*', (route) => {
      texts.push(new URL(route.request().url()).searchParams.get('subject'));
      return route.fulfill({ json: unfinished });
    });
    try {
      await world.visitor.open('/', 'Home');
      texts.length = 0;
      await page.keyboard.press('Control+k');
      const text = world.dialog.getByRole('combobox', { name: 'Search' });
      await text.fill('zq');
      await world.dialog.getByText('No results').waitFor();
      expect(texts).toEqual([]);
      await text.fill('zqx');
      await world.dialog.getByRole('option', { name: 'Continue in the mail log Mail log' }).waitFor();
      await page.unroute('**/v1/emails?*');
      await text.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Mail log' }).waitFor();
      expect(await page.getByLabel('Subject').inputValue()).toBe('zqx');
    } finally {
      await page.unroute('**/v1/emails?*');
    }
  });

  test('a search of which a part failed says so, and shows what the rest has found', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'partly@search.example' });
    await page.route('**/v1/segments?*', (route) => route.fulfill(REFUSAL));
    try {
      await world.visitor.open('/', 'Home');
      await page.keyboard.press('Control+k');
      const text = world.dialog.getByRole('combobox', { name: 'Search' });
      const alert = world.dialog.getByRole('alert').getByText('Search failed for segments: Not at this moment');
      await text.fill('partly@');
      await world.dialog.getByRole('option', { name: 'partly@search.example Contact' }).waitFor();
      await alert.waitFor();
      await text.fill('nothing has this name');
      await alert.waitFor();
      expect([await world.dialog.getByText('No results').count(), await world.visitor.hindrances()]).toEqual([0, []]);
    } finally {
      await page.unroute('**/v1/segments?*');
    }
  });
}
