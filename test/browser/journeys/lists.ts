import { NARROW, WIDE } from '../support/browser';
import type { World } from '../support/world';

/** Lists that are searched, filtered and sorted. */
export function listJourneys(world: World): void {
  test('a list is filtered by name and status, and sorted by keyboard once all of it is there', async () => {
    const { page } = world.visitor;
    const draft = { subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'hello@hello.test' };
    for (const name of ['Sorted 2', 'Sorted 10', 'sorted 1']) await world.platform.post('/v1/campaigns', { ...draft, name });
    await world.visitor.open('/campaigns', 'Campaigns');
    await page.getByLabel('Name', { exact: true }).fill('SORTED');
    await page.getByText('3 rows').waitFor();
    await page.getByLabel('Status').selectOption('sent');
    await page.getByText('No matching campaigns').waitFor();
    await page.getByLabel('Status').selectOption('draft');
    const names = () => page.getByRole('link', { name: /^sorted/i }).allTextContents();
    const head = page.getByRole('columnheader', { name: 'Campaign' });
    const sorted = (direction: string) => head.and(page.locator(`[aria-sort="${direction}"]`)).waitFor();
    const upwards = ['sorted 1', 'Sorted 2', 'Sorted 10'];
    await sorted('none');
    await head.getByRole('button').press('Enter');
    await sorted('ascending');
    expect(await names()).toEqual(upwards);
    await head.getByRole('button').press('Enter');
    await sorted('descending');
    await page.reload();
    await page.setViewportSize({ ...NARROW, width: 360 });
    await sorted('descending');
    expect(await names()).toEqual(upwards.toReversed());
    expect([await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([[], false]);
    await head.getByRole('button').click();
    await sorted('none');
    await page.setViewportSize(WIDE);
  });

  test('of contacts that are more than a page only what the API sorts is offered, and sorts them all', async () => {
    const { page } = world.visitor;
    for (let n = 0; n < 51; n++) await world.platform.post('/v1/contacts', { email: `many-${n}@order.example` });
    await world.visitor.open('/contacts?search=order.example', 'Contacts');
    await page.getByText('First 50').waitFor();
    expect(await page.locator('th.sorts').allTextContents()).toEqual(['Added']);
    await page.getByRole('columnheader', { name: 'Added' }).getByRole('button').click();
    await page.getByRole('link', { name: 'many-0@order.example' }).waitFor();
    expect(
      await page
        .getByRole('link', { name: /order\.example/ })
        .first()
        .textContent(),
    ).toBe('many-0@order.example');
    await world.press('Show more');
    await page.getByText('51 rows').waitFor();
    await page.getByRole('columnheader', { name: 'Contact' }).waitFor();
    expect(await page.locator('th.sorts').allTextContents()).toEqual(expect.arrayContaining(['Contact', 'Name', 'Added']));
    await page.getByRole('columnheader', { name: 'Contact' }).getByRole('button').click();
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Contact' }).waitFor();
    expect((await page.getByRole('link', { name: /order\.example/ }).allTextContents()).slice(1, 3)).toEqual([
      'many-1@order.example',
      'many-2@order.example',
    ]);
    const emails = Array.from({ length: 51 }, (_, n) => `many-${n}@order.example`);
    await world.platform.post('/v1/contacts/bulk', { action: 'delete', emails });
  });
}
