import { storeEmails } from '../../support/data/email-rows';
import { stored } from '../../support/data/stored';
import { NARROW, WIDE } from '../support/browser';
import type { World } from '../support/world';

const HOUR_MS = 3_600_000;

/** The curves of campaigns and automations. */
export function curveJourneys(world: World): void {
  const looks = [
    [NARROW, 'light'],
    [WIDE, 'dark'],
  ] as const;

  async function isUsable(): Promise<void> {
    const { page } = world.visitor;
    for (const [size, colorScheme] of looks) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await world.visitor.loaded();
      expect([size, await world.visitor.hindrances()]).toEqual([size, []]);
      expect([size, await world.visitor.overflows()]).toEqual([size, false]);
    }
    expect(await world.visitor.misdeeds()).toEqual([]);
  }

  /** Opens the table beside the curves by keyboard; resolves to its columns and its rows without their instants. */
  async function table(name: string): Promise<readonly string[][]> {
    const { page } = world.visitor;
    const shown = page.getByRole('region', { name });
    if (!(await shown.isVisible())) {
      await page.getByText('Show as a table').focus();
      await page.keyboard.press('Enter');
    }
    await shown.waitFor();
    const rows = await shown.getByRole('row').all();
    return Promise.all(rows.map(async (row) => (await row.locator('th, td').allTextContents()).slice(1)));
  }

  test('a campaign shows people and machines apart by hour and day, with the estimate and its interval', async () => {
    const { page } = world.visitor;
    const { projectId } = world.platform.keys;
    const draft = { name: 'Curved', subject: 'Curved', body: '<p>Curved</p>', fromEmail: 'hello@hello.test' };
    const campaignId = (await world.platform.post('/v1/campaigns', draft)).body.data.campaignId as string;
    const began = new Date(Date.now() - 3 * HOUR_MS);
    const counters = { sent: 10, delivered: 10, opened: 4, clicked: 1, proxied: 4, proxiedOpened: 1, scanned: 2 };
    await stored.campaigns.collection.updateOne(
      { _id: campaignId },
      { $set: { status: 'sent', startedAt: began, sentAt: began, audienceSize: 10, ...each('counters', counters) } },
    );
    const sent = { campaignId, source: 'campaign', status: 'delivered', sentAt: began, deliveredAt: began } as const;
    const later = new Date(began.getTime() + HOUR_MS);
    await storeEmails(
      projectId,
      ...Array.from({ length: 10 }, (_, n) => ({
        ...sent,
        ...(n < 4 && { openedAt: later }),
        ...(n === 0 && { clickedAt: later }),
        ...(n > 2 && n < 7 && { proxiedAt: began }),
        ...(n > 7 && { scannedAt: began }),
      })),
    );
    await world.visitor.open(`/campaigns/${campaignId}`, 'Curved');
    await page.getByText('4 messages loaded by Apple Mail’s privacy proxy, 2 opened or clicked by other machines').waitFor();
    await page.getByText(/^Estimated true opens: 5 \(4 to 6, with a confidence of 95%\), of 10 delivered/).waitFor();
    const reading = ['Opened by people', 'Clicked by people', 'Unsubscribed', 'Loaded by Apple’s proxy', 'Opened or clicked by machines'];
    const byHour = await table('Results over time: Opens and clicks, as a table');
    expect(byHour.slice(0, 3)).toEqual([reading, ['0', '0', '0', '4', '2'], ['4', '1', '0', '0', '0']]);
    await isUsable();
    await page.getByLabel('By', { exact: true }).selectOption('day');
    await page.getByRole('columnheader', { name: 'Day' }).waitFor();
    const byDay = await table('Results over time: Opens and clicks, as a table');
    const sum = (column: number): number => byDay.slice(1).reduce((total, row) => total + Number(row[column]), 0);
    expect(reading.map((_, column) => sum(column))).toEqual([4, 1, 0, 4, 2]);
    await page.getByLabel('Show', { exact: true }).selectOption('Delivery');
    expect((await table('Results over time: Delivery, as a table'))[0]).toEqual(['Sent', 'Delivered', 'Bounced', 'Complained']);
  });

  test('an automation shows its executions over time, and its messages', async () => {
    const { page } = world.visitor;
    const nodes = [{ id: 'start', type: 'trigger', config: {} }];
    const graph = { nodes: [...nodes, { id: 'end', type: 'exit', config: {} }], edges: [{ from: 'start', to: 'end' }] };
    const { body } = await world.platform.post('/v1/workflows', { name: 'Curved course', trigger: 'event:curved', graph });
    const id = body.data.workflowId as string;
    await world.platform.request('PATCH', `/v1/workflows/${id}`, { status: 'active' });
    await world.visitor.open(`/automations/${id}`, 'Curved course');
    await page.getByText('No activity yet.').waitFor();
    await world.platform.post('/v1/contacts', { email: 'cora@curves.example' });
    const enrolled = await world.platform.post(`/v1/workflows/${id}/enroll`, { email: 'cora@curves.example' });
    expect(enrolled.status).toBe(201);
    const now = new Date();
    const sent = { workflowId: id, source: 'workflow', status: 'opened', sentAt: now, deliveredAt: now, openedAt: now } as const;
    await storeEmails(world.platform.keys.projectId, sent);
    await page.reload();
    const executions = await table('Automation over time: Executions, as a table');
    expect(executions[0]).toEqual(['Entered', 'Completed', 'Exited', 'Cancelled', 'Failed']);
    expect(executions.slice(1).reduce((total, [entered]) => total + Number(entered), 0)).toBe(1);
    await isUsable();
    await page.getByLabel('Show', { exact: true }).selectOption('Delivery');
    const delivery = await table('Automation over time: Delivery, as a table');
    expect(delivery.slice(1).reduce((total, [all]) => total + Number(all), 0)).toBe(1);
    await page.setViewportSize(WIDE);
  });
}

const each = (under: string, members: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [`${under}.${name}`, value]));
