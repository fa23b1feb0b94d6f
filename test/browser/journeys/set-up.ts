import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Request } from 'playwright-core';
import { publish } from '../../support/calls/domains';
import type { WireDomain } from '../../support/calls/domains';
import { stored } from '../../support/data/stored';
import { eventually } from '../../support/platform/platform';
import { Visitor } from '../support/browser';
import type { World } from '../support/world';

/** Domains, webhooks and billing. */
export function setUpJourneys(world: World): void {
  test('a domain is added and asked for; what is expected stands beside what was found', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/domains', 'Domains');
    await world.press('Add domain');
    await world.dialog.getByLabel('Domain').fill('not a domain');
    await world.pressIn('Add domain');
    await world.dialog.getByText(/^domain: /).waitFor();
    await world.dialog.getByLabel('Domain').fill('mail.example.com');
    await world.pressIn('Add domain');
    await page.getByText('Allowed senders (SPF)').waitFor();
    await page.getByText('_dmarc.mail.example.com', { exact: true }).waitFor();
    await page.getByLabel('Names').selectOption('Without .example.com');
    await page.getByText('_dmarc.mail', { exact: true }).waitFor();
    await world.press('Check now');
    await page.getByText('No record exists at this name.').first().waitFor();
    const { body } = await world.platform.get('/v1/domains');
    const domains = body.data.data as readonly WireDomain[];
    for (const domain of domains.filter((added) => added.domain === 'mail.example.com')) publish(world.dns, domain);
    await world.press('Check now');
    await page.getByText('Can send').locator('..').getByText('Yes').waitFor();
    await page.getByText('No record exists at this name.').first().waitFor({ state: 'detached' });
    await page.getByText('All records as zone file').click();
    expect(await page.locator('details.card pre').textContent()).toContain('v=spf1');
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a domain without reports shows what to publish, and one with reports who sends with it', async () => {
    const { page } = world.visitor;
    const { body } = await world.platform.post('/v1/domains', { domain: 'reported.example.com' });
    const { domainId, domain, projectId } = body.data as WireDomain & { readonly projectId: string };
    const card = page.locator('section.card', { hasText: 'DMARC and TLS reports' });
    await world.visitor.open(`/domains/${domainId}`, domain);
    await card.getByText(`TXT _smtp._tls.${domain}`).waitFor();
    await card.getByText(/^v=DMARC1; p=none; rua=mailto:dmarc@/).waitFor();
    const source = { ip: '192.0.2.1', messages: 9_990, disposition: 'none', dkim: true, spf: true, ours: true, sender: domain } as const;
    const stranger = { ...source, ip: '198.51.100.7', messages: 10, dkim: false, spf: false, ours: false, sender: 'crm.example.net' };
    const midnight = Math.floor(Date.now() / 86_400_000) * 86_400_000;
    await stored.domainReports.make(
      Array.from({ length: 14 }, (_, n) => ({
        _id: `rep_${domainId}_${n}`,
        projectId,
        domain,
        kind: 'dmarc' as const,
        organization: 'Mailbox Inc.',
        reporter: 'mailbox.example',
        reportId: String(n),
        from: new Date(midnight),
        to: new Date(),
        createdAt: new Date(),
        day: new Date(midnight - n * 86_400_000),
        policy: { p: 'none', sp: null, pct: null, adkim: 'r', aspf: 'r' } as const,
        sources: [source, stranger],
        messages: 10_000,
        aligned: 9_990,
        ours: 9_990,
      })),
    );
    await page.reload();
    await card.getByRole('row', { name: /^198\.51\.100\.7 crm\.example\.net fails DMARC 140/ }).waitFor();
    await card.getByText('Ready for p=quarantine: 14 clean days in a row').waitFor();
    await card.getByText('99.9%').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a webhook is added: its secret is shown once', async () => {
    await world.visitor.open('/webhooks', 'Webhooks');
    await world.press('Add webhook');
    await world.dialog.getByLabel('URL').fill('https://example.com/hooks');
    for (const resource of ['Email', 'Segments']) await world.dialog.locator('summary', { hasText: resource }).click();
    await world.dialog.getByLabel('All: Segments').check();
    await world.dialog.getByLabel('email.bounced').uncheck();
    await world.dialog.getByLabel('Your own events').fill('order.placed order.paid');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Save');
    await world.dialog.getByText(/^whsec_/).waitFor();
    await world.pressIn('I have saved it');
    await world.visitor.page.getByRole('link', { name: 'https://example.com/hooks' }).click();
    await world.press('Disable webhook');
    await world.visitor.page.getByRole('button', { name: 'Enable webhook' }).waitFor();
    const { body } = await world.platform.get('/v1/webhooks');
    const events = ['email.delivered', 'segment.entered', 'segment.exited', 'order.placed', 'order.paid'];
    expect(body.data.data).toMatchObject([{ enabled: false, events }]);
  });

  test('a call that failed is replayed once the server behind it is mended', async () => {
    const { page } = world.visitor;
    let status = 500;
    const seen: { readonly signature: string; readonly body: string }[] = [];
    const server = createServer((req, res) => {
      void text(req).then((body) => {
        seen.push({ signature: String(req.headers['x-service-signature']), body });
        res.writeHead(status).end(`answered ${status}`);
      });
    }).listen(0, '127.0.0.1');
    await eventually('the server listens', () => server.listening);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { body: added } = await world.platform.post('/v1/webhooks', { url, events: ['order.placed'] });
    await world.platform.post('/v1/events', { name: 'order.placed', email: 'grace@example.com' });
    await eventually('it was called', () => seen.length > 0);
    status = 200;

    await world.visitor.open('/webhooks', 'Webhooks');
    await page.getByRole('link', { name: url }).click();
    await page.getByText('Response', { exact: true }).last().click();
    await page.getByText('answered 500').waitFor();
    await page.getByRole('link', { name: 'order.placed', exact: true }).click();
    await page.getByRole('row', { name: /^1 500 [\d,]+ ms / }).waitFor();
    await page.getByText('"type": "order.placed"').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await page.goBack();
    await page.getByRole('button', { name: 'Replay order.placed' }).click();
    await page.getByText('order.placed (replayed)').waitFor();
    await eventually('it was called again', () => seen.length > 1);
    await page.reload();
    await page
      .getByRole('row', { name: /replayed/ })
      .getByText('succeeded')
      .waitFor();
    await world.press('Send test event');
    await page
      .getByRole('row', { name: /^webhook\.test/ })
      .getByText('succeeded')
      .waitFor();
    server.close();

    await page.getByText('Check a signature').click();
    await page.getByLabel('X-Service-Signature').fill(seen[0]?.signature ?? '');
    await page.getByLabel('Raw body').fill(seen[0]?.body ?? '');
    await page.getByLabel('Secret', { exact: true }).fill('whsec_another');
    await world.press('Check signature');
    await page.getByText('The signature does not match this secret').waitFor();
    await page.getByLabel('Secret', { exact: true }).fill(added.data.secret as string);
    await world.press('Check signature');
    await page.getByText('The signature is valid for this secret').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a cap is set, and taken away', async () => {
    await world.visitor.open('/billing', 'Billing');
    await world.press('Change limits');
    await world.dialog.getByLabel('Campaigns').fill('500');
    await world.pressIn('Save');
    await world.visitor.page.getByText('0 of 500').waitFor();
    await world.press('Change limits');
    await world.dialog.getByLabel('Campaigns').fill('');
    await world.pressIn('Save');
    await world.visitor.page.getByText('0 of 500').waitFor({ state: 'detached' });
    const { body } = await world.platform.get('/v1/billing');
    expect(body.data.categories.campaign.limit).toBeNull();
  });

  test('send windows and frequency caps are set in words, changed and removed', async () => {
    const { page } = world.visitor;
    const settings = async () => (await world.platform.get('/v1/settings')).body.data;
    await world.visitor.open('/settings', 'Settings');
    await page.getByText('Marketing mail is sent at any time.').waitFor();
    await world.press('Edit send windows');
    await world.dialog.getByLabel('Send marketing mail').selectOption('window');
    await world.dialog.getByLabel('Friday').uncheck();
    await world.dialog.getByLabel('If the time zone is unknown').fill('Europe/Vienna');
    await world.dialog.getByLabel('Skip messages that would wait too long').check();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Save windows');
    const words = 'Mon, Tue, Wed, Thu, 09:00–18:00, in each recipient’s time zone (Europe/Vienna if unknown). Messages wait up to 2 days.';
    await page.getByText(words).waitFor();
    expect((await settings()).windows).toEqual({
      days: [1, 2, 3, 4],
      from: '09:00',
      until: '18:00',
      timezone: 'recipient',
      fallback: 'Europe/Vienna',
      outside: 'wait',
      expireAfter: { amount: 2, unit: 'days' },
    });
    await world.press('Edit send windows');
    await world.dialog.getByLabel('Send marketing mail').selectOption('');
    await world.pressIn('Save windows');
    await page.getByText('Marketing mail is sent at any time.').waitFor();

    await world.press('Add cap');
    await world.dialog.getByLabel('Name').fill('weekly');
    await world.dialog.getByLabel('Campaigns').check();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Save cap');
    await page.getByText('at most 2 in 7 days; further ones wait up to 7 days. Only Campaigns').waitFor();
    await world.press('Edit cap weekly');
    await world.dialog.getByLabel('Messages', { exact: true }).fill('3');
    await world.dialog.getByLabel('Further messages').selectOption('skip');
    await world.pressIn('Save cap');
    await page.getByText('at most 3 in 7 days; further ones are skipped').waitFor();
    expect((await settings()).frequencyCaps).toEqual([
      { name: 'weekly', max: 3, per: { amount: 7, unit: 'days' }, whenReached: 'skip', appliesTo: { sources: ['campaign'] } },
    ]);
    await world.press('Remove cap weekly');
    await world.pressIn('Remove cap weekly');
    await page.getByText('No frequency caps.').waitFor();
    expect(await settings()).toMatchObject({ windows: null, frequencyCaps: [] });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a saved setting stays shown when an earlier reading of it comes late', async () => {
    const visitor = await Visitor.come(world.browser, world.platform);
    const { page } = visitor;
    await visitor.signIn();
    await page.clock.install();
    await visitor.open('/settings', 'Settings');
    const opens = page.getByLabel('Track opens').first();
    const tracked = await opens.isChecked();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const isReading = (request: Request): boolean => request.method() === 'GET' && request.url().endsWith('/v1/settings');
    const asked = page.waitForRequest(isReading);
    await page.route('**/v1/settings', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await page.clock.fastForward(11_000);
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
    await asked;
    await opens.click();
    await page.getByText('Tracking saved.').waitFor();
    const late = page.waitForResponse((response) => isReading(response.request()));
    release();
    await late;
    await visitor.loaded();
    expect(await opens.isChecked()).toBe(!tracked);
    await opens.click();
    await page.getByText('Tracking saved.').nth(1).waitFor();
    await visitor.leave();
  });
}
