import { stored } from '../../support/data/stored';
import { addRefusedDomain } from '../support/domains';
import type { World } from '../support/world';
import { hasCount } from '../support/waits';

const draft = { subject: 'Sale', body: '<p>Sale</p>', fromEmail: 'hello@hello.test' };

/** Segments and campaigns. */
export function sendingJourneys(world: World): void {
  test('a segment is built of conditions, counted as it is built, and used by an experiment whose result is seen', async () => {
    const { page } = world.visitor;
    for (const name of ['ida', 'ivy', 'ira']) {
      const email = `${name}@segment.example`;
      await world.platform.post('/v1/contacts', { email, data: { plan: name === 'ira' ? 'free' : 'pro', seats: name === 'ida' ? 5 : 1 } });
    }
    await world.platform.post('/v1/suppressions', { email: 'ivy@segment.example', reason: 'complaint' });
    await world.visitor.open('/segments', 'Segments');
    await page.getByRole('link', { name: 'New segment' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Pro plans');
    const first = page.getByRole('group', { name: 'Condition 1' });
    await first.getByLabel('Property').selectOption('data');
    await first.getByLabel('Field').fill('not a field');
    await page.getByText('Complete the conditions to see matches').waitFor();
    await first.getByLabel('Field').fill('plan');
    await first.getByLabel('Value').fill('PRO');
    await page.getByText('2 contacts match').waitFor();
    await world.press('Add condition');
    const second = page.getByRole('group', { name: 'Condition 2' });
    await second.getByLabel('Property').selectOption('data');
    await second.getByLabel('Field').fill('seats');
    await second.getByLabel('Condition', { exact: true }).selectOption('greaterThanOrEqual');
    await second.getByLabel('Value').fill('5');
    await page.getByText('1 contact matches').waitFor();
    await world.press('Remove condition 2');
    await page.getByText('2 contacts match').waitFor();
    await world.press('Add nested groups');
    await page.getByRole('group', { name: 'Condition 1' }).nth(1).getByLabel('Property').selectOption('message');
    await page.getByRole('group', { name: 'Condition 1' }).nth(1).getByLabel('Condition', { exact: true }).selectOption('countLessThan');
    await page.getByText('2 contacts match').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Save segment');
    await page.getByRole('heading', { level: 1, name: 'Pro plans' }).waitFor();
    await page.getByRole('link', { name: 'ida@segment.example' }).waitFor();
    const { body } = await world.platform.get('/v1/segments');
    const opened = { field: 'email.opened', operator: 'countLessThan', value: 1 };
    expect(body.data.data[0].conditions).toEqual({
      logic: 'and',
      groups: [
        {
          filters: [{ field: 'data.plan', operator: 'equals', value: 'PRO' }],
          conditions: { logic: 'or', groups: [{ filters: [opened] }] },
        },
      ],
    });

    await world.visitor.open('/campaigns', 'Campaigns');
    await page.getByRole('link', { name: 'New campaign' }).click();
    await page.getByRole('link', { name: 'Blank' }).click();
    await page.getByLabel('Name', { exact: true }).fill('News for pros');
    await page.getByRole('combobox', { name: 'Audience' }).selectOption('segment');
    await page.getByLabel('Segment').selectOption({ label: 'Pro plans' });
    await page.getByText('1 of 2 contacts').waitFor();
    await page.getByText('complaint: reported a message as spam').waitFor();
    await page.getByLabel('From address').fill('hello@hello.test');
    await page.getByLabel('Subject', { exact: true }).fill('What is new');
    await page.getByLabel('Subject B').fill('Three new things');
    await page.getByLabel('Sample size (%)').fill('100');
    await world.press('HTML');
    await page.getByLabel('HTML').fill('<p>Hello {{email}}</p>');
    await page.getByLabel('Preview as contact').fill('ida@segment.example');
    await page.frameLocator('iframe.message').getByText('Hello ida@segment.example').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Save draft');
    await page.getByRole('heading', { level: 1, name: 'News for pros' }).waitFor();
    await world.press('Send campaign …');
    await world.pressIn('Send to 1 recipient');
    await page.getByText('Skipped').first().waitFor();
    await page.getByRole('link', { name: 'ida@segment.example' }).waitFor();
    await page.getByText('A/B test').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a campaign is sent after its number was stated, is followed, and another one is called off', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'winter@example.com' });
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'equals', value: 'winter@example.com' }] }] };
    for (const name of ['Winter sale', 'Spring sale']) {
      await world.platform.post('/v1/campaigns', { ...draft, audience: 'filter', filter, name });
    }
    await world.visitor.open('/campaigns', 'Campaigns');
    await page.getByRole('link', { name: 'Winter sale' }).click();
    await page.getByText('email is “winter@example.com”').waitFor();
    await world.press('Send campaign …');
    await world.dialog.getByText('1 of 1 contacts').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Send to 1 recipient');
    const state = page.locator('.badge');
    await state
      .filter({ hasText: /^sent$/ })
      .first()
      .waitFor();
    await page.getByLabel('Status').selectOption('pending');
    await page.getByText('No recipients with this status').waitFor();
    await page.getByLabel('Status').selectOption('sent');
    await page.getByRole('link', { name: 'winter@example.com' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sale' }).waitFor();

    await world.visitor.open('/campaigns', 'Campaigns');
    await page.getByRole('link', { name: 'Spring sale' }).click();
    await world.press('Send campaign …');
    await world.dialog.getByLabel('When').selectOption('later');
    await world.dialog.getByLabel('Send at').fill('2020-01-01T09:00');
    await world.pressIn('Schedule for 1 recipient');
    await world.dialog.getByText('scheduledFor').waitFor();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
    await world.dialog.getByLabel('Send at').fill(tomorrow);
    await world.pressIn('Schedule for 1 recipient');
    await world.press('Cancel campaign');
    await world.pressIn('Cancel campaign');
    await state.filter({ hasText: 'cancelled' }).waitFor();
    const campaigns = (await world.platform.get('/v1/campaigns')).body.data.data as readonly {
      readonly name: string;
      readonly status: string;
    }[];
    expect(campaigns.slice(0, 2).map(({ name, status }) => [name, status])).toEqual([
      ['Spring sale', 'cancelled'],
      ['Winter sale', 'sent'],
    ]);
  });

  test('the checks before a launch are read, and a launch that they block is forced with a reason', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'checked@example.com' });
    await addRefusedDomain(world, 'boats.example');
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'equals', value: 'checked@example.com' }] }] };
    const body = '<p>Sale for {{firstName}} on our new boats, see <a href="www.boats.example">all of them</a> today.</p>';
    const variants = { de: { subject: 'Boote', body: '<p>Unsere neuen Boote, und alle im Angebot: <img src="boat.png"></p>' } };
    const boats = { name: 'Boats', subject: 'Sale', body, fromEmail: 'sales@boats.example', audience: 'filter', filter, variants };
    const { body: made } = await world.platform.post('/v1/campaigns', boats);
    await world.visitor.open(`/campaigns/${made.data.campaignId as string}`, 'Boats');
    const standing = page.locator('section.card', { has: page.getByRole('heading', { name: 'Checks' }) });
    await standing.getByText('{{firstName}}: 100 %, of a sample of 1').waitFor();
    await world.visitor.open(`/campaigns/${made.data.campaignId as string}/edit`, 'Edit Boats');
    await standing.getByText('images (German)').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.visitor.open(`/campaigns/${made.data.campaignId as string}`, 'Boats');
    await world.press('Send campaign …');
    const checks = world.dialog.getByRole('region', { name: 'Checks before the launch' });
    await checks.getByText('its policy asks receivers to quarantine or reject it').waitFor();
    await checks.getByText('www.boats.example does not begin with https://').waitFor();
    await checks.getByText(/checks passed/).click();
    await checks.getByText('The From domain is verified.').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Send to 1 recipient');
    await world.dialog.getByText('To send anyway').waitFor();
    await checks.getByLabel('Send anyway').check();
    await checks.getByLabel('Reason').fill('The key comes back today');
    await world.pressIn('Send to 1 recipient');
    await world.dialog.waitFor({ state: 'detached' });
    await page
      .locator('.badge')
      .filter({ hasText: /^sent$/ })
      .first()
      .waitFor();
    const { reason } = await stored.audit.get({ subject: made.data.campaignId as string, action: 'campaign.send_forced' });
    expect(reason).toBe('The key comes back today');
  });

  test('a campaign is paused, corrected for the remaining recipients, and resumed', async () => {
    const { page } = world.visitor;
    for (const name of ['may', 'mia', 'max']) await world.platform.post('/v1/contacts', { email: `${name}@paused.example` });
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@paused.example' }] }] };
    const variants = { de: { subject: 'Angbeot', body: '<p>Angebot</p>' } };
    const mayday = { ...draft, subject: 'Sael', variants, audience: 'filter', filter, name: 'Mayday' };
    const { body } = await world.platform.post('/v1/campaigns', mayday);
    const place = `/v1/campaigns/${body.data.campaignId as string}`;
    await world.platform.post(`${place}/send`, { throttlePerMinute: 1 });
    await world.visitor.open(`/campaigns/${body.data.campaignId as string}`, 'Mayday');
    await page.getByText('1 of 3 recipients processed').waitFor();
    await world.press('Pause campaign');
    await world.pressIn('Pause campaign');
    await world.toast('Paused: 1 sent, 0 in flight, 2 remaining').waitFor();
    await world.press('Correct content …');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.dialog.getByLabel('Subject').fill('Sale');
    await world.pressIn('Blocks');
    await world.pressIn('Replace the HTML');
    await world.pressIn('Edit design');
    await world.pressIn('Done');
    await world.dialog.getByRole('tab', { name: 'German' }).click();
    await world.dialog.getByLabel('Subject').fill('Angebot');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Save correction');
    await world.dialog.waitFor({ state: 'detached' });
    await world.press('Correct content …');
    await world.dialog.getByLabel('From name').fill('Mia');
    // Somebody else's correction, of which the page hears behind the dialog, stays.
    await world.platform.post(`${place}/revise`, { subject: 'Sale today', previewText: 'Only today' });
    await page.waitForResponse(async (response) => response.url().endsWith(place) && (await response.text()).includes('Sale today'));
    await world.pressIn('Save correction');
    await world.dialog.waitFor({ state: 'detached' });
    await world.press('Resume campaign');
    await page.getByRole('button', { name: 'Pause campaign' }).waitFor();
    expect((await world.platform.get(place)).body.data).toMatchObject({
      subject: 'Sale today',
      previewText: 'Only today',
      fromName: 'Mia',
      contentVersion: 4,
      heldReason: null,
      bodyBlocks: { blocks: expect.any(Array) },
      variants: { de: { subject: 'Angebot', body: '<p>Angebot</p>' } },
    });
    await world.platform.post(`${place}/cancel`, {});
  });

  test('a campaign is planned by hour before it is sent at the local time of each recipient', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'wien@local.example', timezone: 'Europe/Vienna' });
    await world.platform.post('/v1/contacts', { email: 'somewhere@local.example' });
    await world.platform.post('/v1/contacts', { email: 'gone@local.example' });
    await world.platform.post('/v1/suppressions', { email: 'gone@local.example', reason: 'complaint' });
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@local.example' }] }] };
    const { body } = await world.platform.post('/v1/campaigns', { ...draft, audience: 'filter', filter, name: 'Breakfast' });
    const place = `/v1/campaigns/${body.data.campaignId as string}`;
    await world.visitor.open(`/campaigns/${body.data.campaignId as string}`, 'Breakfast');
    await world.press('Send campaign …');
    await world.dialog.getByLabel('When').selectOption('local');
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await world.dialog.getByLabel('Send at').fill(`${day}T09:00`);
    await world.dialog.getByLabel('If the time has passed there').selectOption('nextDay');
    await world.dialog.getByLabel('If the time zone is unknown').fill('America/New_York');
    await world.pressIn('Show plan');
    await world.dialog.getByText(/^2 recipients, /).waitFor();
    await world.dialog.getByText('1 without a known time zone').waitFor();
    await world.dialog.getByText('1: complaint: reported a message as spam').last().waitFor();
    await hasCount(world.dialog.locator('.plan-bars rect'), 2);
    await world.dialog.getByText('Show as a table').click();
    await world.dialog.getByRole('cell', { name: 'Europe/Vienna 1' }).waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    expect((await world.platform.get(place)).body.data.status).toBe('draft');
    await world.dialog.getByLabel('Limit per minute').fill('100');
    await world.dialog.getByText(/^2 recipients, /).waitFor({ state: 'detached' });
    await world.pressIn('Schedule for 2 recipients');
    await page.getByText(`${day} 09:00 on each recipient’s clock (America/New_York if unknown)`).waitFor();
    await world.press('Show plan');
    await page.getByText(/^2 recipients, /).waitFor();
    expect((await world.platform.get(place)).body.data).toMatchObject({
      status: 'scheduled',
      throttlePerMinute: 100,
      localTime: {
        at: `${day}T09:00`,
        passed: 'nextDay',
        fallback: 'America/New_York',
      },
    });
    await world.platform.post(`${place}/cancel`, {});
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
