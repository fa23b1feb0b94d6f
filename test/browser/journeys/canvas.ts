import type { Locator } from 'playwright-core';
import { eventually } from '../../support/platform/platform';
import { Visitor, WIDE } from '../support/browser';
import type { World } from '../support/world';
import { hasValue } from '../support/waits';

/** The graph of an automation: what its steps say, and what the keys do. */
export function canvasJourneys(world: World): void {
  test('steps say what they do, and their values are written by type', async () => {
    const { page } = world.visitor;
    const made = async (path: string, body: object): Promise<Readonly<Record<string, string>>> =>
      (await world.platform.post(path, body)).body.data;
    const { templateId } = await made('/v1/templates', {
      name: 'Hello again',
      subject: 'Hi',
      body: '<p>Hi</p>',
      fromEmail: 'hello@hello.test',
    });
    const { segmentId } = await made('/v1/segments', { name: 'Early birds', type: 'static' });
    await world.platform.post('/v1/contacts', { email: 'typed@automation.example', data: { seats: 3 } });
    const filter = { field: 'data.seats', operator: 'greaterThan', value: 2 };
    const member = { field: `segment.${segmentId}`, operator: 'memberOf' };
    const nodes = [
      { id: 't', type: 'trigger', config: {} },
      { id: 'c', type: 'condition', config: { conditions: { logic: 'or', groups: [{ filters: [filter] }, { filters: [member] }] } } },
      { id: 's', type: 'send_email', config: { templateId } },
      { id: 'a', type: 'add_to_segment', config: { segmentId } },
      { id: 'u', type: 'update_contact', config: { firstName: 'Ty', subscribed: false, data: { seats: 1, tags: ['a'] } } },
      { id: 'w', type: 'wait_for_event', config: { event: 'order.paid', filter: { total: 5, tax: 5 } } },
      { id: 'd', type: 'delay', config: { until: '2030-05-01T10:00:00+02:00' } },
      { id: 'x', type: 'exit', config: {} },
      { id: 'n', type: 'switch', config: { field: 'locale', cases: [{ branch: 'x', operator: 'equals', value: 'de' }] } },
    ];
    const { workflowId } = await made('/v1/workflows', { name: 'Speaking', trigger: 'event:speaking.tried', graph: { nodes, edges: [] } });
    await world.visitor.open(`/automations/${workflowId}/edit`, 'Edit Speaking');
    await world.press('All steps');
    expect(await page.locator('.step-choice button').allTextContents()).toEqual([
      'Trigger: Any contact',
      'Condition: seats is greater than 2 or is in the segment Early birds',
      'Send email: Hello again',
      'Add to segment: Early birds',
      'Update contact: Unsubscribe, change first name, seats, tags',
      'Wait for event: order.paid',
      'Wait: until 1 May 2030, 08:00',
      'End',
      'Switch: locale',
    ]);
    const choose = async (name: string): Promise<void> => {
      await page.getByRole('button', { name, exact: true }).click();
    };
    await choose('Update contact: Unsubscribe, change first name, seats, tags');
    await page.getByRole('group', { name: 'Field 1' }).getByLabel('Value').fill('7');
    await world.press('Add field');
    await page.getByRole('group', { name: 'Field 3' }).getByLabel('Field', { exact: true }).fill('trial');
    await page.getByRole('group', { name: 'Field 3' }).getByLabel('Type').selectOption('nothing');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('All steps');
    await choose('Wait for event: order.paid');
    const total = page.getByRole('group', { name: 'Path 1' });
    // What is no number does not take the number away, and an undone change is shown as it is.
    await total.getByLabel('Value').fill('');
    await page.getByText('Enter a number.').waitFor();
    await total.getByLabel('Value').fill('6');
    await world.press('Undo');
    await eventually('the number is back', async () => (await total.getByLabel('Value').inputValue()) === '5');
    // What was typed in a row goes with it.
    await total.getByLabel('Value').fill('');
    await world.press('Remove path 1');
    expect([await total.getByLabel('Path', { exact: true }).inputValue(), await total.getByLabel('Value').inputValue()]).toEqual([
      'tax',
      '5',
    ]);
    await world.press('Undo');
    await eventually('the row is back', async () => (await total.getByLabel('Path', { exact: true }).inputValue()) === 'total');
    await world.press('All steps');
    await choose('Wait: until 1 May 2030, 08:00');
    await page.getByLabel('Until', { exact: true }).fill('2031-01-02T03:04');
    await world.press('All steps');
    await choose('Switch: locale');
    await page.locator('datalist option[value="data.seats"]').waitFor({ state: 'attached' });
    await page.getByLabel('Field', { exact: true }).fill('data.seats');
    await page.getByLabel('Value', { exact: true }).fill('9');
    await world.press('Save draft');
    await page.getByRole('heading', { level: 1, name: 'Speaking', exact: true }).waitFor();
    const { graph } = (await world.platform.get(`/v1/workflows/${workflowId}`)).body.data;
    const configOf = (id: string) => (graph.nodes as { id: string; config: unknown }[]).find((node) => node.id === id)?.config;
    expect(configOf('u')).toMatchObject({ data: { seats: 7, tags: ['a'], trial: null } });
    expect(configOf('w')).toMatchObject({ filter: { total: 5 } });
    expect(configOf('d')).toEqual({ until: '2031-01-02T03:04:00.000Z' });
    expect(configOf('n')).toMatchObject({ field: 'data.seats', cases: [{ value: 9 }] });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
  test('a year is typed digit by digit, and the time of day stays', async () => {
    const visitor = await Visitor.come(world.browser, world.platform, WIDE, 'Europe/Vienna');
    await visitor.signIn();
    const nodes = [
      { id: 't', type: 'trigger', config: {} },
      { id: 'd', type: 'delay', config: { until: '2030-05-01T10:00:00+02:00' } },
    ];
    const { body } = await world.platform.post('/v1/workflows', {
      name: 'Later',
      trigger: 'event:later.tried',
      graph: { nodes, edges: [{ from: 't', to: 'd' }] },
    });
    await visitor.open(`/automations/${body.data.workflowId}/edit`, 'Edit Later');
    await visitor.page.getByRole('button', { name: 'All steps', exact: true }).click();
    await visitor.page.getByRole('button', { name: 'Wait: until 1 May 2030, 10:00', exact: true }).click();
    const until = visitor.page.getByLabel('Until', { exact: true });
    await until.press('Tab');
    await visitor.page.keyboard.press('Tab');
    // On the way to the year lie those before there were time zones.
    await visitor.page.keyboard.type('2031');
    await hasValue(until, '2031-05-01T10:00');
    expect(await visitor.misdeeds()).toEqual([]);
    await visitor.leave();
  });
  test('on the canvas the keys do what is announced', async () => {
    const { page } = world.visitor;
    const nodes = [
      { id: 't', type: 'trigger', config: {} },
      { id: 'd', type: 'delay', name: 'A day', config: { amount: 1, unit: 'days' } },
    ];
    const { body } = await world.platform.post('/v1/workflows', {
      name: 'By key',
      trigger: 'event:key.tried',
      graph: { nodes, edges: [{ from: 't', to: 'd' }] },
    });
    const drawing = page.getByRole('region', { name: 'Automation graph' });
    const step = drawing.getByRole('group', { name: 'Wait: A day', exact: true });
    const hint = async (of: Locator): Promise<string | null> =>
      page.locator(`[id="${await of.getAttribute('aria-describedby')}"]`).textContent();
    await world.visitor.open(`/automations/${body.data.workflowId}`, 'By key');
    expect(await hint(step)).toBe('Press Enter to choose this step.');
    expect(await page.locator('.react-flow__edge[tabindex]').count()).toBe(0);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('heading', { level: 1, name: 'Edit By key' }).waitFor();

    expect(await hint(step)).toMatch(/the arrow keys move it and Delete removes it/);
    await world.visitor.still(step);
    const left = async (): Promise<number | undefined> => (await step.boundingBox())?.x;
    const before = (await left()) ?? 0;
    await step.press('Enter');
    await page.getByLabel('Step name').waitFor();
    await step.press('Shift+ArrowRight');
    await page.getByText(/^Moved right from /).waitFor({ state: 'attached' });
    await eventually('it has moved', async () => ((await left()) ?? 0) > before);
    await world.press('Undo');
    await eventually('it is where it was', async () => (await left()) === before);
    await step.hover();
    await page.mouse.down();
    await page.mouse.move(before, 300, { steps: 5 });
    await page.mouse.up();
    await eventually('it was dropped elsewhere', async () => ((await left()) ?? before) < before);
    await world.press('Undo');
    await eventually('it is back where it was', async () => (await left()) === before);

    const connection = page.getByRole('group', { name: 'Trigger: Any contact leads to Wait: A day' });
    expect(await hint(connection)).toBe('Press Delete to remove this connection.');
    await connection.press('Delete');
    await connection.waitFor({ state: 'detached' });
    // The step is still selected: what has the focus is removed, and nothing else.
    await hasValue(page.getByLabel('Step name'), 'A day');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-id'))).toBe('t');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Undo');
    await connection.waitFor({ state: 'attached' });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
  test('a copied step is pasted in another automation, with an id of its own; what is no step of the project is refused', async () => {
    const { page } = world.visitor;
    const made = async (name: string, config: object): Promise<string> => {
      const nodes = [
        { id: 't', type: 'trigger', config: {} },
        { id: 'delay_1', type: 'delay', name, config },
      ];
      const graph = { nodes, edges: [{ from: 't', to: 'delay_1' }] };
      return (await world.platform.post('/v1/workflows', { name, trigger: 'event:copy.tried', graph })).body.data.workflowId as string;
    };
    const [from, to] = [await made('Two weeks', { amount: 2, unit: 'weeks' }), await made('An hour', { amount: 1, unit: 'hours' })];
    await world.visitor.open(`/automations/${from}/edit`, 'Edit Two weeks');
    const other = await page.context().newPage();
    await other.goto(`${world.platform.url}/console/automations/${to}/edit`);
    const step = (name: string) => other.locator('.step', { hasText: name });
    await step('An hour').click();
    await page.bringToFront();
    await page.locator('.step', { hasText: 'Two weeks' }).click();
    await page.keyboard.press('Control+c');
    await other.bringToFront();
    // Held keys paste once.
    await other.keyboard.down('Control');
    for (let times = 0; times < 3; times++) await other.keyboard.down('v');
    for (const key of ['v', 'Control']) await other.keyboard.up(key);
    await step('Two weeks').waitFor();
    await other.getByRole('button', { name: 'Save draft', exact: true }).click();
    await other.getByRole('heading', { level: 1, name: 'An hour', exact: true }).waitFor();
    await other.close();
    const { graph } = (await world.platform.get(`/v1/workflows/${to}`)).body.data;
    expect((graph.nodes as readonly unknown[]).slice(2)).toEqual([
      { id: 'delay_2', type: 'delay', name: 'Two weeks', config: { amount: 2, unit: 'weeks' } },
    ]);

    const paste = (text: string, type = 'text/plain'): Promise<void> =>
      page.evaluate(
        ([pasted, as]) => {
          const clipboardData = new DataTransfer();
          if (pasted !== '') clipboardData.setData(as, pasted);
          document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
        },
        [text, type] as const,
      );
    const alert = page.getByRole('alert');
    const delay = { id: 'd', type: 'delay', config: { amount: 1, unit: 'days' } };
    const { projectId } = world.platform.keys;
    await paste(JSON.stringify({ lettermill: 'step', projectId: 'prj_other', step: delay }));
    await alert.getByText('Not pasted. The step is from another project.').waitFor();
    await paste(JSON.stringify({ lettermill: 'step', projectId, step: { ...delay, config: { amount: 'many' } } }));
    await alert.getByText('Not pasted. The copied step is not valid.').waitFor();
    await paste(JSON.stringify({ lettermill: 'step', projectId, step: { ...delay, type: 'trigger' } }));
    await alert.getByText('Not pasted. An automation has only one trigger.').waitFor();
    await paste(JSON.stringify({ lettermill: 'step', projectId }));
    await alert.getByText('Not pasted. The copied step is not valid.').waitFor();
    await paste('Two weeks');
    await paste('<img>', 'text/html');
    expect(await page.locator('.step').count()).toBe(2);
    // A browser may give the page no clipboard.
    await paste('');
    await eventually('it is pasted', async () => (await page.locator('.step').count()) === 3);
    expect([await alert.count(), await world.visitor.hindrances()]).toEqual([0, []]);
    await world.press('Undo');
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
