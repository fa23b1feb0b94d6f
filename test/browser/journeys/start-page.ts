import { eventually } from '../../support/platform/platform';
import type { World } from '../support/world';

const draft = { subject: 'Sale', body: '<p>Sale</p>', fromEmail: 'hello@hello.test' };

/** The start page: what is held, and what stands still. */
export function startPageJourneys(world: World): void {
  test('a campaign that is held says so on the start page, with what ends that, and goes on once that was done', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'summer@example.com' });
    const { body } = await world.platform.post('/v1/campaigns', { ...draft, name: 'Summer sale' });
    const place = `/v1/campaigns/${body.data.campaignId as string}`;
    await world.platform.request('PATCH', '/v1/billing', { monthlyLimitCampaign: 0 });
    await world.platform.post(`${place}/send`, {});
    await world.visitor.open('/', 'Today');
    const held = page.getByRole('region', { name: 'Held mail' });
    await held.getByText('The monthly limit for campaigns (0) is used up').waitFor();
    await held.getByRole('link', { name: 'Summer sale' }).click();
    await page.getByText('this month’s limit is used up. Raise it under Billing').waitFor();
    await world.visitor.open('/billing', 'Billing');
    await world.press('Change limits');
    await world.dialog.getByLabel('Campaigns').fill('');
    await world.pressIn('Save');
    await world.dialog.waitFor({ state: 'detached' });
    await eventually('it was sent', async () => (await world.platform.get(place)).body.data.status === 'sent');
    await world.visitor.open('/', 'Today');
    await page.getByText('Last 24 hours').locator('visible=true').first().waitFor();
    expect(await held.count()).toBe(0);
  });

  test('what stands still without a worker is on the start page, until one runs again', async () => {
    const { page } = world.visitor;
    await world.platform.worker.stop();
    try {
      await world.visitor.open('/', 'Today');
      const still = page.getByRole('region', { name: 'Service interruption' });
      await still.getByText('Outgoing mail, campaigns, automations, imports and webhooks wait: no worker runs').waitFor();
    } finally {
      await world.platform.worker.start();
    }
    await page.getByRole('region', { name: 'Service interruption' }).waitFor({ state: 'detached' });
  });
}
