import { aProject } from '../../../support/platform/app';
import { chain, contact, edge, node, send } from '../../../support/calls/automations';
import { stored } from '../../../support/data/stored';

const app = aProject();

const START = '2026-12-01T08:00:00.000Z';

async function draft(graph: unknown): Promise<string> {
  const { body } = await app.api().post('/v1/workflows').send({ name: 'Welcome', trigger: 'event:signed.up', graph }).expect(201);
  return body.data.workflowId as string;
}
const rehearse = (id: string, body: object = {}) =>
  app
    .api()
    .post(`/v1/workflows/${id}/rehearse`)
    .send({ start: START, ...body });

const journey = {
  nodes: [
    node('start', 'trigger'),
    send('hello', { subject: 'Hi {{firstName}}, {{event.plan}}', type: 'marketing', fromEmail: 'a@unverified.test' }),
    node('w', 'wait_for_event', { event: 'order.placed', timeout: { amount: 3, unit: 'days' } }),
    node('u', 'update_contact', { data: { plan: '{{event.plan}}' } }),
    send('thanks', { subject: 'Plan {{data.plan}}' }),
    node('d', 'delay', { amount: 1, unit: 'weeks' }),
    node('bye', 'exit', { reason: 'left' }),
  ],
  edges: [
    edge('start', 'hello'),
    edge('hello', 'w'),
    edge('w', 'u', 'event'),
    edge('u', 'thanks'),
    edge('w', 'd', 'timeout'),
    edge('d', 'bye'),
  ],
};

test('a draft is played through in virtual time; nothing is sent, stored or emitted', async () => {
  const id = await draft(journey);
  const contactId = await contact(app, { firstName: 'Ada' });
  const before = await stored.events.count();
  const events = [{ name: 'order.placed', after: 'P2DT1H' }];
  const { body } = await rehearse(id, { contactId, data: { plan: 'pro' }, events }).expect(200);
  expect(body.data).toEqual({
    path: [
      { nodeId: 'start', type: 'trigger', at: START, branch: null, output: null, error: null },
      { nodeId: 'hello', type: 'send_email', at: START, branch: null, output: null, error: null },
      { nodeId: 'w', type: 'wait_for_event', at: START, branch: 'event', output: { eventId: 'script_0' }, error: null },
      { nodeId: 'u', type: 'update_contact', at: '2026-12-03T09:00:00.000Z', branch: null, output: null, error: null },
      { nodeId: 'thanks', type: 'send_email', at: '2026-12-03T09:00:00.000Z', branch: null, output: null, error: null },
    ],
    emails: [
      {
        nodeId: 'hello',
        at: START,
        subject: 'Hi Ada, pro',
        html: expect.stringMatching(/Hello Ada[\s\S]*unsubscribe/i),
        text: expect.stringContaining('Hello Ada'),
      },
      { nodeId: 'thanks', at: '2026-12-03T09:00:00.000Z', subject: 'Plan pro', html: '<p>Hello Ada</p>', text: 'Hello Ada' },
    ],
    status: 'completed',
    exitReason: null,
    endedAt: '2026-12-03T09:00:00.000Z',
  });
  expect([await stored.emails.count(), await stored.executions.count(), await stored.events.count()]).toEqual([0, 0, before]);
  expect((await app.api().get(`/v1/contacts/${contactId}`)).body.data.data).toBeNull();
  expect(app.processes.start).not.toHaveBeenCalled();
});

test('time runs out, by the wait or by the rehearsal', async () => {
  const id = await draft(journey);
  expect((await rehearse(id).expect(200)).body.data).toMatchObject({
    status: 'exited',
    exitReason: 'left',
    endedAt: '2026-12-11T08:00:00.000Z',
  });
  expect((await rehearse(id, { until: 'P5D' }).expect(200)).body.data).toMatchObject({
    status: 'waiting',
    endedAt: '2026-12-06T08:00:00.000Z',
  });
});

test('a contact that there might be; what it would not be sent says why', async () => {
  const id = await draft(journey);
  const { body } = await rehearse(id, { contact: { firstName: 'Bo', subscribed: false }, until: 'PT1S' }).expect(200);
  expect(body.data.emails).toMatchObject([{ subject: 'Hi Bo, ', skipped: 'unsubscribed' }]);
});

test('conditions know what is stored of the contact, and what happened in the rehearsal', async () => {
  const often = (value: number) => ({
    logic: 'and',
    groups: [{ filters: [{ field: 'event.order.placed', operator: 'countAtLeast', value }] }],
  });
  const id = await draft({
    nodes: [node('start', 'trigger'), node('d', 'delay', { amount: 1, unit: 'days' }), node('q', 'condition', { conditions: often(3) })],
    edges: [edge('start', 'd'), edge('d', 'q')],
  });
  const contactId = await contact(app);
  for (const name of ['order.placed', 'order.placed']) await app.api().post('/v1/events').send({ name, contactId }).expect(201);
  const branch = async (events: object[]): Promise<unknown> =>
    ((await rehearse(id, { contactId, events, start: new Date().toISOString() }).expect(200)).body.data.path as { branch: string }[]).at(-1)
      ?.branch;
  expect(await branch([])).toBe('no');
  expect(await branch([{ name: 'order.placed', after: 'PT1H' }])).toBe('yes');
});

