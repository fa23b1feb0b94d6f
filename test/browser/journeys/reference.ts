import { Visitor } from '../support/browser';
import type { World } from '../support/world';

/** The reference of the API. */
export function referenceJourneys(world: World): void {
  test('a newcomer comes to the reference, reads what an operation takes, and sends its example as it stands', async () => {
    const newcomer = await Visitor.come(world.browser, world.platform);
    const { page } = newcomer;
    await page.goto(world.platform.url);
    await page.getByRole('main').getByRole('link', { name: 'API reference' }).click();

    await page.locator('#operations-tag-Workflows').click();
    const workflow = page.locator('#operations-Workflows-createWorkflow');
    await workflow.locator('.opblock-summary-control').click();
    await workflow.getByText('the rate limit is reached').first().waitFor();
    await workflow.getByRole('tab', { name: 'Schema' }).first().click();
    await workflow.getByText('reentry', { exact: true }).first().waitFor();
    // Conditions hold conditions: what leads to itself is shown, and not followed for ever.
    await page.locator('#operations-tag-Workflows').click();

    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('.auth-container input').first().fill(world.platform.keys.secret);
    await page.locator('.auth-btn-wrapper').first().getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.auth-btn-wrapper').first().getByRole('button', { name: 'Close' }).click();
    await page.locator('#operations-tag-Send').click();
    const send = page.locator('#operations-Send-send');
    await send.locator('.opblock-summary-control').click();
    await send.getByRole('button', { name: 'Try it out' }).click();
    await send.getByRole('button', { name: 'Execute' }).click();
    const answer = send.locator('.live-responses-table');
    expect(await answer.locator('.response-col_status').last().innerText()).toContain('200');
    expect(await answer.innerText()).toContain('"status": "queued"');
    expect(await newcomer.misdeeds()).toEqual([]);
    await newcomer.leave();
  });
}
