import { stored } from '../../support/data/stored';
import { NARROW } from '../support/browser';
import type { World } from '../support/world';

const inHours = (hours: number): Date => new Date(Date.now() + hours * 3_600_000);

const TRANSPORT = { name: 'news', kind: 'direct', sent: 40, delivered: 38, deferred: 1, bounced: 1, waiting: 12 };
const RAMP = { step: 2, steps: 14, amount: 100, overflow: 'wait', heldBack: 'refused', nextDayAt: inHours(6) };

/** How providers take the mail, and what it goes over. */
export function deliverabilityJourneys(world: World): void {
  test('a person sees for which provider campaigns are held, why and what to do, and what a transport has left today', async () => {
    const { page } = world.visitor;
    const { projectId } = world.platform.keys;
    const id = `${projectId}/google`;
    await stored.providerHolds.make({
      _id: id,
      projectId,
      provider: 'google',
      policy: 'dkim',
      reply: '550 5.7.30 DKIM failed',
      recent: 10,
      refused: 10,
      lastAt: new Date(),
      since: inHours(-1),
      checks: 0,
      nextCheckAt: inHours(1),
      missing: [],
      probe: null,
      probeAt: null,
    });
    const measure = { provider: 'google', do: 'suspend', until: inHours(2), reply: '421', replies: [], endsAt: inHours(2) } as const;
    await stored.providerMeasures.make({ ...measure, _id: 'google/0' });
    await page.route('**/v1/deliverability/transports?*', (route) =>
      route.fulfill({
        json: {
          success: true,
          data: {
            since: inHours(-168),
            transports: [
              { ...TRANSPORT, ramp: { ...RAMP, used: [{ provider: null, used: 87 }] } },
              { ...TRANSPORT, name: 'each', waiting: 0, ramp: { ...RAMP, overflow: 'other', used: [{ provider: 'google', used: 3 }] } },
            ],
          },
        },
      }),
    );
    try {
      await world.visitor.open('/deliverability', 'Deliverability');
      const held = page.getByRole('region', { name: 'Held for google' });
      await held.getByText('Publish the DKIM record of the sending domain').waitFor();
      await held.getByText('550 5.7.30 DKIM failed').waitFor();
      await page.getByRole('region', { name: 'Limited for google' }).getByText('No mail goes to google until').waitFor();
      await page.getByText('Day 2 of 14').first().waitFor();
      expect(await page.getByRole('meter', { name: 'news: share of today’s limit used' }).getAttribute('value')).toBe('87');
      await page.getByRole('meter', { name: 'each, google: share of today’s limit used' }).waitFor();
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await world.visitor.hindrances()).toEqual([]);
      }
      const wide = page.viewportSize();
      await page.setViewportSize({ ...NARROW, width: 360 });
      expect([await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([[], false]);
      if (wide) await page.setViewportSize(wide);
      await held.getByRole('link', { name: 'campaigns' }).click();
      await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor();
    } finally {
      await page.unroute('**/v1/deliverability/transports?*');
      await Promise.all([stored.providerHolds.remove(id), stored.providerMeasures.remove('google/0')]);
    }
  });
}
