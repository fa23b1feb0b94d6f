import { stored } from '../../support/data/stored';
import type { World } from '../support/world';

const draft = { subject: 'Sale', body: '<p>Sale</p>', fromEmail: 'hello@hello.test' };

/** The times of automations and campaigns: windows, evergreen campaigns, decisions after a pause. */
export function timingJourneys(world: World): void {
  test('an automation gets a send window, and its rehearsal says what its messages wait for', async () => {
    const { page } = world.visitor;
    const cap = { name: 'daily', max: 1, per: { amount: 1, unit: 'days' }, whenReached: 'wait' };
    const settings = (frequencyCaps: object[]) => world.platform.request('PATCH', '/v1/settings', { frequencyCaps });
    await settings([cap]);
    const message = { type: 'marketing', subject: 'News', body: '<p>News</p>', fromEmail: 'hello@hello.test' };
    const nodes = [
      { id: 'start', type: 'trigger', config: {} },
      { id: 'one', type: 'send_email', config: message },
      { id: 'two', type: 'send_email', config: { ...message, subject: 'More news' } },
    ];
    const edges = [
      { from: 'start', to: 'one' },
      { from: 'one', to: 'two' },
    ];
    const { body } = await world.platform.post('/v1/workflows', {
      name: 'In its window',
      trigger: 'event:in.window',
      graph: { nodes, edges },
    });
    const id = body.data.workflowId as string;
    await world.visitor.open(`/automations/${id}/edit`, 'Edit In its window');
    await page.getByLabel('Send window for marketing mail').selectOption('window');
    await page.getByLabel('Opens at').fill('09:00');
    await page.getByLabel('Closes at').fill('09:01');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Save draft');
    await page.getByText('09:00–09:01, in each recipient’s time zone (UTC if unknown). Messages wait.').waitFor();
    expect((await world.platform.get(`/v1/workflows/${id}`)).body.data.windows).toMatchObject({ from: '09:00', until: '09:01' });

    await page.getByRole('link', { name: 'Rehearse' }).click();
    await page.getByText('Waits until its send window opens.').waitFor();
    await page.getByLabel('Message', { exact: true }).selectOption({ label: '2: More news' });
    await page.getByText('Waits until a frequency cap has room.').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await settings([]);

    await world.visitor.open(`/automations/${id}/edit`, 'Edit In its window');
    await page.getByLabel('Send window for marketing mail').selectOption('');
    await world.press('Save draft');
    await page.waitForURL((url) => !url.href.endsWith('/edit'));
    expect((await world.platform.get(`/v1/workflows/${id}`)).body.data).not.toHaveProperty('windows');
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a campaign becomes evergreen, and another one decides after a pause', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'tim@timing.example' });
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@timing.example' }] }] };
    const made = async (change: object): Promise<string> =>
      (await world.platform.post('/v1/campaigns', { ...draft, audience: 'filter', filter, ...change })).body.data.campaignId as string;
    const welcome = await made({ name: 'Welcome course' });
    await world.visitor.open(`/campaigns/${welcome}/edit`, 'Edit Welcome course');
    await page.getByLabel('Recurrence').selectOption('rrule');
    await page.getByLabel('Evergreen').check();
    expect(await page.getByLabel('Send-once key').count()).toBe(0);
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Save draft');
    await page.getByText('Each contact gets it once', { exact: true }).waitFor();
    expect((await world.platform.get(`/v1/campaigns/${welcome}`)).body.data.evergreen).toBe(true);

    const subjects = await made({ name: 'Two subjects', abSubjectB: 'Offer', abSamplePct: 100 });
    await world.visitor.open(`/campaigns/${subjects}`, 'Two subjects');
    await world.press('Send campaign …');
    await world.dialog.getByLabel('When').selectOption('later');
    await world.dialog.getByLabel('Send at').fill(new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 16));
    await world.dialog.getByLabel('If the campaign is paused then').selectOption('afterResume');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Schedule for 1 recipient');
    await page.getByText('Once the campaign is resumed, if it is paused then').waitFor();
    expect((await world.platform.get(`/v1/campaigns/${subjects}`)).body.data.decide).toBe('afterResume');
    await world.platform.post(`/v1/campaigns/${subjects}/cancel`, {});
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a campaign is sent in steps, is seen to wait and to stop, and is resumed', async () => {
    const { page } = world.visitor;
    for (const name of ['rob', 'ron', 'ruth']) await world.platform.post('/v1/contacts', { email: `${name}@rollout.example` });
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@rollout.example' }] }] };
    const { body } = await world.platform.post('/v1/campaigns', { ...draft, audience: 'filter', filter, name: 'Step by step' });
    const id = body.data.campaignId as string;
    await world.visitor.open(`/campaigns/${id}`, 'Step by step');
    await world.press('Send campaign …');
    await world.dialog.getByLabel('When').selectOption('local');
    expect(await world.dialog.getByLabel('Rollout').count()).toBe(0);
    await world.dialog.getByLabel('When').selectOption('now');
    await world.dialog.getByLabel('Rollout').selectOption('two');
    await world.dialog.getByLabel('Wait after each step').selectOption('1');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Send to 3 recipients');
    const steps = page.getByRole('region', { name: 'Steps of the rollout' });
    await steps.getByText('waiting').waitFor();
    await page.getByText('1 of 3 recipients processed').waitFor();
    const { rollout } = (await world.platform.get(`/v1/campaigns/${id}`)).body.data;
    expect(rollout).toMatchObject([
      { percent: 10, wait: { amount: 1, unit: 'hours' }, recipients: 1 },
      { percent: 100, wait: null, recipients: 2 },
    ]);
    expect(await world.visitor.hindrances()).toEqual([]);

    const finding = { check: 'bounces', what: 'Many messages bounced.', how: 'Clean the list.', detail: '3 of 10 messages' };
    const stopped = { 'rollout.steps.0.findings': [finding], heldReason: 'rollout_stopped' };
    await stored.campaigns.change(id, { $set: stopped, $unset: { 'rollout.nextAt': 1 } });
    await page.getByText('Many messages bounced.').waitFor();
    await page.getByText('the results of a step stopped the rollout').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Resume campaign');
    await steps.getByText('done').nth(1).waitFor();
    expect((await world.platform.get(`/v1/campaigns/${id}`)).body.data.status).toBe('sent');
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
