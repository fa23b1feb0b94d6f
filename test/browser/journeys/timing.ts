import { stored } from '../../support/data/stored';
import type { World } from '../support/world';
import { hasValue } from '../support/waits';

const draft = { subject: 'Sale', body: '<p>Sale</p>', fromEmail: 'hello@hello.test' };

/** The times of automations and campaigns: windows, recurring and evergreen campaigns, decisions after a pause. */
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

  test('a recurring campaign with a window and a send-once key is written and started; its turn has a certificate, and is explained', async () => {
    const { page } = world.visitor;
    const { body: person } = await world.platform.post('/v1/contacts', { email: 'weekly@series.example' });
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@series.example' }] }] };
    const others = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'contains', value: '@elsewhere.example' }] }] };
    await world.platform.post('/v1/campaigns', { ...draft, audience: 'filter', filter: others, name: 'For others' });
    const { body } = await world.platform.post('/v1/campaigns', { ...draft, audience: 'filter', filter, name: 'Weekly news' });
    const id = body.data.campaignId as string;
    await world.visitor.open(`/campaigns/${id}/edit`, 'Edit Weekly news');
    await page.getByLabel('Recurrence').selectOption('cron');
    await page.getByLabel('Preset').selectOption({ label: 'Every Tuesday at 9:00' });
    await hasValue(page.getByLabel('Rule'), '0 9 * * 2');
    await page.getByLabel('Recurrence').selectOption('rrule');
    await page.getByLabel('Rule').fill('FREQ=HOURLY');
    await page.getByLabel('Time zone of the schedule').fill('Europe/Vienna');
    await page.getByLabel('Number of turns').fill('5');
    await page.getByLabel('Missed turns').selectOption('ask');
    await page.getByLabel('Send window').selectOption('window');
    for (const name of ['Saturday', 'Sunday']) await page.getByLabel(name).check();
    await page.getByLabel('Opens at').fill('00:00');
    await page.getByLabel('Closes at').fill('00:00');
    await page.getByLabel('Send-once key').fill('news-1');
    await page.getByLabel('Again after').fill('7d');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Save draft');
    await page.getByText(/^schedule\.rrule: /).waitFor();
    // Without a time of day, the first turn is at the start.
    await page.getByLabel('Rule').fill('FREQ=DAILY');
    await world.press('Save draft');
    await page.getByText('FREQ=DAILY (Europe/Vienna)').waitFor();
    expect((await world.platform.get(`/v1/campaigns/${id}`)).body.data).toMatchObject({
      schedule: { rrule: 'FREQ=DAILY', timezone: 'Europe/Vienna', count: 5, until: null, catchUp: 'ask' },
      windows: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', until: '00:00', timezone: 'recipient', outside: 'wait' },
      sendOnce: { key: 'news-1', within: '7d' },
    });
    await world.press('Send campaign …');
    await world.dialog.getByText(/^Recipients: 1 of /).waitFor();
    await world.pressIn('Start recurring campaign');
    await page.getByText('1 of 5').waitFor();
    await page.getByRole('link', { name: 'Turn 1' }).waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await page.getByRole('link', { name: 'Edit' }).click();
    expect(await page.getByLabel('Recurrence').count()).toBe(0);
    await page.getByLabel('Subject', { exact: true }).fill('Sale again');
    await world.press('Save for future turns');
    await page.getByRole('link', { name: 'Turn 1' }).click();
    await page.getByText('weekly@series.example').waitFor();
    await page
      .locator('.badge', { hasText: /^sent$/ })
      .first()
      .waitFor();
    await page.getByRole('tab', { name: 'Certificate' }).click();
    const certificate = page.getByRole('region', { name: 'Certificate' });
    await certificate.getByText('Delivered').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    const file = page.waitForEvent('download');
    await world.press('Download CSV');
    expect((await file).suggestedFilename()).toMatch(/-certificate\.csv$/);
    await world.platform.post(`/v1/campaigns/${id}/cancel`, {});

    await world.visitor.open(`/contacts/${person.data.contactId as string}`, 'weekly@series.example');
    await world.press('Explain a campaign …');
    await world.dialog.getByLabel('Campaign').selectOption({ label: 'For others' });
    await world.dialog.getByText('not in the audience', { exact: true }).waitFor();
    await world.dialog.getByText('In the audience', { exact: true }).waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.pressIn('Close');
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
