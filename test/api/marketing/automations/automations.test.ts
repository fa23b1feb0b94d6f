import { AutomationModel } from '../../../../src/marketing/automations/model';
import { listeningOf } from '../../../../src/records/events/listeners';
import { aProject } from '../../../support/platform/app';
import { activate, chain, contact, drive, edge, enrol, node, send } from '../../../support/calls/automations';
import type { Shown } from '../../../support/calls/automations';
import { queryPlans } from '../../../support/checks/query-plans';
import { stored } from '../../../support/data/stored';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

const create = async (change: Record<string, unknown> = {}, key?: string): Promise<Shown> => {
  const given = { name: 'Welcome', trigger: 'event:signed.up', ...change };
  return (await app.api(key).post('/v1/workflows').send(given).expect(201)).body.data as Shown;
};
const patch = (id: string, body: unknown) =>
  app
    .api()
    .patch(`/v1/workflows/${id}`)
    .send(body as object);
const faults = ({ body }: { body: { details?: { path: string; code: string }[] } }): string[] =>
  (body.details ?? []).map(({ path, code }) => `${path} ${code}`);

describe('a draft', () => {
  test('is stored as it is given and shown with its counters', async () => {
    const graph = {
      nodes: [
        { ...node('start', 'trigger'), position: { x: 1, $y: 2, 'a.b': [null] } },
        { ...send('mail'), name: 'Hello' },
      ],
      edges: [{ id: 'e1', ...edge('start', 'mail') }],
    };
    const made = await create({ graph, reentry: 'always' });
    expect(made).toEqual({
      workflowId: expect.stringMatching(/^wfl_/),
      projectId: app.keys.projectId,
      name: 'Welcome',
      status: 'draft',
      trigger: 'event:signed.up',
      graph,
      reentry: 'always',
      entered: 0,
      completed: 0,
      active: 0,
      createdAt: expect.any(String),
    });
    expect((await app.api().get(`/v1/workflows/${made.workflowId}`).expect(200)).body.data).toEqual(made);
  });

  test('needs no graph, and enters never twice unless said so', async () => {
    expect(await create()).toMatchObject({ graph: null, reentry: 'never', status: 'draft' });
  });

  test('may hold what cannot run', async () => {
    const graph = { nodes: [node('a', 'exit'), send('b', { fromEmail: 'x@nowhere.test' })], edges: [edge('a', 'zzz')] };
    expect((await create({ graph })).graph).toEqual(graph);
  });

  test('may leave senders, segments, events, templates and URLs empty until it is activated', async () => {
    const nodes = [
      node('t', 'trigger'),
      send('mail', { fromEmail: '' }),
      node('stored', 'send_email', { templateId: '' }),
      node('wait', 'wait_for_event', { event: '' }),
      node('in', 'add_to_segment', { segmentId: '' }),
      node('out', 'remove_from_segment', { segmentId: '' }),
      node('emit', 'emit_event', { name: '' }),
      node('call', 'webhook', { url: '', method: 'POST' }),
    ];
    const edges = nodes
      .slice(1)
      .map(({ id }, at) => edge(nodes[at]?.id ?? '', id, nodes[at]?.type === 'wait_for_event' ? 'event' : undefined));
    const { workflowId } = await create({ graph: { nodes, edges } });
    const { body } = await patch(workflowId, { status: 'active' }).expect(422);
    const details = body.details as readonly { readonly path: string; readonly message: string }[];
    expect(details.map(({ path, message }) => [path, message])).toEqual(
      [
        '1.config.fromEmail',
        '2.config.templateId',
        '3.config.event',
        '4.config.segmentId',
        '5.config.segmentId',
        '6.config.name',
        '7.config.url',
      ].map((path) => [`graph.nodes.${path}`, 'Must not be empty']),
    );
  });

  test.each([
    [{ trigger: 'event:' }, ['trigger invalid_string']],
    [{ trigger: 'segment:enter:seg_unknown' }, ['trigger not_found']],
    [{ reentry: 'sometimes' }, ['reentry invalid_enum_value']],
    [{ graph: { nodes: [node('a', 'exit'), node('a', 'exit')], edges: [] } }, ['graph.nodes.1.id invalid_graph']],
    [
      { graph: { nodes: [node('a', 'emit_event', { name: 'a b' }), node('a', 'exit')], edges: [] } },
      ['graph.nodes.0.config.name invalid_string', 'graph.nodes.1.id invalid_graph'],
    ],
    [{ trigger: 'event:email.nope' }, ['trigger invalid_enum_value']],
    [{ trigger: 'event:email.a b' }, ['trigger invalid_string']],
    [{ status: 'active' }, ['status unrecognized_keys']],
    [{ name: '' }, ['name too_small']],
  ])('refuses %j', async (change, expected) => {
    const answer = await app
      .api()
      .post('/v1/workflows')
      .send({ name: 'A', trigger: 'event:a', ...change })
      .expect(422);
    expect(faults(answer)).toEqual(expected);
  });

  test('that was stored with an event that never happens is still shown, renamed and copied', async () => {
    const { workflowId: id } = await create();
    const graph = chain(node('w', 'wait_for_event', { event: 'email.nope' }));
    await AutomationModel.updateOne({ _id: id }, { trigger: 'event:email.nope', graph: JSON.stringify(graph) });
    const { body } = await patch(id, { name: 'Old' }).expect(200);
    expect(body.data).toMatchObject({ name: 'Old', trigger: 'event:email.nope', graph });
    await app.api().post(`/v1/workflows/${id}/duplicate`).send({}).expect(201);
  });

  test('is copied as a draft', async () => {
    const id = await activate(app, chain(send('mail')), { name: 'N'.repeat(200), reentry: 'after_exit' });
    const { body } = await app.api().post(`/v1/workflows/${id}/duplicate`).send({}).expect(201);
    expect(body.data).toMatchObject({
      status: 'draft',
      reentry: 'after_exit',
      graph: chain(send('mail')),
      name: `${'N'.repeat(193)} (copy)`,
    });
  });

  test('belongs to its project', async () => {
    const { workflowId: id } = await create();
    const others = app.api(app.otherKeys.secret);
    const answers = [
      await others.get(`/v1/workflows/${id}`),
      await others.patch(`/v1/workflows/${id}`).send({ name: 'Mine' }),
      await others.delete(`/v1/workflows/${id}`),
      await others.post(`/v1/workflows/${id}/duplicate`).send({}),
      await others.post(`/v1/workflows/${id}/enroll`).send({ contactId: 'ctc_1' }),
      await others.get(`/v1/workflows/${id}/executions`),
      await others.post(`/v1/workflows/${id}/executions/cancel-all`).send({}),
      await others.post(`/v1/workflows/${id}/rehearse`).send({}),
      await others.get(`/v1/stats/workflows/${id}`),
    ];
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual(answers.map(() => '404 not_found'));
    expect((await others.get('/v1/workflows')).body.data.data).toEqual([]);
    expect((await app.api().get(`/v1/workflows/${id}`)).body.data.name).toBe('Welcome');
  });
});

