import { createKey, revokeKey } from '../../../src/records/projects/key-service';
import { NARROW, Visitor } from '../support/browser';
import type { World } from '../support/world';

/** Who may see what, and until when. */
export function sessionJourneys(world: World): void {
  describe('a session', () => {
    test('of a key that may read shows all, and offers nothing that it may not do', async () => {
      const reader = await Visitor.come(world.browser, world.platform);
      const { key } = await createKey(world.platform.keys.projectId, 'secret', 50, { scope: 'read' });
      await reader.signInByKey(key);
      await reader.open('/suppressions', 'Suppressions');
      await reader.page.getByText('Read only').waitFor();
      expect(await reader.page.getByRole('button', { name: 'Suppress address' }).count()).toBe(0);
      const kept = await reader.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie);
      expect(kept).not.toContain('sk_');
      await revokeKey(key);
      await reader.page.reload();
      await reader.page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();
      await reader.leave();
    });

    test('of a key that may only send shows the mail log, and says of the rest why not', async () => {
      await world.platform.send('sender@example.com', { subject: 'Your receipt' });
      const sender = await Visitor.come(world.browser, world.platform, NARROW);
      const { key } = await createKey(world.platform.keys.projectId, 'secret', 50, { scope: 'sending' });
      await sender.signInByKey(key);
      await sender.page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
      expect(await sender.hindrances()).toEqual([]);
      await sender.page.getByRole('button', { name: 'Menu' }).press('Enter');
      await sender.page.getByRole('link', { name: 'Mail log' }).press('Enter');
      await sender.page.getByRole('link', { name: 'Your receipt' }).waitFor();
      await sender.leave();
    });

    test('ends by signing out: no page shows anything any more', async () => {
      const leaver = await Visitor.come(world.browser, world.platform);
      await leaver.signIn();
      // As a copied step does, with the tokens of a webhook.
      await leaver.page.evaluate(() => sessionStorage.setItem('lettermill-step', 'copied'));
      await leaver.page.getByRole('button', { name: 'Sign out' }).click();
      await leaver.page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();
      expect(await leaver.page.evaluate(() => sessionStorage.length)).toBe(0);
      expect(await leaver.hindrances()).toEqual([]);
      await leaver.page.goto(`${world.platform.url}/console/contacts`);
      await leaver.page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();
      await leaver.leave();
    });
  });
}
