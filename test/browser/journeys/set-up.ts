import { eventually } from '../../support/platform';
import type { World } from '../support/world';

/** Domains, webhooks and billing. */
export function setUpJourneys(world: World): void {
  test('a domain is added and asked for; what is expected stands beside what was found', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/domains', 'Domains');
    await world.press('Add domain');
    await world.dialog.getByLabel('Domain').fill('not a domain');
    await world.pressIn('Add');
    await world.dialog.getByText(/^domain: /).waitFor();
    await world.dialog.getByLabel('Domain').fill('mail.example.com');
    await world.pressIn('Add');
    await page.getByRole('link', { name: 'mail.example.com' }).click();
    await page.getByText('Permitted senders (SPF)').waitFor();
    await world.press('Check now');
    await eventually('DNS was asked', async () => {
      const { body } = await world.platform.get('/v1/domains');
      return body.data.data[0].lastCheckedAt;
    });
    await page.getByText('All records as a zone file').click();
    expect(await page.locator('details.card pre').textContent()).toContain('v=spf1');
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a webhook is added: its secret is shown once', async () => {
    await world.visitor.open('/webhooks', 'Webhooks');
    await world.press('Add webhook');
    await world.dialog.getByLabel('Address').fill('https://example.com/hooks');
    await world.pressIn('Save');
    await world.dialog.getByText(/^whsec_/).waitFor();
    await world.pressIn('I have kept it');
    await world.visitor.page.getByRole('link', { name: 'https://example.com/hooks' }).click();
    await world.press('Switch off');
    await world.visitor.page.getByRole('button', { name: 'Switch on' }).waitFor();
    const { body } = await world.platform.get('/v1/webhooks');
    expect(body.data.data).toMatchObject([{ enabled: false, events: ['email.delivered', 'email.bounced'] }]);
  });

  test('a cap is set, and taken away', async () => {
    await world.visitor.open('/billing', 'Billing');
    await world.press('Change caps');
    await world.dialog.getByLabel('Campaigns').fill('500');
    await world.pressIn('Save');
    await world.visitor.page.getByText('0 of 500').waitFor();
    await world.press('Change caps');
    await world.dialog.getByLabel('Campaigns').fill('');
    await world.pressIn('Save');
    await world.visitor.page.getByText('0 of 500').waitFor({ state: 'detached' });
    const { body } = await world.platform.get('/v1/billing');
    expect(body.data.categories.campaign.limit).toBeNull();
  });
}