describe('states', () => {
  test('draft to active, active to paused and back, and nothing else', async () => {
    const { workflowId: id } = await create({ graph: chain(node('end', 'exit')) });
    const to = async (status: string): Promise<number> => (await patch(id, { status })).status;
    expect(await to('paused')).toBe(409);
    expect(await to('active')).toBe(200);
    expect(await to('active')).toBe(409);
    expect(await to('paused')).toBe(200);
    expect(await to('paused')).toBe(409);
    expect((await patch(id, { status: 'draft' })).status).toBe(422);
    expect(await to('active')).toBe(200);
    expect((await app.api().get(`/v1/workflows/${id}`)).body.data.status).toBe('active');
  });

  test('a graph that cannot run is said before a state that forbids the change', async () => {
    const { workflowId: id } = await create({ graph: chain(node('end', 'exit')) });
    await patch(id, { status: 'active' }).expect(200);
    const { body } = await patch(id, { status: 'active', graph: { nodes: [], edges: [] } }).expect(422);
    expect(body.details).toMatchObject([{ path: 'graph.nodes', code: 'invalid_graph' }]);
    expect((await app.api().get(`/v1/workflows/${id}`)).body.data.graph.nodes).toHaveLength(2);
  });

  test('of two who activate at once one is refused', async () => {
    const { workflowId: id } = await create({ graph: chain(node('end', 'exit')) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => patch(id, { status: 'active' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  test('changes that race are all kept', async () => {
    const { workflowId: id } = await create();
    await Promise.all([patch(id, { name: 'New' }), patch(id, { reentry: 'always' }), patch(id, { trigger: 'event:b' })]);
    const { body } = await app.api().get(`/v1/workflows/${id}`);
    expect(body.data).toMatchObject({ name: 'New', reentry: 'always', trigger: 'event:b' });
  });

  test('an empty change changes nothing', async () => {
    const { workflowId: id } = await create();
    const before = (await app.api().get(`/v1/workflows/${id}`)).body.data as Shown;
    expect((await patch(id, {}).expect(200)).body.data).toEqual(before);
  });
});

describe('activating', () => {
  test('names every fault of the graph at its place', async () => {
    const graph = {
      nodes: [
        node('start', 'trigger', { filter: { logic: 'and', groups: [{ filters: [{ field: 'nope', operator: 'equals', value: 1 }] }] } }),
        node('tpl', 'send_email', { templateId: 'tpl_unknown' }),
        send('from', { fromEmail: 'a@unverified.test', subject: '{{#if}}' }),
        node('seg', 'add_to_segment', { segmentId: 'seg_unknown' }),
        node('hook', 'webhook', { url: 'https://127.0.0.1/x' }),
        node('open', 'webhook', { url: 'http://example.com/x' }),
        node('lost', 'exit'),
      ],
      edges: [edge('start', 'tpl'), edge('tpl', 'from'), edge('from', 'seg'), edge('seg', 'hook'), edge('hook', 'open', 'maybe')],
    };
    const { workflowId: id } = await create({ graph });
    const answer = await patch(id, { status: 'active' }).expect(422);
    expect(answer.body.code).toBe('validation_error');
    expect(faults(answer).sort()).toEqual(
      [
        'graph.nodes.0.config.filter.groups.0.filters.0.field invalid_graph',
        'graph.nodes.1.config.templateId invalid_graph',
        'graph.nodes.2.config.fromEmail invalid_graph',
        'graph.nodes.2.config.subject invalid_template',
        'graph.nodes.3.config.segmentId invalid_graph',
        'graph.nodes.4.config.url blocked_url',
        'graph.nodes.5.config.url blocked_url',
        'graph.nodes.6 invalid_graph',
        'graph.edges.4.branch invalid_graph',
      ].sort(),
    );
    expect((await app.api().get(`/v1/workflows/${id}`)).body.data.status).toBe('draft');
  });

  test('needs a graph', async () => {
    const { workflowId: id } = await create();
    expect(faults(await patch(id, { status: 'active' }).expect(422))).toEqual(['graph.nodes invalid_graph']);
  });

  test('a change of an active one is checked alike, and refused as a whole', async () => {
    const id = await activate(app, chain(send('mail')));
    expect(faults(await patch(id, { name: 'New', graph: null }).expect(422))).toEqual(['graph.nodes invalid_graph']);
    expect((await app.api().get(`/v1/workflows/${id}`)).body.data).toMatchObject({ name: 'Welcome', graph: chain(send('mail')) });
  });

  test('with a test key any sender will do', async () => {
    const graph = chain(send('mail', { fromEmail: 'a@unverified.test' }));
    const { workflowId: id } = await create({ graph });
    await app.api(app.keys.test).patch(`/v1/workflows/${id}`).send({ status: 'active' }).expect(200);
    expect((await app.api().get(`/v1/workflows/${id}`)).body.data.status).toBe('active');
  });

  test('makes its events heard, and deleting it ends that', async () => {
    const { projectId } = app.keys;
    const waits = node('w', 'wait_for_event', { event: 'order.heard' });
    const id = await activate(app, chain(waits), { trigger: 'event:heard.here' });
    const hears = async (name: string): Promise<boolean> => (await listeningOf(projectId)).hears(name);
    expect([await hears('heard.here'), await hears('order.heard'), await hears('contact.deleted')]).toEqual([true, true, true]);
    await app.api().delete(`/v1/workflows/${id}`).expect(200);
    expect([await hears('heard.here'), await hears('order.heard')]).toEqual([false, false]);
  });

  test('what executions of an earlier graph wait for stays heard while they run', async () => {
    const { projectId } = app.keys;
    const id = await activate(app, chain(node('w', 'wait_for_event', { event: 'order.old' })));
    const executionId = await enrol(app, id, await contact(app));
    await drive(app.core, projectId, executionId);
    for (const name of ['One', 'Two', 'Three']) await patch(id, { name, graph: chain(node('end', 'exit')) }).expect(200);
    expect((await listeningOf(projectId)).hears('order.old')).toBe(true);
    await app.api().post(`/v1/workflows/${id}/executions/${executionId}/cancel`).send({}).expect(200);
    await patch(id, { name: 'Four' }).expect(200);
    expect((await listeningOf(projectId)).hears('order.old')).toBe(false);
  });
});

describe('deleting', () => {
  test('is refused while an execution runs', async () => {
    const id = await activate(app, chain(node('w', 'delay', { amount: 1, unit: 'days' })));
    const executionId = await enrol(app, id, await contact(app));
    expect((await app.api().delete(`/v1/workflows/${id}`).expect(409)).body.code).toBe('in_use');
    await app.api().post(`/v1/workflows/${id}/executions/${executionId}/cancel`).send({}).expect(200);
    expect((await app.api().delete(`/v1/workflows/${id}`).expect(200)).body).toEqual({ success: true, data: { success: true } });
    await app.api().get(`/v1/workflows/${id}`).expect(404);
    await app.api().delete(`/v1/workflows/${id}`).expect(404);
  });

  test('and enrolling race to one outcome', async () => {
    for (let round = 0; round < 6; round++) {
      const id = await activate(app, chain(node('w', 'delay', { amount: 1, unit: 'days' })));
      const contactId = await contact(app);
      const [enrolled, deleted] = await Promise.all([
        app.api().post(`/v1/workflows/${id}/enroll`).send({ contactId }),
        app.api().delete(`/v1/workflows/${id}`),
      ]);
      expect([
        [201, 409],
        [404, 200],
        [409, 200],
      ]).toContainEqual([enrolled.status, deleted.status]);
    }
  });
});

test('automations are read along indexes', async () => {
  const id = await activate(app, chain(node('end', 'exit')));
  const plans = await queryPlans('automations', async () => {
    await app.api().get('/v1/workflows').expect(200);
    await app.api().get(`/v1/workflows/${id}`).expect(200);
    await app.api().post('/v1/events').send({ name: 'signed.up', email: 'plans@example.com' });
  });
  expect(plans.filter(({ plan, sorted }) => plan.includes('COLLSCAN') || sorted)).toEqual([]);
  expect(await stored.automations.count({ _id: id })).toBe(1);
});
