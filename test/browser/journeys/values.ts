import type { Locator } from 'playwright-core';
import { eventually } from '../../support/platform/platform';
import { NARROW } from '../support/browser';
import type { World } from '../support/world';

/** Values of any JSON type, written without JSON. */
export function valueJourneys(world: World): void {
  const within = (place: Locator, name: string): Locator => place.getByRole('group', { name, exact: true });

  test('a list of groups goes into a test of a template by keyboard, and an empty placeholder leaves its value to the contact', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'vera@values.example', firstName: 'Vera', data: { plan: 'pro' } });
    const body = '<p>{{firstName}} on {{data.plan}} since {{data.since}}: {{#each items}}{{this.name}} {{this.price}};{{/each}}</p>';
    const made = await world.platform.post('/v1/templates', { name: 'Basket', subject: 'Basket', body, fromEmail: 'shop@hello.test' });
    await world.visitor.open(`/templates/${made.body.data.templateId}`, 'Basket');
    await world.press('Send test');
    const { dialog } = world;
    await dialog.getByLabel('To').fill('vera@values.example');
    const data = within(dialog, 'Placeholder 1');
    await data.getByLabel('Placeholder').waitFor();
    expect(
      await dialog.getByLabel(/^(Placeholder|Field)$/).evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
    ).toEqual(['data', 'plan', 'since', 'firstName', 'items']);
    const since = within(data, 'Field 1.2');
    await since.getByLabel('Type').selectOption('date');
    await since.getByLabel('Value').fill('2026-05-01');
    const items = within(dialog, 'Placeholder 3');
    // Another type in between costs nothing.
    await items.getByLabel('Value').fill('kept\nwhole');
    await items.getByLabel('Type').selectOption('number');
    await items.getByLabel('Type').selectOption('text');
    expect(await items.getByLabel('Value').inputValue()).toBe('kept\nwhole');
    await items.getByLabel('Value').fill('9007199254740993');
    await items.getByLabel('Type').selectOption('number');
    await items.getByText('Too many digits. Use the type Text.').waitFor();
    expect(await items.getByLabel('Value').inputValue()).toBe('9007199254740993');
    await items.getByLabel('Type').selectOption('text');
    await items.getByLabel('Value').fill('');
    await items.getByLabel('Type').first().selectOption('list');
    await items.getByRole('button', { name: 'Add item to placeholder 3' }).press('Enter');
    const type = page.getByRole('combobox').and(page.locator(':focus'));
    await type.selectOption('group');
    const add = dialog.getByRole('button', { name: 'Add field to item 3.1' });
    await add.press('Enter');
    await page.keyboard.type('name');
    await within(dialog, 'Field 3.1.1').getByLabel('Value').fill('Tea');
    await add.press('Enter');
    await page.keyboard.type('price');
    const price = within(dialog, 'Field 3.1.2');
    await price.getByLabel('Type').selectOption('number');
    await price.getByLabel('Value').fill('9007199254740993');
    await price.getByText('Too many digits. Use the type Text.').waitFor();
    await price.getByLabel('Value').fill('4.5');
    await page.setViewportSize({ ...NARROW, width: 360 });
    expect([await world.visitor.hindrances(), await world.visitor.overflows()]).toEqual([[], false]);
    await page.setViewportSize({ width: 1_280, height: 800 });
    await world.pressIn('Send test');
    await world.toast('Test accepted.').getByRole('link', { name: 'View message' }).click();
    await page.frameLocator('iframe.message').getByText('Vera on pro since 2026-05-01: Tea 4.5;').waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });

  test('a webhook step gets a header and a body with a list, and what is stored in it stays', async () => {
    const { page } = world.visitor;
    const odd = { '': 'no name', at: '2026-05-01T10:00:30Z', when: '2026-05-01T10:00:00+02:00', lines: 'one\ntwo', none: null };
    const config = { url: 'https://shop.example/hook', method: 'POST', body: { deep: [[{ a: [1, 'two', false] }], odd] } };
    const nodes = [
      { id: 't', type: 'trigger', config: {} },
      { id: 'w', type: 'webhook', config },
    ];
    const graph = { nodes, edges: [{ from: 't', to: 'w' }] };
    const { body } = await world.platform.post('/v1/workflows', { name: 'Calling', trigger: 'event:calling.tried', graph });
    const id = body.data.workflowId as string;
    await world.visitor.open(`/automations/${id}/edit`, 'Edit Calling');
    await page.locator('.step', { hasText: 'shop.example' }).click();
    const headers = within(page.getByRole('main'), 'Headers');
    await headers.getByRole('button', { name: 'Add header' }).click();
    await headers.getByLabel('Header').fill('X-Shop');
    await headers.getByLabel('Value').fill('2026-05-01');
    const content = within(page.getByRole('main'), 'Body');
    await content.getByText('Enter a name.', { exact: true }).waitFor();
    await content.getByRole('button', { name: 'Add field to body' }).click();
    const tags = within(content, 'Field 2');
    await tags.getByLabel('Field').fill('tags');
    await tags.getByLabel('Type').selectOption('list');
    await tags.getByRole('button', { name: 'Add item to field 2' }).click();
    await within(tags, 'Item 2.1').getByLabel('Value').fill('{{email}}');
    await within(content, 'Item 1.1.1').getByRole('button', { name: 'Add field to item 1.1.1' }).click();
    await within(content, 'Field 1.1.1.2').getByLabel('Field').fill('b');
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Save draft');
    await page.getByRole('heading', { level: 1, name: 'Calling', exact: true }).waitFor();
    const kept = await eventually('it is stored', async () => {
      const { graph: stored } = (await world.platform.get(`/v1/workflows/${id}`)).body.data;
      return (stored.nodes as { id: string; config: object }[]).find((node) => node.id === 'w')?.config;
    });
    expect(kept).toEqual({
      ...config,
      headers: { 'X-Shop': '2026-05-01' },
      body: { deep: [[{ a: [1, 'two', false], b: '' }], odd], tags: ['{{email}}'] },
    });
    // The rehearsal suggests the names that the latest events had.
    await world.platform.post('/v1/events', { name: 'calling.tried', email: 'vera@values.example', data: { basket: 1 } });
    await page.getByRole('link', { name: 'Rehearse' }).click();
    const data = within(page.getByRole('main'), 'Trigger event data');
    await data.getByRole('button', { name: 'Add field' }).click();
    await data.locator('datalist option[value="basket"]').waitFor({ state: 'attached' });
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
