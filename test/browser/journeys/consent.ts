import type { World } from '../support/world';

const BRAND = { name: 'Paper & Quill', address: 'Main Street 1\n1010 Vienna', logoUrl: null, color: '#ffdd00', css: null };

/** Topics, the brand, and the page on which recipients choose. */
export function consentJourneys(world: World): void {
  test('a topic is created, changed, chosen for a contact, and deleted', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/topics', 'Topics');
    await page.getByText('No topics yet').waitFor();
    await world.press('New topic');
    await world.dialog.getByLabel('Name', { exact: true }).fill('News');
    await world.dialog.getByLabel('Key').fill('news');
    await world.dialog.getByLabel('Names in other languages').fill('Neuigkeiten');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Create topic');
    await world.dialog.getByText('“Neuigkeiten” has no language').waitFor();
    await world.dialog.getByLabel('Names in other languages').fill('de: Neuigkeiten');
    await world.pressIn('Create topic');
    const row = page.getByRole('row', { name: 'news' });
    await row.getByRole('button', { name: 'Edit' }).click();
    await world.dialog.getByLabel('Description').fill('Once a month');
    await world.pressIn('Save topic');
    await row.getByText('Once a month').waitFor();

    const { body } = await world.platform.post('/v1/contacts', { email: 'reader@example.com' });
    const { contactId } = body.data as { contactId: string };
    await world.visitor.open(`/contacts/${contactId}`, 'reader@example.com');
    await page.getByRole('checkbox', { name: /^News/ }).click();
    await page.getByText(/^API or console, /).waitFor();
    await page.getByText('News · API or console').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    const topics = await world.platform.get(`/v1/contacts/${contactId}/topics`);
    expect(topics.body.data.data).toMatchObject([{ key: 'news', subscribed: false, explicit: true, source: 'api' }]);

    await world.visitor.open('/campaigns/new', 'New campaign');
    await page.getByLabel('Topic').selectOption('News');
    await page.getByRole('link', { name: 'not in the topic' }).waitFor();
    await page.getByLabel('Topic').selectOption('');
    await world.visitor.open('/templates/new', 'New template');
    await page.getByRole('group', { name: 'The template' }).getByLabel('Type').selectOption('marketing');
    await page.getByLabel('Topic').selectOption('News');
    expect(await world.visitor.hindrances()).toEqual([]);

    await world.visitor.open('/topics', 'Topics');
    await row.getByRole('button', { name: 'Delete' }).click();
    await world.pressIn('Delete');
    await page.getByText('No topics yet').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a campaign without a postal address says so before it is sent; the brand gets one, and its footer shows it', async () => {
    const { page } = world.visitor;
    const draft = { name: 'Autumn', subject: 'Autumn', body: '<p>Hello</p>', fromEmail: 'team@hello.test' };
    const { campaignId } = (await world.platform.post('/v1/campaigns', draft)).body.data as { campaignId: string };
    await world.visitor.open(`/campaigns/${campaignId}`, 'Autumn');
    await world.press('Send campaign …');
    await world.dialog.getByText('The footer has no postal address').waitFor();
    await world.dialog.getByRole('link', { name: 'Add one in the settings' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await world.press('Edit brand');
    await world.dialog.getByLabel('Name').fill(BRAND.name);
    await world.dialog.getByLabel('Postal address').fill(BRAND.address);
    await world.dialog.getByLabel('Color').fill('yellow');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Save brand');
    await world.dialog.getByText('brand.color: Must be a color like #1a7f5a').waitFor();
    await world.dialog.getByLabel('Color').fill(BRAND.color);
    await world.pressIn('Save brand');
    await page.frameLocator('iframe.message').getByText('1010 Vienna').waitFor();
    expect((await world.platform.get('/v1/settings')).body.data.brand).toEqual(BRAND);
    await world.visitor.open(`/campaigns/${campaignId}`, 'Autumn');
    await world.press('Send campaign …');
    await world.dialog.getByLabel('When').waitFor();
    expect(await world.dialog.getByText('The footer has no postal address').count()).toBe(0);
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a recipient chooses on a narrow window, without scripts and with the keyboard alone', async () => {
    await world.platform.post('/v1/topics', { key: 'offers', name: 'Offers', description: 'Twice a week', defaultSubscription: 'in' });
    const id = await world.platform.send('chooser@example.com', { subject: 'News', type: 'marketing' });
    await world.platform.untilStatus(id, 'delivered');
    const text = world.platform.arrived('chooser@example.com').at(-1)?.raw.toString().replaceAll('=\r\n', '') ?? '';
    const [place = ''] = /\/p\/[0-9a-z.]+/.exec(text) ?? [];
    await world.visitor.page.setViewportSize({ width: 360, height: 640 });
    await world.visitor.page.goto(world.platform.url + place);
    expect([await world.visitor.hindrances(), await world.visitor.overflows(), await world.visitor.misdeeds()]).toEqual([[], false, []]);
    await world.visitor.page.setViewportSize({ width: 1_280, height: 800 });

    const context = await world.browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
    const page = await context.newPage();
    await page.goto(world.platform.url + place);
    await page.getByRole('checkbox', { name: /Offers/ }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('radio', { name: 'Pause for 2 weeks' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Save preferences' }).press('Enter');
    await page.getByRole('status').getByText('Your preferences are saved.').waitFor();
    expect(await page.getByRole('checkbox', { name: /Offers/ }).isChecked()).toBe(false);
    await page.getByRole('radio', { name: /^Stay paused until/, checked: true }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await page.getByRole('radio', { name: 'No break', checked: true }).waitFor();
    expect(await page.getByRole('checkbox', { name: /Offers/ }).isChecked()).toBe(true);
    await page.getByLabel('Reason (optional)').selectOption('Too many emails');
    await page.getByRole('button', { name: 'Unsubscribe from everything' }).press('Enter');
    await page.getByRole('button', { name: 'Subscribe again' }).press('Enter');
    await page.getByRole('status').getByText('can send you marketing email again').waitFor();
    await context.close();
  });
}
