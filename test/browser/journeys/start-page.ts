import { newProject } from '../../support/data/projects';
import { eventually } from '../../support/platform/platform';
import { Visitor } from '../support/browser';
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
    await world.visitor.open('/', 'Home');
    const held = page.getByRole('region', { name: 'Held mail' });
    await held.getByText('The monthly limit for campaigns (0) is used up').waitFor();
    await held.getByRole('link', { name: 'Summer sale' }).click();
    await page.getByRole('heading', { level: 1, name: 'Summer sale' }).waitFor();
    await page.getByText('this month’s limit is used up. Raise it under Billing').waitFor();
    await world.visitor.open('/billing', 'Billing');
    await world.press('Change limits');
    await world.dialog.getByLabel('Campaigns').fill('');
    await world.pressIn('Save');
    await world.dialog.waitFor({ state: 'detached' });
    await eventually('it was sent', async () => (await world.platform.get(place)).body.data.status === 'sent');
    await world.visitor.open('/', 'Home');
    await page.getByText('Last 24 hours').locator('visible=true').first().waitFor();
    await held.waitFor({ state: 'detached' });
  });

  test('the start page leads a new project to its first message, forgets it when it is dismissed, and stays up to date', async () => {
    const project = await newProject();
    const newcomer = await Visitor.come(world.browser, world.platform);
    const { page } = newcomer;
    await page.clock.install();
    await newcomer.signIn(project.projectId);
    const steps = page.locator('section', { has: page.getByRole('heading', { name: 'Get started' }) });
    await steps.getByText('0 of 5 steps done').waitFor();
    expect(await newcomer.hindrances()).toEqual([]);
    await steps.getByRole('link', { name: 'Create a template' }).click();
    await page.getByRole('heading', { level: 1, name: 'New template' }).waitFor();
    const template = { name: 'Welcome', subject: 'Welcome', body: '<p>Welcome</p>', type: 'transactional', fromEmail: 'us@hello.test' };
    await world.platform.request('POST', '/v1/templates', template, { authorization: `Bearer ${project.secret}` });
    await newcomer.open('/', 'Home');
    await steps.getByText('1 of 5 steps done').waitFor();
    await steps.getByRole('button', { name: 'Dismiss' }).click();
    await newcomer.open('/', 'Home');
    await page.getByRole('heading', { name: 'Mail over time' }).waitFor();
    expect(await steps.count()).toBe(0);
    await page.getByText(/^As of \d\d:\d\d$/).waitFor();
    const again = page.waitForResponse(/\/v1\/stats\?/);
    await page.clock.fastForward(61_000);
    await again;
    expect(await newcomer.misdeeds()).toEqual([]);
    await newcomer.leave();
  });

  test('figures of one period are never compared with those before another one', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/', 'Home');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const isNow = (url: string): boolean => Date.now() - Date.parse(new URL(url).searchParams.get('to') ?? '') < 86_400_000;
    await page.route('**/v1/stats?*', async (route) => {
      if (isNow(route.request().url())) await held;
      await route.continue();
    });
    try {
      const compared = page.locator('.change', { hasText: 'before' });
      await compared.first().waitFor();
      const earlier = page.waitForResponse((response) => response.url().includes('/v1/stats?') && !isNow(response.url()));
      await page.getByLabel('Period').selectOption('Last 30 days');
      await earlier;
      await world.visitor.still(page.locator('.tiles'));
      expect(await compared.count()).toBe(0);
      release();
      await compared.first().waitFor();
    } finally {
      release();
      await page.unroute('**/v1/stats?*');
    }
  });

  test('what stands still without a worker is on the start page, until one runs again', async () => {
    const { page } = world.visitor;
    await world.platform.worker.stop();
    try {
      await world.visitor.open('/', 'Home');
      const still = page.getByRole('region', { name: 'Service interruption' });
      await still.getByText('Outgoing mail, campaigns, automations, imports and webhooks wait: no worker runs').waitFor();
    } finally {
      await world.platform.worker.start();
    }
    await page.getByRole('region', { name: 'Service interruption' }).waitFor({ state: 'detached' });
  });

  test('a screen whose code cannot be fetched says so, and opens once it can be', async () => {
    const visitor = await Visitor.come(world.browser, world.platform);
    const { page } = visitor;
    const code = '**/assets/topics-*.js';
    const refused = () => page.waitForEvent('requestfailed', (request) => request.url().includes('/assets/topics-'));
    const link = page.getByRole('link', { name: 'Topics', exact: true });
    await page.route(code, (route) => route.abort());
    await visitor.signIn();
    // The pointer on the link begins to fetch the code.
    await Promise.all([refused(), link.hover()]);
    await link.click();
    await page.getByRole('heading', { name: 'Loading failed' }).waitFor();
    expect(await visitor.hindrances()).toEqual([]);
    await page.unroute(code);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'New topic' }).waitFor();
    await visitor.leave();
  });
}
