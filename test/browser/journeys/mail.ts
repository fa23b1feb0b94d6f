import type { World } from '../support/world';

/** The mail log. */
export function mailJourneys(world: World): void {
  test('a message that was sent is found by its recipient, with what the mail server said', async () => {
    const { page } = world.visitor;
    const id = await world.platform.send('grace@example.com', { subject: 'Your invoice' });
    await world.platform.send('someone-else@example.com', { subject: 'Not this one' });
    await world.platform.untilStatus(id, 'delivered');
    await world.visitor.open('/mail', 'Mail log');
    await page.getByLabel('Recipient').fill('grace@example.com');
    await page.getByText('Not this one').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'Your invoice' }).click();
    await page.getByText('email.delivered').waitFor();
    await page.getByText('250').first().waitFor();
    await page.getByRole('tab', { name: 'Text' }).press('Enter');
    await page.getByRole('tabpanel', { name: 'Text' }).getByText('Hello').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
