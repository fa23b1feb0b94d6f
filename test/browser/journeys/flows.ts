import type { World } from '../support/world';
import { hasValue } from '../support/waits';

/** How many clicks the commonest work takes. Who adds a step on the way sees it here. */
export function flowJourneys(world: World): void {
  const link = (name: string): Promise<void> => world.visitor.page.getByRole('link', { name, exact: true }).click();
  /** Enter in a field is what the button of its form does. */
  const enter = (): Promise<void> => world.visitor.page.keyboard.press('Enter');
  const heading = (name: string | RegExp): Promise<void> => world.visitor.page.getByRole('heading', { level: 1, name }).waitFor();

  test('a file of contacts is imported with two clicks', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/contacts', 'Contacts');
    const clicks = await world.visitor.clicksOf(async () => {
      await link('Import contacts');
      const buffer = Buffer.from('E-mail;First name\nflo@flows.example;Zoë\n', 'latin1');
      await page.getByLabel('CSV file').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer });
      await world.press('Import contacts');
      await page.getByText(/^All 1 rows? processed/).waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(2);
    // Excel writes such a file in Western languages.
    expect((await world.platform.get('/v1/contacts?search=flo@')).body.data).toMatchObject([{ firstName: 'Zoë' }]);
  });

  test('a domain shows the records to publish after one click', async () => {
    await world.visitor.open('/domains', 'Domains');
    const clicks = await world.visitor.clicksOf(async () => {
      await world.press('Add domain');
      await world.dialog.getByLabel('Domain').fill('mail.flows.example');
      await enter();
      await heading('mail.flows.example');
      await world.visitor.page.getByText('Allowed senders (SPF)').waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(1);
  });

  test('a segment of two conditions takes two clicks', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/segments', 'Segments');
    const clicks = await world.visitor.clicksOf(async () => {
      await link('New segment');
      await page.getByLabel('Name', { exact: true }).fill('Subscribed Flo');
      await world.press('Add condition');
      await page.getByRole('group', { name: 'Condition 2' }).getByLabel('Value').fill('flo@flows.example');
      await enter();
      await heading('Subscribed Flo');
    });
    expect(clicks).toBeLessThanOrEqual(2);
  });

  test('a webhook is added with one click, and so is a suppression', async () => {
    await world.visitor.open('/webhooks', 'Webhooks');
    const added = await world.visitor.clicksOf(async () => {
      await world.press('Add webhook');
      await world.dialog.getByLabel('URL').fill('https://flows.example/hooks');
      await enter();
      await world.visitor.page.getByRole('heading', { name: 'Signing secret' }).waitFor();
    });
    await world.visitor.open('/suppressions', 'Suppressions');
    const suppressed = await world.visitor.clicksOf(async () => {
      await world.press('Suppress address');
      await world.dialog.getByLabel('Email').fill('gone@flows.example');
      await enter();
      await world.visitor.page.getByRole('row', { name: 'gone@flows.example' }).waitFor();
    });
    expect([added, suppressed]).toEqual([1, 1]);
  });

  test('a template is written and kept with one click', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/templates', 'Templates');
    const clicks = await world.visitor.clicksOf(async () => {
      await link('New template');
      await page.getByRole('link', { name: 'Blank' }).and(page.locator(':focus')).waitFor();
      await enter();
      await page.getByLabel('From address').fill('hello@hello.test');
      await page.getByLabel('Subject', { exact: true }).fill('A flow');
      await page.getByLabel('Name', { exact: true }).fill('A flow');
      await enter();
      await page.getByRole('button', { name: 'Publish version 2' }).waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(1);
  });

  // What was sent last from a verified domain is who it is from again.
  const FORMER = { name: 'Former', subject: 'Former', body: '<p></p>', audience: 'all', fromEmail: 'hello@hello.test' };
  const aFormerSender = async (): Promise<void> => {
    await world.platform.post('/v1/contacts', { email: 'flo@flows.example' });
    await world.platform.post('/v1/campaigns', { ...FORMER, fromName: 'Flows & Co' });
  };

  test('a campaign is begun, written, reviewed, sent and followed with three clicks', async () => {
    const { page } = world.visitor;
    await aFormerSender();
    const { body } = await world.platform.post('/v1/segments', { name: 'Flows', type: 'static' });
    await world.platform.post(`/v1/segments/${body.data.segmentId}/members`, { emails: ['flo@flows.example'] });
    await world.platform.post('/v1/campaigns', { ...FORMER, fromEmail: 'us@elsewhere.test' });
    await world.visitor.open('/campaigns', 'Campaigns');
    const clicks = await world.visitor.clicksOf(async () => {
      await link('New campaign');
      await page.getByRole('link', { name: 'Blank' }).and(page.locator(':focus')).waitFor();
      await enter();
      await page.getByRole('combobox', { name: 'Audience' }).selectOption('segment');
      await page.getByLabel('Segment').selectOption({ label: 'Flows' });
      await page.getByLabel('Subject', { exact: true }).fill('In three clicks');
      await hasValue(page.getByLabel('From address'), 'hello@hello.test');
      await hasValue(page.getByLabel('From name'), 'Flows & Co');
      await world.press('Review and send …');
      await world.dialog.getByText('1 of 1 contacts').waitFor();
      // Nothing is sent by Enter alone: the number is read, and its button pressed.
      expect(await world.dialog.locator('button:focus').count()).toBe(0);
      await world.pressIn('Send to 1 recipient');
      await page.getByText('sent', { exact: true }).first().waitFor();
      await page.getByText('Delivered', { exact: true }).first().waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(3);
  });

  test('a message of the log is opened with one click', async () => {
    await world.platform.send('log@flows.example', { subject: 'In the log' });
    await world.visitor.open('/mail?to=log%40flows.example', 'Mail log');
    const clicks = await world.visitor.clicksOf(async () => {
      await link('In the log');
      await heading('In the log');
    });
    expect(clicks).toBe(1);
  });

  test('an automation is drawn, rehearsed and activated with five clicks', async () => {
    const { page } = world.visitor;
    await aFormerSender();
    await world.visitor.open('/automations', 'Automations');
    const clicks = await world.visitor.clicksOf(async () => {
      await world.press('New automation');
      await world.dialog.getByLabel('Name', { exact: true }).fill('Thanks');
      await world.dialog.getByLabel('Event name').fill('flow.ended');
      await enter();
      await page.getByRole('button', { name: /^Add after Trigger/ }).click();
      await world.dialog.getByRole('button', { name: 'Send email', exact: true }).click();
      await page.getByLabel('Subject', { exact: true }).fill('Thank you');
      await hasValue(page.getByLabel('From address'), 'hello@hello.test');
      await page.getByText('No errors.').waitFor();
      await world.press('Save and rehearse');
      await heading('Rehearse Thanks');
      await page.getByLabel('Find contact').fill('flo@');
      await page.getByLabel('Contact', { exact: true }).selectOption({ label: 'flo@flows.example' });
      await page.getByText('Thank you').first().waitFor();
      await world.press('Activate');
      await page.getByRole('button', { name: 'Pause' }).waitFor();
    });
    expect(clicks).toBeLessThanOrEqual(5);
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
