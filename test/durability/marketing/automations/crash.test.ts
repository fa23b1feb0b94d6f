import { aPlatform, eventually } from '../../../support/platform/platform';
import { aHook, everyNode } from '../../../support/data/every-node';
import { stored } from '../../../support/data/stored';

jest.setTimeout(600_000);

const PEOPLE = 12;
const PAUSE = { amount: 0.5, unit: 'seconds' };
/** The worker is killed when the first one comes to each of these; the others are at the nodes before it by then. The chaos run kills it at every node. */
const KILLED_AT =
  process.env['LETTERMILL_TEST_KILLS'] === 'all'
    ? everyNode({ into: '', outOf: '', url: '', pause: PAUSE }).nodes.map(({ id }) => id)
    : ['hook', 'told'];

const hook = aHook();
const platform = aPlatform({ env: { WEBHOOK_ALLOW_INSECURE: 'true', WEBHOOK_ALLOW_PRIVATE: 'true' } });

test('a worker that is killed again and again, while people are at every node, repeats nothing and skips nothing', async () => {
  const segment = async () => (await platform.post('/v1/segments', { name: 'S', type: 'static' })).body.data.segmentId as string;
  const [into, outOf] = [await segment(), await segment()];
  const graph = everyNode({ into, outOf, url: hook.url, pause: PAUSE });
  const id = (await platform.post('/v1/workflows', { name: 'W', trigger: 'event:begin', graph })).body.data.workflowId as string;
  expect((await platform.request('PATCH', `/v1/workflows/${id}`, { status: 'active' })).status).toBe(200);
  const people = Array.from({ length: PEOPLE }, (_, index) => `person-${index}@example.com`);
  for (const email of people) {
    await platform.post('/v1/contacts', { email });
    await platform.post(`/v1/segments/${outOf}/members`, { emails: [email] });
    expect((await platform.post(`/v1/workflows/${id}/enroll`, { email, data: { run: 1 } })).status).toBe(201);
  }
  const passed = (nodeId: string) => stored.executions.count({ automationId: id, 'steps.nodeId': nodeId });
  const open: number[] = [];
  for (const nodeId of KILLED_AT) {
    await eventually(`somebody is at ${nodeId}`, async () => (await passed(nodeId)) > 0, 150_000);
    await platform.worker.kill9();
    open.push(await stored.executions.count({ automationId: id, finishedAt: null }));
    await platform.worker.start();
  }
  // On a slow machine the first one may be through before the kill.
  expect(open[0]).toBeGreaterThan(PEOPLE / 2);
  await eventually('all are over', async () => (await stored.executions.count({ automationId: id, finishedAt: null })) === 0, 240_000);

  const executions = await stored.executions.all({ automationId: id });
  expect(executions).toHaveLength(PEOPLE);
  const ids = graph.nodes.map((one) => one.id);
  for (const { steps, status, exitReason } of executions) {
    expect([status, exitReason, ...steps.map((step) => `${step.nodeId} ${step.status}`)]).toEqual([
      'exited',
      'done',
      ...ids.map((one) => `${one} completed`),
    ]);
  }
  expect(await stored.emails.count({ workflowId: id })).toBe(3 * PEOPLE);
  await eventually(
    'all mail is delivered',
    async () => (await stored.emails.count({ workflowId: id, status: 'delivered' })) === 3 * PEOPLE,
    120_000,
  );
  for (const name of ['halfway', 'workflow.entered', 'workflow.exited', 'segment.exited', 'contact.updated']) {
    expect([name, await stored.events.count({ name })]).toEqual([name, PEOPLE]);
  }
  expect(await stored.events.count({ name: 'segment.entered', 'data.segmentId': into })).toBe(PEOPLE);
  expect(new Set(hook.keys).size).toBe(PEOPLE);
  expect((await platform.get(`/v1/workflows/${id}`)).body.data).toMatchObject({ entered: PEOPLE, active: 0, completed: PEOPLE });
  expect(await stored.enrolmentGuards.count({ running: { $ne: 0 } })).toBe(0);
});
