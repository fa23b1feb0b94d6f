import { createServer } from 'node:http';
import { automationProgressQuery, automationRunId } from '../../../../src/contracts/automation';
import { automationTriggers } from '../../../../src/marketing/automations/triggers';
import { sweepExecutions } from '../../../../src/marketing/automations/upkeep';
import { automationWaits } from '../../../../src/marketing/automations/waits';
import { aSkippingPlatform } from '../../../support/platform/skipping';
import { eventually } from '../../../support/platform/platform';
import { chain, edge, node, send } from '../../../support/calls/automations';
import type { Run } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const platform = aSkippingPlatform({ WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' }, [
  automationWaits,
  automationTriggers,
]);

async function activate(graph: unknown, change: Record<string, unknown> = {}): Promise<string> {
  const { data } = await platform.call('POST', '/v1/workflows', {
    name: 'Welcome',
    trigger: 'event:signed.up',
    reentry: 'always',
    graph,
    ...change,
  });
  const id = data['workflowId'] as string;
  expect((await platform.call('PATCH', `/v1/workflows/${id}`, { status: 'active' })).status).toBe(200);
  return id;
}

let people = 0;
async function enrol(id: string, email = `person-${people++}@example.com`): Promise<string> {
  await platform.call('POST', '/v1/contacts', { email });
  const { data } = await platform.call('POST', `/v1/workflows/${id}/enroll`, { email });
  return data['executionId'] as string;
}

const runOf = async (executionId: string): Promise<Run> =>
  (await platform.call('GET', `/v1/workflows/executions/${executionId}`)).data as Run;
const handle = (executionId: string) => platform.env.client.workflow.getHandle(automationRunId(executionId));
const stands = (executionId: string, doing: RegExp) =>
  eventually(`it ${String(doing)}`, async () => doing.test((await handle(executionId).query(automationProgressQuery)).doing));
const over = (executionId: string) =>
  eventually(
    'it is over',
    async () => {
      const run = await runOf(executionId);
      return run.finishedAt === null ? null : run;
    },
    30_000,
  );

test('a digest goes out at the end of its window, or once it is full', async () => {
  const body = '<p>{{#each items}}{{this.data.n}},{{/each}}</p>';
  const graph = chain(node('g', 'digest', { window: { amount: 6, unit: 'hours' }, max: 3 }), send('mail', { body }));
  const automationId = await activate(graph, { trigger: 'event:commented' });
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
  await stands(waiting?._id ?? '', /^digest, waits for an event: commented$/);
  await platform.env.sleep(5 * HOUR_MS);
  expect([await mailTo(ada), await mailTo(bob)]).toEqual([1, 0]);
  await platform.env.sleep(1.1 * HOUR_MS);
  await eventually('both went out', async () => (await mailTo(ada)) === 2 && (await mailTo(bob)) === 1, 30_000);
  const items = (await stored.executions.all({ automationId })).map(({ items: all = [] }) =>
    all.map((item) => (JSON.parse(item.data) as { n: number }).n).join(),
  );
  expect(items.sort()).toEqual(['1,2,3', '4', '5,6']);
  await eventually('the mail server has the items', () => {
    const messages = platform.smtp.messages.filter(({ to }) => [ada, bob].includes(to));
    const texts = messages.map(({ raw }) => /<p>([\d,]+)<\/p>/.exec(String(raw))?.[1] ?? '').sort();
    return texts.length === 3 && texts.join(' ') === '1,2,3, 4, 5,6,';
  });
});

test('an event enrols; delays of a year pass; messages go out between them; the trace is whole', async () => {
  const graph = chain(send('one'), node('d', 'delay', { amount: 364, unit: 'days' }), send('two'), node('end', 'exit', { reason: 'done' }));
  const id = await activate(graph);
  const email = 'event@example.com';
  const { data } = await platform.call('POST', '/v1/events', { name: 'signed.up', email, data: { plan: 'pro' } });
  expect(data['triggered']).toEqual([{ workflowId: id, name: 'Welcome', trigger: 'event:signed.up', status: 'dispatched' }]);
  const execution = await eventually('it is enrolled', () => stored.executions.one({ automationId: id }));
  await stands(execution._id, /waits for the time/);
  expect(await runOf(execution._id)).toMatchObject({ status: 'waiting', currentNodeId: 'd', eventId: data['eventId'] });
  expect(await stored.emails.count({ workflowId: id })).toBe(1);
  await platform.env.sleep(363 * DAY_MS);
  expect((await runOf(execution._id)).status).toBe('waiting');
  await platform.env.sleep(1.01 * DAY_MS);
  const run = await over(execution._id);
  expect(run).toMatchObject({ status: 'exited', exitReason: 'done', currentNodeId: null });
  expect(run.steps.map(({ nodeId, status }) => `${nodeId} ${status}`)).toEqual([
    'start completed',
    'one completed',
    'd completed',
    'two completed',
    'end completed',
  ]);
  await handle(execution._id).result();
  expect(await eventually('both arrived', () => platform.smtp.messages.filter(({ to }) => to === email).length === 2)).toBe(true);
});

