import { automationProgressQuery, automationRunId } from '../../../../src/contracts/automation';
import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { chain, node, send } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';
import { eventually } from '../../../support/platform/platform';
import { aSkippingPlatform } from '../../../support/platform/skipping';

const HOUR_MS = 3_600_000;

const platform = aSkippingPlatform({}, [automationTriggers]);

test('a digest goes out at the end of its window, or once it is full', async () => {
  const body = '<p>{{#each items}}{{this.data.n}},{{/each}}</p>';
  const graph = chain(node('g', 'digest', { window: { amount: 6, unit: 'hours' }, max: 3 }), send('mail', { body }));
  const { data } = await platform.call('POST', '/v1/workflows', { name: 'D', trigger: 'event:commented', reentry: 'always', graph });
  const automationId = data['workflowId'] as string;
  expect((await platform.call('PATCH', `/v1/workflows/${automationId}`, { status: 'active' })).status).toBe(200);
  const [ada, bob] = ['ada@example.com', 'bob@example.com'];
  for (const email of [ada, bob]) await platform.call('POST', '/v1/contacts', { email });
  const comes = async (email: string, n: number) => {
    const answer = await platform.call('POST', '/v1/events', { name: 'commented', email, data: { n } });
    const { eventId } = answer.data as { eventId: string };
    await eventually(`${n} is gathered`, async () => (await stored.executions.count({ automationId, 'items.eventId': eventId })) === 1);
  };
  const mailTo = (email: string) => stored.emails.count({ workflowId: automationId, to: email });

  for (const n of [1, 2, 3]) await comes(ada, n);
  await eventually('what is full went out', async () => (await mailTo(ada)) === 1);
  await comes(ada, 4);
  for (const n of [5, 6]) await comes(bob, n);
  const [waiting] = await stored.executions.all({ automationId, email: bob });
  const handle = platform.env.client.workflow.getHandle(automationRunId(waiting?._id ?? ''));
  await eventually('it waits', async () => (await handle.query(automationProgressQuery)).doing === 'digest, waits for an event: commented');
  await platform.env.sleep(5 * HOUR_MS);
  expect([await mailTo(ada), await mailTo(bob)]).toEqual([1, 0]);
  await platform.env.sleep(1.1 * HOUR_MS);
  await eventually('both went out', async () => (await mailTo(ada)) === 2 && (await mailTo(bob)) === 1, 30_000);
  const items = (await stored.executions.all({ automationId })).map(({ items: all = [] }) =>
    all.map((item) => (JSON.parse(item.data) as { n: number }).n).join(),
  );
  expect(items.sort()).toEqual(['1,2,3', '4', '5,6']);
  await eventually('the mail server has the items', () => {
    const texts = platform.smtp.messages.map(({ raw }) => /<p>([\d,]+)<\/p>/.exec(String(raw))?.[1] ?? '').sort();
    return texts.length === 3 && texts.join(' ') === '1,2,3, 4, 5,6,';
  });
});