test('the trigger’s filter keeps a contact out', async () => {
  const filter = { logic: 'and', groups: [{ filters: [{ field: 'firstName', operator: 'equals', value: 'Ada' }] }] };
  const id = await draft({ nodes: [node('start', 'trigger', { filter })], edges: [] });
  expect((await rehearse(id).expect(200)).body.data).toEqual({
    path: [],
    emails: [],
    status: 'filter_not_matched',
    exitReason: null,
    endedAt: START,
  });
  expect((await rehearse(id, { contact: { firstName: 'ada' } }).expect(200)).body.data.status).toBe('completed');
});

test('a graph that cannot run, and what is not a rehearsal, are refused', async () => {
  const id = await draft(chain(send('a', { subject: '{{#if}}' })));
  const empty = await draft(null);
  const details = async (which: string, body: object): Promise<string[]> =>
    ((await rehearse(which, body).expect(422)).body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);
  expect(await details(id, {})).toEqual(['graph.nodes.1.config.subject invalid_template']);
  expect(await details(empty, {})).toEqual(['graph.nodes invalid_graph']);
  expect(await details(id, { events: [{ name: 'a', after: '3 days' }] })).toEqual(['events.0.after invalid_string']);
  expect(await details(id, { until: 'P11Y' })).toEqual(['until too_big']);
  expect(await details(id, { contactId: 'ctc_1', contact: {} })).toEqual(['contact invalid_combination']);
  const good = await draft(chain(node('end', 'exit')));
  await rehearse(good, { contactId: 'ctc_unknown' }).expect(404);
  await rehearse('wfl_unknown').expect(404);
  await rehearse(good, { contactId: await contact(app, {}, app.otherKeys.secret) }).expect(404);
});

test('a webhook succeeds unless the request says otherwise', async () => {
  const id = await draft({
    nodes: [
      node('start', 'trigger'),
      node('hook', 'webhook', { url: 'https://example.com/' }),
      send('no'),
      node('end', 'exit', { reason: 'ok' }),
    ],
    edges: [edge('start', 'hook'), edge('hook', 'no', 'failure'), edge('hook', 'end', 'success')],
  });
  const hookOf = async (body: object) => (await rehearse(id, body).expect(200)).body.data.path[1];
  expect(await hookOf({})).toMatchObject({ branch: 'success', output: { status: 200, body: null } });
  expect(await hookOf({ webhooks: { hook: { status: 204 } } })).toMatchObject({ branch: 'success', output: { status: 204 } });
  const { body } = await rehearse(id, { webhooks: { hook: { status: 500, body: 'Later' } } }).expect(200);
  expect(body.data.path).toMatchObject([
    {},
    { branch: 'failure', output: { status: 500, body: 'Later' }, error: 'The server answered 500' },
    { nodeId: 'no' },
  ]);
  expect(body.data.emails).toHaveLength(1);
  await rehearse(id, { webhooks: { hook: { status: 99 } } }).expect(422);
  await rehearse(id, { webhooks: { toString: { status: 200 } } }).expect(200);
});

test('a graph is checked as it is, without being stored', async () => {
  const faultsOf = async (graph: unknown) =>
    ((await app.api().post('/v1/workflows/check').send({ graph }).expect(200)).body.data.faults as { path: string; code: string }[]).map(
      ({ path, code }) => `${path} ${code}`,
    );
  expect(await faultsOf(chain(node('end', 'exit')))).toEqual([]);
  expect(await faultsOf({ nodes: [], edges: [] })).toEqual(['graph.nodes invalid_graph']);
  const wrong = {
    nodes: [
      node('start', 'trigger'),
      send('a', { subject: '{{#if}}', fromEmail: 'a@unverified.test' }),
      node('b', 'add_to_segment', { segmentId: 'seg_unknown' }),
    ],
    edges: [edge('start', 'a'), edge('a', 'b', 'yes')],
  };
  expect((await faultsOf(wrong)).sort()).toEqual([
    'graph.edges.1.branch invalid_graph',
    'graph.nodes.1.config.fromEmail invalid_graph',
    'graph.nodes.1.config.subject invalid_template',
    'graph.nodes.2.config.segmentId invalid_graph',
  ]);
  await app
    .api()
    .post('/v1/workflows/check')
    .send({ graph: { nodes: [{ id: 'x', type: 'nonsense' }], edges: [] } })
    .expect(422);
});
