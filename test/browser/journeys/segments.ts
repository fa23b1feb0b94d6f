import type { World } from '../support/world';
import { hasValue } from '../support/waits';

/** The values of conditions. */
export function segmentJourneys(world: World): void {
  test('the value of a condition has the type that the field has in the data, and what was typed is converted and never replaced', async () => {
    const { page } = world.visitor;
    for (const [name, data] of Object.entries({
      una: { tier: 'gold', visits: 5, vip: true },
      uri: { tier: 'gold', visits: 1, vip: false },
    })) {
      await world.platform.post('/v1/contacts', { email: `${name}@typed.example`, data });
    }
    await world.visitor.open('/segments/new', 'New segment');
    await page.getByLabel('Name', { exact: true }).fill('5+ visits');
    const first = page.getByRole('group', { name: 'Condition 1' });
    await first.getByLabel('Property').selectOption('data');
    await first.getByLabel('Field').fill('visits');
    await first.getByLabel('Condition', { exact: true }).selectOption('greaterThanOrEqual');
    await first.getByLabel('Value').fill('5');
    await page.getByText('1 contact matches').waitFor();
    // The data tells the type, and a number that was typed stays it, on whatever field and in whatever operator.
    await first.getByLabel('Condition', { exact: true }).selectOption('contains');
    await first.getByLabel('Field').fill('tier');
    await first.getByLabel('Field').fill('visits');
    await first.getByLabel('Condition', { exact: true }).selectOption('in');
    await first.getByLabel('Condition', { exact: true }).selectOption('greaterThanOrEqual');
    await hasValue(first.getByLabel('Value'), '5');
    await page.getByText('1 contact matches').waitFor();
    await first.getByLabel('Field').fill('vip');
    await first.getByLabel('Condition', { exact: true }).selectOption('equals');
    await hasValue(first.getByLabel('Value'), '');
    await first.getByLabel('Value').selectOption('true');
    await page.getByText('1 contact matches').waitFor();
    // Nobody has such a field: what is written tells the type, and quotes make it a text.
    await first.getByLabel('Field').fill('nobody_has_it');
    await first.getByLabel('Value').fill('"5"');
    await first.getByText('Matches the text 5, not 5').waitFor();
    await first.getByLabel('Value').fill('5');
    await first.getByText('Matches the number 5').waitFor();
    expect([await first.getByLabel('Type').count(), await world.visitor.hindrances()]).toEqual([0, []]);
    await first.getByLabel('Field').fill('visits');
    await first.getByLabel('Condition', { exact: true }).selectOption('greaterThanOrEqual');
    await world.press('Save segment');
    await page.getByRole('heading', { level: 1, name: '5+ visits' }).waitFor();
    const { body } = await world.platform.get('/v1/segments');
    const atLeast = { field: 'data.visits', operator: 'greaterThanOrEqual', value: 5 };
    expect(body.data.data[0].conditions.groups).toEqual([{ filters: [atLeast] }]);
    await world.platform.request('DELETE', `/v1/segments/${body.data.data[0].segmentId as string}`);
  });
}
