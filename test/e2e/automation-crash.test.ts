import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EnrolmentGuardModel } from '../../src/automations/count-model';
import { ExecutionModel } from '../../src/automations/execution-model';
import type { Execution } from '../../src/automations/execution-model';
import { EmailModel } from '../../src/emails/model';
import { EventModel } from '../../src/events/model';
import { Platform, eventually } from '../support/platform';
import { edge, node, send } from '../support/automations';

jest.setTimeout(600_000);

const PEOPLE = 24;
/** The worker is killed when the first one comes to each of these; the others are at the nodes before it by then. The chaos run kills it at every node. */
const KILLED_AT =
  process.env['LETTERMILL_TEST_KILLS'] === 'all'
    ? ['start', 'mail-1', 'hook', 'change', 'short', 'mail-2', 'asked', 'in', 'told', 'wait', 'mail-3', 'end']
    : ['mail-1', 'hook', 'mail-2', 'told'];

let platform: Platform;
let server: Server;
const calls: string[] = [];

beforeAll(async () => {
  server = createServer((req, res) => {
    calls.push(String(req.headers['idempotency-key']));
    res.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  platform = await Platform.start({ env: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });
}, 300_000);
afterAll(async () => {
  await platform?.stop();
  server?.close();
});

const yes = { logic: 'and', groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] };

/** Twelve nodes, of every kind that does something. */
const graphOf = (segmentId: string, url: string) => ({
  nodes: [
    node('start', 'trigger'),
    send('mail-1'),
    node('hook', 'webhook', { url }),
    node('change', 'update_contact', { data: { seen: '{{event.run}}' } }),
    node('short', 'delay', { amount: 0.5, unit: 'seconds' }),
    send('mail-2'),
    node('asked', 'condition', { conditions: yes }),
    node('in', 'add_to_segment', { segmentId }),
    node('told', 'emit_event', { name: 'halfway' }),
    node('wait', 'wait_for_event', { event: 'never.comes', timeout: { amount: 0.5, unit: 'seconds' } }),
    send('mail-3'),
    node('end', 'exit', { reason: 'done' }),
  ],
  edges: [
    edge('start', 'mail-1'),
    edge('mail-1', 'hook'),
    edge('hook', 'change', 'success'),
    edge('change', 'short'),
    edge('short', 'mail-2'),
    edge('mail-2', 'asked'),
    edge('asked', 'in', 'yes'),
    edge('in', 'told'),
    edge('told', 'wait'),
    edge('wait', 'mail-3', 'timeout'),
    edge('mail-3', 'end'),
  ],
});

test('a worker that is killed again and again, while people are at every node, repeats nothing and skips nothing', async () => {
  const segmentId = (await platform.post('/v1/segments', { name: 'In', type: 'static' })).body.data.segmentId as string;
  const graph = graphOf(segmentId, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const id = (await platform.post('/v1/workflows', { name: 'W', trigger: 'event:begin', graph })).body.data.workflowId as string;
  expect((await platform.request('PATCH', `/v1/workflows/${id}`, { status: 'active' })).status).toBe(200);
  const people = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@example.com`);
  for (const email of people) {
    await platform.post('/v1/contacts', { email });
    expect((await platform.post(`/v1/workflows/${id}/enroll`, { email, data: { run: 1 } })).status).toBe(201);
  }
  const passed = (nodeId: string) => ExecutionModel.countDocuments({ automationId: id, 'steps.nodeId': nodeId });
  for (const nodeId of KILLED_AT) {
    await eventually(`somebody is at ${nodeId}`, async () => (await passed(nodeId)) > 0, 150_000);
    await platform.worker.kill9();
    await platform.worker.start();
  }
  await eventually(
    'all are over',
    async () => (await ExecutionModel.countDocuments({ automationId: id, finishedAt: null })) === 0,
    240_000,
  );

  const executions = await ExecutionModel.find({ automationId: id }).lean<Execution[]>();
  expect(executions).toHaveLength(PEOPLE);
  const ids = graph.nodes.map((one) => one.id);
  for (const { steps, status, exitReason } of executions) {
    expect([status, exitReason, ...steps.map((step) => `${step.nodeId} ${step.status}`)]).toEqual([
      'exited',
      'done',
      ...ids.map((one) => `${one} completed`),
    ]);
  }
  expect(await EmailModel.countDocuments({ workflowId: id })).toBe(3 * PEOPLE);
  await eventually(
    'all mail is delivered',
    async () => (await EmailModel.countDocuments({ workflowId: id, status: 'delivered' })) === 3 * PEOPLE,
    120_000,
  );
  for (const name of ['halfway', 'workflow.entered', 'workflow.exited', 'segment.entered', 'contact.updated']) {
    expect([name, await EventModel.countDocuments({ name })]).toEqual([name, PEOPLE]);
  }
  expect(new Set(calls).size).toBe(PEOPLE);
  expect((await platform.get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: PEOPLE, active: 0, completed: PEOPLE });
  expect(await EnrolmentGuardModel.countDocuments({ running: { $ne: 0 } })).toBe(0);
});
