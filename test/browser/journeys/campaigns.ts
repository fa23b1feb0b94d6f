import { recordHits } from '../../../src/sending/tracking/record';
import { hit } from '../../support/calls/campaigns';
import { eventually } from '../../support/platform/platform';
import { Visitor } from '../support/browser';
import type { World } from '../support/world';

const draft = { subject: 'Sale', body: '<p>Sale</p>', fromEmail: 'hello@hello.test' };

/** What is seen of campaigns. */
export function campaignJourneys(world: World): void {
  test('the result of an A/B test says by its sample which subject is better, and tells the rest from it', async () => {
    const { page } = world.visitor;
    const { body } = await world.platform.post('/v1/campaigns', {
      ...draft,
      name: 'Two subjects',
      abSubjectB: 'Bargains',
      abSamplePct: 50,
    });
    const id = body.data.campaignId as string;
    const by = { difference: -0.4, low: -0.7, high: -0.1, winner: 'b' };
    const sample = { a: { sent: 10, opened: 1, clicked: 0 }, b: { sent: 10, opened: 5, clicked: 1 } };
    // Some rest had it only a moment ago, and nobody of it has opened it.
    const bySubject = { a: sample.a, b: { sent: 40, opened: 6, clicked: 1 } };
    const comparison = { decidedAt: '2026-11-28T12:00:00.000Z', confidence: 0.95, sample, opens: by, clicks: { ...by, winner: 'none' } };
    const shown = {
      bySubject,
      comparison,
      abWinner: 'b',
      status: 'sent',
      sentAt: '2026-11-28T12:01:00.000Z',
      sent: 50,
      totalRecipients: 50,
    };
    await page.route(`**/v1/campaigns/${id}`, async (route) => {
      const answer = (await (await route.fetch()).json()) as { data: object };
      await route.fulfill({ json: { ...answer, data: { ...answer.data, ...shown } } });
    });
    try {
      await world.visitor.open(`/campaigns/${id}`, 'Two subjects');
      const card = page.locator('section.card', { hasText: 'A/B test' });
      await card.getByText('B is opened more. B was sent to the rest.').waitFor();
      await card.getByRole('row', { name: 'Sample A: Sale 10 1 (10%) 0 (0%)' }).waitFor();
      await card.getByRole('row', { name: 'Sample B: Bargains winner 10 5 (50%) 1 (10%)' }).waitFor();
      await card.getByRole('row', { name: 'Rest: Bargains 30 1 (3.33%) 0 (0%)' }).waitFor();
      expect(await world.visitor.hindrances()).toEqual([]);
    } finally {
      await page.unroute(`**/v1/campaigns/${id}`);
    }
  });

  test('a campaign shows its message in each language as an inbox does, and in which share of the clicked messages a link was', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'lena@inbox.example', firstName: 'Lena' });
    const link = 'https://shop.example/sale';
    const { body } = await world.platform.post('/v1/campaigns', {
      ...draft,
      name: 'Two languages',
      previewText: 'For you, {{firstName}}',
      body: `<p><a href="${link}">Shop</a></p>`,
      variants: { de: { subject: 'Ausverkauf', previewText: 'Nur für {{firstName}} *|LNAME|*', body: '<p>Bis Sonntag</p>' } },
    });
    const place = `**/v1/campaigns/${body.data.campaignId as string}`;
    await page.route(place, async (route) => {
      const { data } = (await (await route.fetch()).json()) as { data: object };
      await route.fulfill({
        json: { success: true, data: { ...data, status: 'sent', sentAt: '2026-11-28T12:01:00.000Z', sent: 9, clicked: 4 } },
      });
    });
    const links = [
      { url: link, clicks: 5, uniqueClicks: 3 },
      { url: 'https://shop.example/help', clicks: 2, uniqueClicks: 2 },
    ];
    try {
      await page.route(`${place}/links?*`, (route) => route.fulfill({ json: { success: true, data: links, nextCursor: null } }));
      await world.visitor.open(`/campaigns/${body.data.campaignId as string}`, 'Two languages');
      await page.getByRole('tab', { name: 'Links' }).click();
      await page.getByRole('row', { name: `${link} 5 3 75%` }).waitFor();
      await page.getByRole('row', { name: 'https://shop.example/help 2 2 50%' }).waitFor();
      await page.getByText('Show clicks on the message').click();
      await page.frameLocator('iframe[title="Message with clicks"]').getByText('3 · 75%').waitFor();
      await page.getByRole('tab', { name: 'Message' }).click();
      await page.getByLabel('Preview as contact').fill('lena@inbox.example');
      await page.getByText('Subject Sale – For you, Lena').waitFor();
      await page.getByLabel('Language').selectOption('German');
      await page.getByText('Subject Ausverkauf – Nur für Lena').waitFor();
      await page.getByText('*|LNAME|* looks like Mailchimp').waitFor();
      await page.frameLocator('iframe[title="Message preview"]').getByText('Bis Sonntag').waitFor();
      expect(await world.visitor.hindrances()).toEqual([]);
    } finally {
      await page.unroute(`${place}/links?*`);
      await page.unroute(place);
    }
  });

  test('a sent campaign stays up to date while it is seen, and is sent again after it has said to how many', async () => {
    const visitor = await Visitor.come(world.browser, world.platform);
    const { page } = visitor;
    await page.clock.install();
    await visitor.signIn();
    for (const name of ['ole', 'oda']) await world.platform.post('/v1/contacts', { email: `${name}@again.example` });
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@again.example' }] }] };
    const { body } = await world.platform.post('/v1/campaigns', { ...draft, audience: 'filter', filter, name: 'Once more' });
    const id = body.data.campaignId as string;
    await world.platform.post(`/v1/campaigns/${id}/send`, {});
    await eventually('it is sent', async () => (await world.platform.get(`/v1/campaigns/${id}`)).body.data.status === 'sent');
    await visitor.open(`/campaigns/${id}`, 'Once more');
    await page.getByText(/^As of \d\d:\d\d$/).waitFor();
    await page.getByText('No activity yet.').waitFor();
    const opened = page.locator('.tile', { hasText: 'Opened' });
    expect(await opened.innerText()).toMatch(/\b0\b/);
    const { body: recipients } = await world.platform.get(`/v1/campaigns/${id}/recipients`);
    const [{ emailId }] = recipients.data.data as [{ emailId: string }];
    await recordHits([hit(emailId, null)], false);
    await page.clock.fastForward(31_000);
    await opened.getByText('50%').waitFor();
    await page.getByText('Show as a table').waitFor();
    await page.getByRole('button', { name: 'Send again …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 of 1 contacts').waitFor();
    expect(await visitor.hindrances()).toEqual([]);
    await dialog.getByRole('button', { name: 'Send to 1 recipient' }).click();
    await page.getByRole('heading', { level: 1, name: /^Once more/ }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain(id);
    await visitor.leave();
  });
}
