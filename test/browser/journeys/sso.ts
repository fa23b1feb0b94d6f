import { eventually } from '../../support/platform/platform';
import { addPerson } from '../../../src/records/members/service';
import { stored } from '../../support/data/stored';
import { Visitor } from '../support/browser';
import type { World } from '../support/world';

/** Persons who sign in with an OpenID provider. */
export function ssoJourneys(world: World): void {
  test('a person signs in with the provider, makes a key, disconnects the account, and signs out at both', async () => {
    const { keys, url } = world.platform;
    // The platform's PUBLIC_URL, to which the provider leads back.
    const base = url.replace('127.0.0.1', 'localhost');
    world.openId.accounts.set('sam', { email: 'sam@example.com', email_verified: true });
    await addPerson(keys.projectId, { address: 'sam@example.com', name: 'Sam Signer', role: 'marketer' });
    const visitor = await Visitor.come(world.browser, world.platform);
    const { page } = visitor;
    const enter = async (login: string): Promise<void> => {
      await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
      await page.getByPlaceholder('Enter any login').fill(login);
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
    };
    await page.goto(`${base}/console`);
    await page.getByRole('link', { name: 'Sign in with Example ID' }).waitFor();
    expect(await visitor.hindrances()).toEqual([]);
    await enter('sam');
    await page.getByRole('link', { name: 'Sam Signer' }).waitFor();

    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    expect(await page.getByRole('dialog').getByLabel('Scope').locator('option').allTextContents()).toEqual([
      'Send and read emails',
      'Read only',
    ]);
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('row', { name: 'Sam Signer' }).getByRole('button', { name: 'Revoke' }).waitFor();
    expect(await visitor.hindrances()).toEqual([]);

    await page.getByRole('link', { name: 'Sam Signer' }).click();
    await page.getByText('connected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Disconnect single sign-on' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect single sign-on' }).click();
    await page.getByText('not connected').waitFor();

    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();

    world.openId.accounts.set('nobody', { email: 'nobody@example.com', email_verified: true });
    await enter('nobody');
    await page.getByRole('alert').getByText('You are in no project').waitFor();
    expect(await visitor.hindrances()).toEqual([]);
    await visitor.leave();
  });

  test('an owner who removes a person is asked about the keys', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/settings', 'Settings');
    await page.getByRole('row', { name: 'sam@example.com' }).getByRole('button', { name: 'Remove' }).click();
    await world.dialog.getByLabel('Keys that the person created').selectOption('revoke');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Remove');
    const origin = `person ${(await stored.persons.one({ address: 'sam@example.com' }))?._id}`;
    await eventually('the key of the removed person is revoked', async () => {
      const made = (await stored.projects.get(world.platform.keys.projectId)).keys.filter((key) => key.origin === origin);
      return made.length === 1 && made[0]?.revokedAt instanceof Date;
    });
    await page.getByRole('row', { name: 'sam@example.com' }).waitFor({ state: 'detached' });
  });
}
