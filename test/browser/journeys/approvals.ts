import type { World } from '../support/world';

const draft = { body: '<p>Agents</p>', fromEmail: 'hello@hello.test', audience: 'all' };

/** What agents request, and persons decide. */
export function approvalJourneys(world: World): void {
  /** A launch that an agent with a key has requested. */
  async function requested(name: string): Promise<void> {
    const { body } = await world.platform.post('/v1/campaigns', { ...draft, name, subject: `${name} for you` });
    const parameters = { id: body.data.campaignId as string };
    const answer = await world.platform.post('/v1/approvals', { operation: 'sendCampaign', parameters, reason: 'The text is final' });
    expect(answer.status).toBe(201);
  }

  test('what an agent has requested is approved in the console and goes out; what is rejected does not', async () => {
    const { page } = world.visitor;
    await requested('Agent news');
    await requested('Agent offer');
    await world.visitor.open('/approvals', 'Approvals');
    expect(await world.visitor.hindrances()).toEqual([]);
    await page.getByRole('link', { name: /Agent offer/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Approval', exact: true }).waitFor();
    await page.getByText('Agent offer for you').waitFor();
    await page.getByText('The text is final').waitFor();
    expect(await world.visitor.hindrances()).toEqual([]);
    await world.press('Reject');
    await world.pressIn('Reject');
    await page.getByText('rejected', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await page.getByRole('link', { name: '‹ Approvals' }).click();
    await page.getByRole('link', { name: /Agent news/ }).click();
    await world.press('Approve');
    await world.dialog.getByText(/Sends the campaign “Agent news” to/).waitFor();
    await world.pressIn('Approve');
    await page.getByText('executed', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Open the campaign' }).click();
    await page.getByRole('heading', { level: 1, name: 'Agent news' }).waitFor();
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
