import { NARROW, Visitor } from '../support/browser';
import type { World } from '../support/world';

const DRAFT = { subject: 'Hello', body: '<p>Hello</p>', fromEmail: 'hello@hello.test' };

/** Toasts, and the archive that they undo. */
export function toastJourneys(world: World): void {
  test('campaigns are archived from the list and undone by the toast, and found again by the filter', async () => {
    const { page } = world.visitor;
    for (const name of ['Old one', 'Old two', 'Old three']) await world.platform.post('/v1/campaigns', { ...DRAFT, name });
    await world.visitor.open('/campaigns?search=old', 'Campaigns');
    const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await page.getByLabel('Select Old one').check();
    await page.getByLabel('Select Old two').check();
    expect([await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([[], false]);
    await world.press('Archive');
    await row('Old one').waitFor({ state: 'detached' });
    await world.toast('2 campaigns archived.').getByRole('button', { name: 'Undo' }).click();
    await row('Old one').waitFor();
    await row('Old two').getByRole('link').click();
    await world.press('Archive');
    await world.toast('Old two archived.').waitFor();
    await page.getByRole('button', { name: 'Unarchive', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Send campaign …' }).count()).toBe(0);
    await world.visitor.open('/campaigns?search=old', 'Campaigns');
    await page.getByText('2 rows').waitFor();
    await page.getByLabel('Archived', { exact: true }).selectOption('true');
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.getByLabel('Select all').check();
    await world.press('Unarchive');
    await page.getByText('No matching campaigns').waitFor();
    await world.toast('1 campaign unarchived.').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test.each(['automation', 'template', 'segment'])('an archived %s has left its list', async (kind) => {
    const { page } = world.visitor;
    const [path, body, screen] = {
      automation: ['/v1/workflows', { trigger: 'event:a' }, '/automations'],
      template: ['/v1/templates', DRAFT, '/templates'],
      segment: ['/v1/segments', { type: 'static' }, '/segments'],
    }[kind] as [string, object, string];
    await world.platform.post(path, { ...body, name: `Dusty ${kind}` });
    await world.visitor.open(`${screen}?search=dusty`, /./);
    await page.getByRole('link', { name: `Dusty ${kind}` }).click();
    await world.press('Archive');
    await page.getByRole('button', { name: 'Unarchive', exact: true }).waitFor();
    await world.visitor.open(`${screen}?search=dusty`, /./);
    await page.getByText(`No matching ${kind}s`).waitFor();
    await page.getByLabel('Archived', { exact: true }).selectOption('true');
    await page.getByRole('link', { name: `Dusty ${kind}` }).waitFor();
  });

  test('toasts are three at most, leave the page where it is, wait for a pointer and the keyboard, and go after a while', async () => {
    const visitor = await Visitor.come(world.browser, world.platform, { ...NARROW, width: 360 });
    const { page } = visitor;
    await visitor.signIn();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.platform.url });
    await page.clock.install();
    await visitor.open('/smtp', 'SMTP');
    const copy = page.getByRole('button', { name: /^Copy/ }).first();
    const toasts = page.getByRole('status', { name: /^Notifications/ }).getByRole('listitem');
    const place = await copy.boundingBox();
    for (const shown of [1, 2, 3, 3]) {
      await copy.press('Enter');
      await toasts.nth(shown - 1).waitFor();
    }
    expect([await toasts.count(), await copy.boundingBox()]).toEqual([3, place]);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await visitor.hindrances(), await visitor.overflows()]).toEqual([colorScheme, [], false]);
    }
    await page.emulateMedia({ colorScheme: 'light' });
    await toasts.first().hover();
    await page.clock.fastForward(20_000);
    expect(await toasts.count()).toBe(3);
    await page.keyboard.press('F8');
    await page.mouse.move(5, 5);
    await page.clock.fastForward(20_000);
    await page.keyboard.press('Enter');
    await toasts.nth(2).waitFor({ state: 'detached' });
    await copy.and(page.locator(':focus')).waitFor();
    await page.clock.fastForward(10_000);
    await toasts.first().waitFor({ state: 'detached' });
    expect(await visitor.misdeeds()).toEqual([]);
    await visitor.leave();
  });
}
