import { createKey } from '../../../src/records/projects/key-service';
import { eventually } from '../../support/platform/platform';
import { Visitor } from '../support/browser';
import type { World } from '../support/world';
import { hasCount, hasValue } from '../support/waits';

/** Automations. */
export function automationJourneys(world: World): void {
  test('an automation is drawn, its faults are shown where they are, it is rehearsed, activated and followed', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'joy@automation.example', firstName: 'Joy' });
    await world.visitor.open('/automations', 'Automations');
    await world.press('New automation');
    await world.dialog.getByLabel('Name', { exact: true }).fill('Welcome');
    await world.dialog.getByLabel('Event name').fill('user.welcomed');
    await world.pressIn('Create automation');
    await page.getByRole('heading', { level: 1, name: 'Edit Welcome' }).waitFor();
    await page.getByText('No errors.').waitFor();

    const add = async (behind: string, type: string): Promise<void> => {
      await page.getByLabel(`Step after ${behind}`).selectOption(type);
      await world.press('Add step');
    };
    await add('Trigger', 'send_email');
    // A verified domain of another test is chosen as the sender.
    await page.getByLabel('From address').fill('');
    await page.getByText(/errors? to fix/).waitFor();
    const step = page.locator('.step');
    await step.filter({ hasText: 'Send email' }).locator('.fault').first().waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await page.getByLabel('Subject', { exact: true }).fill('{{t "gone"}}');
    await page.getByLabel('From address').fill('hello@hello.test');
    await page.locator('.notice', { hasText: 'There is no translation {{t "gone"}}' }).waitFor();
    await step.filter({ hasText: '1 warning' }).waitFor();
    await page.getByLabel('Subject', { exact: true }).fill('Welcome, {{firstName}}');
    await page.getByText('No errors.').waitFor();
    await add('Send email', 'wait_for_event');
    await page.getByLabel('Event name').fill('order.paid');
    await add('Wait for event', 'exit');
    await page.getByLabel('Reason').fill('bought');
    await world.press('All steps');
    await page.getByRole('button', { name: /^Wait for event: / }).click();
    await add('Wait for event', 'condition');
    await hasValue(page.getByLabel('Next step on “yes”'), '');
    await add('Condition', 'update_contact');
    await world.press('Add field');
    await page.getByLabel('Field', { exact: true }).fill('reads');
    await page.getByLabel('Type', { exact: true }).selectOption('flag');
    await page.getByText('No errors.').waitFor();

    // What the form has connected can be drawn by hand as well.
    await world.press('All steps');
    await page.getByRole('button', { name: /^Condition: / }).click();
    const no = step.filter({ hasText: 'Condition' }).locator('.outcome').filter({ hasText: 'no' }).locator('.react-flow__handle');
    const end = step.filter({ hasText: 'bought' }).locator('.react-flow__handle-top');
    await page.getByRole('button', { name: 'Fit View' }).click();
    await world.visitor.still(end);
    await no.dragTo(end, { force: true, steps: 10 });
    await eventually('it is connected', async () => (await page.getByLabel('Next step on “no”').inputValue()) === 'exit_1');
    await world.press('Save draft');
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor();

    await page.getByRole('link', { name: 'Rehearse' }).click();
    await page.getByLabel('Find contact').fill('joy@');
    await page.getByLabel('Contact', { exact: true }).selectOption({ label: 'joy@automation.example' });
    await page.getByText('Welcome, Joy').waitFor();
    await page.frameLocator('iframe.message').getByText('Hello Joy').waitFor();
    await page.getByText('→ timeout').waitFor();
    await world.press('Add event');
    await page.getByLabel('Event name').fill('order.paid');
    await page.getByLabel('After', { exact: true }).fill('2');
    await page.getByText('→ event').waitFor();
    await page.getByText('exited').waitFor();
    await page.getByLabel('Day of the year').fill('1');
    await page.getByText('at Wait for event').waitFor();
    await hasCount(page.locator('.step.passed'), 3);
    for (const theme of ['light', 'dark']) {
      await page.getByLabel('Theme').selectOption(theme);
      expect(await world.visitor.hindrances()).toEqual([]);
    }
    await page.getByLabel('Theme').selectOption('system');

    await world.visitor.open('/automations', 'Automations');
    await page.getByRole('link', { name: 'Welcome' }).click();
    await world.press('Activate');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await world.platform.post('/v1/events', { name: 'user.welcomed', email: 'joy@automation.example' });
    await page.locator('.step-note').filter({ hasText: '1 entered, 1 waiting' }).waitFor();
    // Who is at a step is asked by its drawing.
    await page.locator('.step', { hasText: 'bought' }).click();
    await page.getByText('No matching executions.').waitFor();
    await page.locator('.step', { hasText: '1 waiting' }).click();
    const joy = page.getByRole('link', { name: 'joy@automation.example' });
    await joy.waitFor();
    await world.visitor.loaded();
    // The list keeps up with the figures of the steps.
    await page.waitForResponse(/\/executions\?/);
    await joy.click();
    await page.getByText('Event: order.paid', { exact: true }).waitFor();
    const inTemporal = await page.getByRole('link', { name: /^automation/ }).getAttribute('href');
    expect(inTemporal).toMatch(/^https:\/\/temporal\.example\/namespaces\/[^/]+\/workflows\/automation/);
    await hasCount(page.locator('.step.passed'), 3);
    await world.platform.post('/v1/events', { name: 'order.paid', email: 'joy@automation.example' });
    await page.getByText('exited').first().waitFor();
    await hasCount(page.locator('.step.passed'), 4);
    // It follows the graph that it began with, and is drawn so, whatever became of the automation.
    const { body } = await world.platform.get('/v1/workflows');
    const nodes = [{ id: 'other', type: 'trigger', config: {} }];
    await world.platform.request('PATCH', `/v1/workflows/${body.data.data[0].workflowId}`, { graph: { nodes, edges: [] } });
    await page.reload();
    await page.locator('.step.passed').nth(3).waitFor();
    await page.getByRole('link', { name: 'View message', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome, Joy' }).waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
  test('the page of an automation says which of its translations are missing', async () => {
    const { page } = world.visitor;
    const OF_GRAPH = { path: 'graph', message: 'Something about the whole graph' };
    const mail = { subject: '{{t "lost"}}', body: '<p>Hello</p>', fromEmail: 'hello@hello.test' };
    const nodes = [
      { id: 't', type: 'trigger', config: {} },
      { id: 's', type: 'send_email', name: 'Greeting', config: mail },
    ];
    const { body } = await world.platform.post('/v1/workflows', {
      name: 'Lacking',
      trigger: 'event:lacking.tried',
      graph: { nodes, edges: [{ from: 't', to: 's' }] },
    });
    await page.route('**/v1/workflows/check', async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      await route.fulfill({ response, json: { success: true, data: { ...data, warnings: [...data.warnings, OF_GRAPH] } } });
    });
    await world.visitor.open(`/automations/${body.data.workflowId}`, 'Lacking');
    await page.getByText('Send email: Greeting: There is no translation {{t "lost"}}').waitFor();
    await page.getByText(OF_GRAPH.message, { exact: true }).waitFor();
    await page.unroute('**/v1/workflows/check');
    expect(await world.visitor.hindrances()).toEqual([]);
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
  test('steps are added on the canvas, and a removed one comes back by undo', async () => {
    const { page } = world.visitor;
    const nodes = [
      { id: 't', type: 'trigger', config: {} },
      { id: 'd', type: 'delay', name: 'A day', config: { amount: 1, unit: 'days' } },
    ];
    const { body } = await world.platform.post('/v1/workflows', {
      name: 'Canvas',
      trigger: 'event:canvas.tried',
      graph: { nodes, edges: [{ from: 't', to: 'd' }] },
    });
    await world.visitor.open(`/automations/${body.data.workflowId}/edit`, 'Edit Canvas');
    const titles = async (): Promise<string[]> => page.locator('.step-title').allTextContents();
    const choose = async (type: string): Promise<void> => world.dialog.getByRole('button', { name: type, exact: true }).click();

    await page.getByRole('button', { name: /^Add between Trigger: .* and Wait: A day$/ }).click();
    expect(await world.visitor.hindrances()).toEqual([]);
    await choose('Condition');
    await page.getByRole('button', { name: /^Add after Condition: .* on “no”$/ }).click();
    await choose('Send email');
    await page.getByLabel('From address').waitFor();
    // What is not finished is kept as it is.
    await world.press('Save draft');
    await page.getByRole('heading', { level: 1, name: 'Canvas', exact: true }).waitFor();
    const kept = (await world.platform.get(`/v1/workflows/${body.data.workflowId}`)).body.data.graph;
    expect(kept.edges).toEqual([
      { from: 't', to: 'condition_1' },
      { from: 'condition_1', to: 'd', branch: 'yes' },
      { from: 'condition_1', to: 'send_email_1', branch: 'no' },
    ]);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.locator('.step', { hasText: 'A day' }).click();
    await page.getByLabel('Step name').fill('Two days');
    await page.getByLabel('Step name').press('Control+z');
    await eventually('the name is back', async () => (await page.getByLabel('Step name').inputValue()) === 'A day');
    await page.locator('.step', { hasText: 'A day' }).click();
    await page.keyboard.press('Delete');
    await eventually('it is gone', async () => !(await titles()).includes('A day'));
    await page.keyboard.press('Control+z');
    await eventually('it is back', async () => (await titles()).includes('A day'));
    await page.locator('.step', { hasText: 'A day' }).click();
    await page.keyboard.press('Control+c');
    await page.keyboard.press('Control+v');
    await eventually('there are two', async () => (await titles()).filter((title) => title === 'A day').length === 2);
    await world.press('Undo');
    await eventually('there is one', async () => (await titles()).filter((title) => title === 'A day').length === 1);
    // All of it is undone: it may be left without a question.
    await page.getByRole('link', { name: 'Canvas' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Canvas', exact: true }).waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
  test('who may only read sees automations and campaigns, and is offered no change of them', async () => {
    const { body: draft } = await world.platform.post('/v1/campaigns', {
      name: 'To be read',
      subject: 'Sale',
      body: '<p>Sale</p>',
      fromEmail: 'hello@hello.test',
    });
    const { key } = await createKey(world.platform.keys.projectId, 'secret', 50, { scope: 'read' });
    const reader = await Visitor.come(world.browser, world.platform);
    await reader.signInByKey(key);
    await reader.open('/automations', 'Automations');
    expect(await reader.page.getByRole('button', { name: 'New automation' }).count()).toBe(0);
    await reader.page.getByRole('link', { name: 'Welcome' }).click();
    await reader.page.getByRole('region', { name: 'Statistics by step' }).waitFor();
    expect(await reader.page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await reader.page.goto(`${reader.page.url()}/edit`);
    await reader.page.getByRole('heading', { name: 'Your key does not allow this' }).waitFor();
    await reader.open(`/campaigns/${draft.data.campaignId}`, 'To be read');
    await reader.page.getByText('Current recipients').waitFor();
    expect(await reader.page.getByText('scope is read').count()).toBe(0);
    await reader.leave();
  });
}
