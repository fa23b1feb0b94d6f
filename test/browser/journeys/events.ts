import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { REFUSAL } from '../support/refusal';
import type { World } from '../support/world';

/** The event log, and what leaves lists as a file. */
export function eventJourneys(world: World): void {
  async function fileOf(button: string): Promise<{ readonly name: string; readonly text: string }> {
    const [download] = await Promise.all([world.visitor.page.waitForEvent('download'), world.press(button)]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  }

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

  test('the contacts of a choice are saved as the file that the API makes of them', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'out@events.example', subscribed: false });
    await world.platform.post('/v1/contacts', { email: 'away@events.example', subscribed: false });
    await world.visitor.open('/contacts?subscribed=false&search=out@', 'Contacts');
    await page.getByRole('link', { name: 'out@events.example' }).waitFor();
    await page.getByText('1 row').waitFor();
    const { name, text } = await fileOf('Export CSV of contacts');
    expect([name, text.split(',', 3).join(), text.match(/\w+@events.example/g)]).toEqual([
      'contacts.csv',
      '\uFEFFemail,firstName,lastName',
      ['out@events.example'],
    ]);
    expect(await world.visitor.hindrances()).toEqual([]);
  });

  test('a list is saved whole, by its filters, with nothing that a spreadsheet would calculate', async () => {
    const { page } = world.visitor;
    const many = 120;
    for (let n = 0; n < many; n++)
      await world.platform.post('/v1/events', { name: 'sheet.row', email: 'eli@events.example', data: { n, note: '=1+1' } });
    await world.platform.post('/v1/suppressions', { email: '+sum@events.example' });
    await world.visitor.open('/events?name=sheet.row', 'Events');
    await page.getByText('First 50').waitFor();
    const events = parse<Record<string, string>>((await fileOf('Export CSV of events')).text, { columns: true, bom: true });
    expect(events.map(({ name, data }) => [name, JSON.parse(data ?? '')])).toEqual(
      Array.from({ length: many }, (_, n) => ['sheet.row', { n: many - 1 - n, note: '=1+1' }]),
    );
    await world.visitor.open('/suppressions?search=sum@', 'Suppressions');
    const [row] = parse<Record<string, string>>((await fileOf('Export CSV of suppressions')).text, { columns: true, bom: true });
    expect(row).toMatchObject({ email: "'+sum@events.example", reason: 'manual' });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('an export says how far it is, can be cancelled, and says why it failed', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/events?name=sheet.row', 'Events');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/v1/events?*cursor=*', async (route) => {
      await held;
      await route.continue();
    });
    await world.press('Export CSV of events');
    await page.getByText('Exporting 50 rows').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Cancel export');
    release();
    await page.getByRole('button', { name: 'Export CSV of events' }).waitFor();
    await page.unroute('**/v1/events?*cursor=*');
    await page.route('**/v1/events?*', (route) => route.fulfill(REFUSAL));
    await world.press('Export CSV of events');
    await page.getByText('Not at this moment').waitFor();
    await page.unroute('**/v1/events?*');
  });
}
