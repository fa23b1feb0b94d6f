import { automationRunId } from '../../../../src/contracts/automation';
import type { automationRun } from '../../../../workflows';
import { edge, node, send } from '../../../support/calls/automations';
import { detailsOf, summariesOf } from '../../../support/checks/summaries';
import { aHook } from '../../../support/data/every-node';
import { eventually } from '../../../support/platform/platform';
import { aSkippingPlatform } from '../../../support/platform/skipping';

const DAY_MS = 24 * 3_600_000;
const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

const platform = aSkippingPlatform({ WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' });
const hook = aHook();

const subscribed = { logic: 'and', groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] };

const graph = () => ({
  nodes: [
    node('start', 'trigger'),
    send('hello'),
    node('ask', 'condition', { conditions: subscribed }),
    node('pause', 'delay', { amount: 2, unit: 'days' }),
    node('call', 'webhook', { url: hook.url }),
    node('order', 'wait_for_event', { event: 'order.placed', timeout: { amount: 3, unit: 'days' } }),
    send('offer', { type: 'marketing' }),
    node('end', 'exit', { reason: 'done' }),
  ],
  edges: [
    edge('start', 'hello'),
    edge('hello', 'ask'),
    edge('ask', 'pause', 'no'),
    edge('pause', 'call'),
    edge('call', 'order', 'success'),
    edge('order', 'offer', 'timeout'),
    edge('offer', 'end'),
  ],
});

async function enrolled(): Promise<string> {
  const { data } = await platform.call('POST', '/v1/workflows', { name: 'Welcome', trigger: 'event:signed.up', graph: graph() });
  const id = data['workflowId'] as string;
  await platform.call('PATCH', `/v1/workflows/${id}`, { status: 'active' });
  await platform.call('POST', '/v1/contacts', { email: 'ada@example.com', subscribed: false });
  return (await platform.call('POST', `/v1/workflows/${id}/enroll`, { email: 'ada@example.com' })).data['executionId'] as string;
}

/** Instants and ids stand as `AT` and `MAIL`. */
const plain = (text: string): string => text.replaceAll(new RegExp(INSTANT, 'g'), 'AT').replaceAll(/em_[0-9a-z]+/g, 'MAIL');

test('a person reads in Temporal which nodes an execution has left, by which branch, and what it waits for', async () => {
  const executionId = await enrolled();
  const handle = platform.env.client.workflow.getHandle<typeof automationRun>(automationRunId(executionId));
  const says = (what: RegExp) => eventually(`it says ${String(what)}`, async () => what.test(await detailsOf(handle)), 30_000);

  await says(/delay/);
  const waiting = await detailsOf(handle);
  expect(plain(waiting).split('\n')).toEqual([
    'Node pause: delay, waits for the time until AT',
    '',
    '1. `start: trigger` at AT',
    '2. `hello: send_email` at AT, MAIL',
    '3. `ask: condition → no` at AT',
  ]);
  const until = Date.parse(new RegExp(`until (${INSTANT})`).exec(waiting)?.[1] ?? '');
  expect(Math.abs(until - (await platform.env.currentTimeMs()) - 2 * DAY_MS)).toBeLessThan(60_000);

  await platform.env.sleep(2.01 * DAY_MS);
  await says(/wait_for_event/);
  expect(plain(await detailsOf(handle)).split('\n')).toEqual([
    'Node order: wait_for_event, waits for an event: order.placed until AT',
    '',
    '1. `start: trigger` at AT',
    '2. `hello: send_email` at AT, MAIL',
    '3. `ask: condition → no` at AT',
    '4. `pause: delay` at AT',
    '5. `call: webhook → success` at AT',
  ]);

  await platform.env.sleep(3.01 * DAY_MS);
  const result = await handle.result();
  expect(result).toEqual({
    status: 'exited',
    way: [
      'start: trigger',
      'hello: send_email',
      'ask: condition → no',
      'pause: delay',
      'call: webhook → success',
      'order: wait_for_event → timeout',
      'offer: send_email (skipped)',
      'end: exit',
    ],
  });
  expect(plain(await detailsOf(handle))).toMatch(/^exited\n\n1\. `start: trigger` at AT\n/);
  expect((await summariesOf(handle)).map(plain)).toEqual([
    'step from trigger: trigger',
    'timer pause: delay, waits for the time until AT (after start: trigger, hello: send_email, ask: condition → no)',
    'step from pause: delay',
    'activity call: webhook, attempt 1 (after pause: delay)',
    'step from order: wait_for_event (after call: webhook → success)',
    'timer order: wait_for_event, waits for an event: order.placed until AT',
    'step from order: wait_for_event',
  ]);
});
