import { readFileSync } from 'node:fs';
import type { World } from '../support/world';

/** The event log, and what leaves the list of contacts as a file. */
export function eventJourneys(world: World): void {
  test('an event appears by itself in the log while that is live, and a filter finds it again', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/events', 'Events');
    await world.platform.post('/v1/events', { name: 'boat.rented', email: 'eli@events.example', data: { days: 3 } });
    const row = page.getByRole('row', { name: /boat\.rented/ });
    await row.getByText('3', { exact: true }).waitFor();
    await page.getByLabel('Live').uncheck();
    await page.getByLabel('Event name').fill('boat.sunk');
    await page.getByText('No matching events').waitFor();
    await page.getByLabel('Event name').fill('boat.rented');
    await row.getByRole('link', { name: 'Contact' }).click();
    await page.getByRole('heading', { level: 1, name: 'eli@events.example' }).waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('the contacts of a choice are saved as a file', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'out@events.example', subscribed: false });
    await world.visitor.open('/contacts?subscribed=false', 'Contacts');
    await page.getByRole('link', { name: 'out@events.example' }).waitFor();
    const coming = page.waitForEvent('download');
    await world.press('Export contacts');
    const download = await coming;
    const text = readFileSync(await download.path(), 'utf8');
    expect([download.suggestedFilename(), text.includes('out@events.example'), text.includes('eli@events.example')]).toEqual([
      'contacts.csv',
      true,
      false,
    ]);
    expect(await world.visitor.hindrances()).toEqual([]);
  });
}
