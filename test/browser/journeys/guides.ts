import { NARROW, Visitor, WIDE } from '../support/browser';
import type { World } from '../support/world';

/** The guides that the API serves. */
export function guideJourneys(world: World): void {
  test('a developer searches the guides, chooses a language once, and copies an example', async () => {
    const developer = await Visitor.come(world.browser, world.platform);
    const { page } = developer;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.platform.url });
    await page.goto(`${world.platform.url}/docs/guides`);
    await page.getByRole('searchbox', { name: 'Search the guides' }).fill('send a message');
    await page.keyboard.press('Enter');
    await page.getByRole('main').getByRole('link', { name: 'Quickstart: Send a message' }).click();

    const examples = page.locator('.example');
    const example = examples.filter({ hasText: 'Ada Lovelace' });
    await example.getByText("value '.status'").waitFor();
    await example.getByRole('tab', { name: 'TypeScript' }).click();
    await example.getByText('await lettermill.send({').waitFor();
    // All examples of the page follow, and so do the arrow keys.
    expect(await page.locator('.tabs > .block:visible').count()).toBe(await examples.count());
    await page.keyboard.press('ArrowRight');
    await example.getByText('sent = api("POST", "/v1/send", {').waitFor();
    expect(await example.getByRole('tab', { selected: true }).innerText()).toBe('Python');

    await example
      .getByRole('tabpanel', { name: 'Python' })
      .locator('..')
      .getByRole('button', { name: 'Copy' })
      .locator('visible=true')
      .click();
    await example.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('sent = api("POST", "/v1/send", {');

    // The choice is kept on other pages.
    await page.goto(`${world.platform.url}/docs/guides/quickstart`);
    expect(await page.getByRole('tab', { selected: true }).first().innerText()).toBe('Python');
    await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Receive webhooks' }).click();
    expect(new URL(page.url()).hash).toBe('#receive-webhooks');
    expect(await developer.misdeeds()).toEqual([]);
    await developer.leave();
  });

  test.each([
    ['a wide screen', WIDE],
    ['a narrow one', NARROW],
  ])('the guides have no hindrance on %s', async (_, viewport) => {
    const reader = await Visitor.come(world.browser, world.platform, viewport);
    for (const path of ['', '/quickstart', '/search?q=webhook']) {
      await reader.page.goto(`${world.platform.url}/docs/guides${path}`);
      expect([path, await reader.hindrances()]).toEqual([path, []]);
      const isTooWide = await reader.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect([path, isTooWide]).toEqual([path, false]);
    }
    await reader.leave();
  });

  test('without a script, every language is shown', async () => {
    const context = await world.browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${world.platform.url}/docs/guides/quickstart`);
    expect(await page.locator('.example > .block:visible').count()).toBe(await page.locator('.example > .block').count());
    expect(await page.getByRole('button').count()).toBe(0);
    await context.close();
  });
}