test('a wait ends by its event, or by its time', async () => {
  const graph = {
    nodes: [
      node('start', 'trigger'),
      node('w', 'wait_for_event', { event: 'order.placed', filter: { sku: 'A1' }, timeout: { amount: 3, unit: 'days' } }),
      node('e', 'exit', { reason: 'bought' }),
      node('t', 'exit', { reason: 'left' }),
    ],
    edges: [edge('start', 'w'), edge('w', 'e', 'event'), edge('w', 't', 'timeout')],
  };
  const id = await activate(graph);
  const [bought, left] = [await enrol(id, 'buys@example.com'), await enrol(id)];
  await Promise.all([bought, left].map((one) => stands(one, /waits for an event/)));
  await platform.call('POST', '/v1/events', { name: 'order.placed', email: 'buys@example.com', data: { sku: 'B2' } });
  const { data } = await platform.call('POST', '/v1/events', { name: 'order.placed', email: 'buys@example.com', data: { sku: 'A1' } });
  expect(await over(bought)).toMatchObject({
    status: 'exited',
    exitReason: 'bought',
    steps: [{}, { output: { eventId: data['eventId'] } }, {}],
  });
  expect((await runOf(left)).status).toBe('waiting');
  await platform.env.sleep(3.01 * DAY_MS);
  expect(await over(left)).toMatchObject({ exitReason: 'left', steps: [{}, { branch: 'timeout' }, {}] });
});

test('paused executions hold while their timers run on; active again, they go on at once', async () => {
  const id = await activate(chain(node('d', 'delay', { amount: 2, unit: 'days' }), send('mail')));
  const executionId = await enrol(id);
  await stands(executionId, /waits for the time/);
  expect((await platform.call('PATCH', `/v1/workflows/${id}`, { status: 'paused' })).status).toBe(200);
  await platform.env.sleep(2.01 * DAY_MS);
  await stands(executionId, /paused/);
  expect(await runOf(executionId)).toMatchObject({ status: 'running', currentNodeId: 'd', steps: [{}, { status: 'completed' }] });
  expect(await stored.emails.count({ workflowId: id })).toBe(0);
  expect((await platform.call('PATCH', `/v1/workflows/${id}`, { status: 'active' })).status).toBe(200);
  expect(await over(executionId)).toMatchObject({ status: 'completed' });
  expect(await stored.emails.count({ workflowId: id })).toBe(1);
});

test('cancel-all ends executions and their workflows, those that sleep for a year too', async () => {
  const id = await activate(chain(node('d', 'delay', { amount: 365, unit: 'days' })));
  const ids = [await enrol(id), await enrol(id), await enrol(id)];
  await Promise.all(ids.map((one) => stands(one, /waits for the time/)));
  expect((await platform.call('POST', `/v1/workflows/${id}/executions/cancel-all`, {})).data).toEqual({ cancelled: 3 });
  const began = await platform.env.currentTimeMs();
  for (const one of ids) {
    await eventually('its workflow has ended', async () => (await handle(one).describe()).status.name === 'COMPLETED');
  }
  expect((await platform.env.currentTimeMs()) - began).toBeLessThan(DAY_MS);
  expect(await Promise.all(ids.map(async (one) => (await runOf(one)).status))).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('a workflow that is cancelled in Temporal takes its execution with it; one that is terminated is begun anew by the sweep', async () => {
  const id = await activate(chain(node('d', 'delay', { amount: 10, unit: 'days' }), node('end', 'exit')));
  const [cancelled, terminated] = [await enrol(id), await enrol(id)];
  await Promise.all([cancelled, terminated].map((one) => stands(one, /waits for the time/)));
  await handle(cancelled).cancel();
  expect(await over(cancelled)).toMatchObject({ status: 'cancelled' });
  await handle(terminated).terminate('by a person');
  await sweepExecutions(platform.core, new Date(Date.now() + 10 * 60_000));
  await stands(terminated, /waits for the time/);
  await platform.env.sleep(10.01 * DAY_MS);
  expect(await over(terminated)).toMatchObject({ status: 'exited' });
});

test('a webhook that fails for a moment is tried again, on its own queue', async () => {
  const seen: unknown[] = [];
  const server = createServer((req, res) => {
    seen.push(req.headers['idempotency-key']);
    res.writeHead(seen.length < 3 ? 500 : 200).end('fine');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const id = await activate(chain(node('hook', 'webhook', { url: `http://127.0.0.1:${port}/` }), node('end', 'exit')));
  const executionId = await enrol(id);
  const run = await over(executionId);
  server.close();
  expect(run).toMatchObject({ status: 'exited', steps: [{}, { branch: 'success', output: { status: 200, body: 'fine' } }, {}] });
  expect(seen).toEqual(Array(3).fill(`${executionId}/hook`));
});
