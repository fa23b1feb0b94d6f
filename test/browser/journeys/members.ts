import { makeLink } from '../../../src/records/console-sessions/service';
import { addPerson } from '../../../src/records/members/service';
import { createProject } from '../../../src/records/projects/service';
import { Visitor } from '../support/browser';
import type { World } from '../support/world';

/** Persons and their projects. */
export function memberJourneys(world: World): void {
  test('an owner invites, withdraws, goes to another project, and signs out everywhere', async () => {
    const { keys, url: base } = world.platform;
    const address = 'owner@example.com';
    const personId = await addPerson(keys.projectId, { address, name: 'Olive Owner', role: 'owner' });
    const other = await createProject('Second project');
    await addPerson(other.projectId, { address, name: null, role: 'analyst' });
    const owner = await Visitor.come(world.browser, world.platform);
    const { page } = owner;
    await page.goto((await makeLink(keys.projectId, base, personId)).url);
    await page.getByRole('link', { name: 'Olive Owner' }).waitFor();
    await owner.open('/settings', 'Settings');
    expect(await owner.hindrances()).toEqual([]);

    await page.getByRole('button', { name: 'Invite person' }).click();
    await page.getByRole('dialog').getByLabel('Email').fill('guest@example.com');
    await page.getByRole('dialog').getByLabel('Role').selectOption('analyst');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    const row = page.getByRole('row', { name: 'guest@example.com' });
    await row.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('No pending invitations.').waitFor();

    await page.getByLabel('Project', { exact: true }).selectOption('Second project');
    await page.getByText('Analyst').waitFor();
    await owner.open('/settings', 'Settings');
    expect(await page.getByRole('button', { name: 'Invite person' }).count()).toBe(0);
    await page.goto(`${base}/console/templates/new`);
    await page.getByRole('heading', { name: 'Your role does not allow this' }).waitFor();
    await page.getByText('Your role in this project is analyst.').waitFor();
    expect(await owner.hindrances()).toEqual([]);

    await page.getByRole('link', { name: 'Olive Owner' }).click();
    await page.getByText('This session').waitFor();
    expect(await owner.hindrances()).toEqual([]);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in to Lettermill' }).waitFor();
    await page.getByLabel('Email address').fill(address);
    await page.getByRole('button', { name: 'Email me a link' }).click();
    await page.getByText('the link is on its way').waitFor();
    expect(await owner.hindrances()).toEqual([]);
    expect(await owner.misdeeds()).toEqual([]);
    await owner.leave();
  });
}
