import { stored } from '../../support/data/stored';
import { addRefusedDomain } from '../support/domains';
import { REFUSAL } from '../support/refusal';
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
    await page.getByText('Agent offer for you').first().waitFor();
    await page.getByText('All subscribed contacts').waitFor();
    await page.frameLocator('iframe.message').getByText('Agents').waitFor();
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

  test('a large launch that a check blocks is requested by force, and the approver sees what goes out, to whom, and why', async () => {
    const { page } = world.visitor;
    await world.platform.post('/v1/contacts', { email: 'ferry@example.com' });
    await addRefusedDomain(world, 'ferries.example');
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'equals', value: 'ferry@example.com' }] }] };
    const content = { subject: 'Ferries', abSubjectB: 'New ferries', previewText: 'From May on', body: '<p>All our ferries</p>' };
    const sender = { fromName: 'Harbor', fromEmail: 'harbor@ferries.example' };
    const { body } = await world.platform.post('/v1/campaigns', { ...content, ...sender, name: 'Ferries', audience: 'filter', filter });
    const campaignId = body.data.campaignId as string;
    await world.platform.request('PATCH', '/v1/settings', { approvalNeededAbove: 0 });
    try {
      await world.visitor.open(`/campaigns/${campaignId}`, 'Ferries');
      await world.press('Send test');
      await world.dialog.getByLabel('To').fill('ann@example.com, ben@example.com');
      const asked: unknown[] = [];
      await page.route('**/test-send', (route) => {
        asked.push(route.request().postDataJSON());
        return asked.length === 2 ? route.fulfill(REFUSAL) : route.continue();
      });
      await world.pressIn('Send test');
      await world.dialog.getByText('Accepted so far, and not sent again: ann@example.com (A)').waitFor();
      expect(await world.visitor.hindrances()).toEqual([]);
      await world.pressIn('Send test');
      await world.toast('4 tests accepted.').waitFor();
      const [ann, ben] = ['ann@example.com', 'ben@example.com'];
      const rest = [ann, ben].flatMap((to) => ['a', 'b'].map((abSubject) => ({ to, abSubject })));
      expect(asked).toEqual([rest[0], rest[1], ...rest.slice(1)]);
      await world.press('Send campaign …');
      for (const text of ['Harbor <harbor@ferries.example>', 'New ferries', 'From May on']) await world.dialog.getByText(text).waitFor();
      await world.dialog.getByLabel('Send anyway').check();
      await world.dialog.getByLabel('Reason').fill('The key comes back today');
      expect(await world.visitor.hindrances()).toEqual([]);
      await world.pressIn('Request approval');
      await page.getByText('Checks that block the launch are overridden: “The key comes back today”.').waitFor();
      await page.getByText('email is “ferry@example.com”').waitFor();
      await page.getByText('its policy asks receivers to quarantine or reject it').waitFor();
      await page.frameLocator('iframe.message').getByText('All our ferries').waitFor();
      expect(await world.visitor.hindrances()).toEqual([]);
      await world.platform.post(`/v1/approvals/${page.url().split('/').at(-1)}/approve`, {});
      await page.getByText('executed', { exact: true }).waitFor();
      const { reason } = await stored.audit.get({ subject: campaignId, action: 'campaign.send_forced' });
      expect(reason).toBe('The key comes back today');
    } finally {
      await page.unroute('**/test-send');
      await world.platform.request('PATCH', '/v1/settings', { approvalNeededAbove: null });
    }
    expect(await world.visitor.misdeeds()).toEqual([]);
  });
}
