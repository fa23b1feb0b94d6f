import type { World } from '../support/world';

/** Templates. */
export function templateJourneys(world: World): void {
  test('a template is written, changed, sent as a test, and brought back to what it was', async () => {
    const { page } = world.visitor;
    await world.visitor.open('/templates', 'Templates');
    await page.getByRole('link', { name: 'New template' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Order shipped');
    await page.getByLabel('Subject').fill('Your order {{order}}');
    await page.getByLabel('Sender’s address').fill('shop@hello.test');
    await page.getByLabel('HTML').fill('<p>Hello {{firstName | "there"}}, order {{order}}');
    await page.getByText('Places for values: firstName, order').waitFor();
    await page.frameLocator('iframe.message').getByText('order {{order}}').waitFor();
    await world.press('Save');
    await page.getByRole('heading', { level: 1, name: 'Order shipped' }).waitFor();
    await page.getByLabel('HTML').fill('<p>{{#if}}');
    await world.press('Save as version 2');
    await page.getByText(/^body: /).waitFor();
    await page.getByLabel('HTML').fill('<p>Another text, {{order}}</p>');
    await world.press('Save as version 2');
    await world.press('Roll back');
    await world.pressIn('Roll back');
    await page.getByRole('button', { name: 'Save as version 4' }).waitFor();
    await world.press('Send a test');
    await world.dialog.getByLabel('To').fill('grace@example.com');
    await world.dialog.getByLabel('Values').fill('{"order": "A-1042"}');
    await world.pressIn('Send');
    await page.getByRole('link', { name: 'The test was accepted' }).click();
    await page.getByRole('heading', { level: 1, name: '[Test] Your order A-1042' }).waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
