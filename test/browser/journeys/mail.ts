import type { World } from '../support/world';

/** The mail log. */
export function mailJourneys(world: World): void {
  test('of an address that gets nothing the log says why, and an opt-out is shown with the message that led to it', async () => {
    const { page } = world.visitor;
    const id = await world.platform.send('leaver@example.com', { subject: 'News', type: 'marketing' });
    await world.platform.untilStatus(id, 'delivered');
    const [mail] = world.platform.arrived('leaver@example.com');
    const [, address = ''] = /<(http[^>]+)>/.exec(mail?.headers['list-unsubscribe'] ?? '') ?? [];
    await fetch(world.platform.url + new URL(address).pathname, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    await world.platform.post('/v1/suppressions', { email: 'suppressed@example.com' });
    await world.visitor.open('/mail?to=suppressed@example.com', 'Mail log');
    await page.getByText('Every message to suppressed@example.com is skipped').waitFor();
    await world.visitor.open('/mail?to=leaver@example.com', 'Mail log');
    await page.getByText('Marketing mail to leaver@example.com is skipped').waitFor();
    await page.getByRole('link', { name: 'View contact' }).click();
    await page.getByText('One-click unsubscribe', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'View message', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'News' }).waitFor();
  });

  test('the log shows the messages of a range of days, which names its time zone and stays in the address', async () => {
    const { page } = world.visitor;
    const id = await world.platform.send('range@example.com', { subject: 'In range' });
    const dayOf = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    await world.platform.untilStatus(id, 'delivered');
    await world.visitor.open('/mail?to=range@example.com', 'Mail log');
    await page.getByText('Days in UTC').waitFor();
    const found = page.getByRole('link', { name: 'In range' });
    await page.getByLabel('To day').fill(dayOf(-1));
    await page.getByText('No matching messages').waitFor();
    // The last day counts to its end, also if the day changes meanwhile.
    await page.getByLabel('To day').fill(dayOf(1));
    await found.waitFor();
    await page.getByLabel('From day').fill(dayOf(-1));
    await page.waitForURL(`**/mail?to=*&until=${dayOf(1)}&from=${dayOf(-1)}`);
    await page.reload();
    await found.waitFor();
    await page.getByLabel('From day').fill(dayOf(1));
    await page.getByText('No matching messages').waitFor();
  });

  test('a message that was sent is found by its subject, and by its recipient, with what the mail server said', async () => {
    const { page } = world.visitor;
    const id = await world.platform.send('grace@example.com', { subject: 'Your invoice' });
    await world.platform.send('someone-else@example.com', { subject: 'Not this one' });
    await world.platform.untilStatus(id, 'delivered');
    await world.visitor.open('/mail', 'Mail log');
    await page.getByLabel('Subject').fill('not THIS');
    await page.getByText('Your invoice').waitFor({ state: 'detached' });
    await page.getByText('Not this one').waitFor();
    await page.getByLabel('Subject').fill('');
    await page.getByText('Your invoice').waitFor();
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
