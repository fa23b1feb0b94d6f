import { automationWaits } from '../../../../src/marketing/automations/waits';
import { aProject } from '../../../support/platform/app';
import {
  activate,
  always,
  chain,
  contact,
  drive,
  edge,
  emitted,
  enrol,
  HOUR_MS,
  node,
  ordered,
  play,
  runOf,
  waits,
} from '../../../support/calls/automations';

const app = aProject({ config: { DEV_VERIFIED_DOMAINS: 'hello.test' } });

type Json = Readonly<Record<string, unknown>>;

const when = (field: string, operator: string, value?: unknown, more: Json = {}) => ({
  logic: 'and',
  groups: [{ filters: [{ field, operator, ...(value !== undefined && { value }), ...more }] }],
});

describe('the filter of a wait', () => {
  const waitsFor = async (filter: Json, data: Json, change: Json = {}): Promise<{ executionId: string; contactId: string }> => {
    const contactId = await contact(app, { firstName: 'Ada', data: { seat: 7 }, ...change });
    const executionId = await enrol(app, await activate(app, waits({ filter }), always), contactId, { data });
    await drive(app.core, app.keys.projectId, executionId);
    return { executionId, contactId };
  };
  const endsBy = async ({ executionId, contactId }: { executionId: string; contactId: string }, data: Json): Promise<boolean> => {
    await automationWaits.handle(app.core, await ordered(app, contactId, data), 0);
    await drive(app.core, app.keys.projectId, executionId);
    return (await runOf(app, executionId)).currentNodeId !== 'w';
  };

  test.each<[string, Json, Json, Json, Json]>([
    ['data of the event', { cartId: '{{event.cartId}}' }, { cartId: 'c2' }, { cartId: 'c1' }, { cartId: 'c2' }],
    ['a number, which stays one', { n: '{{ event.n }}' }, { n: 5 }, { n: '5' }, { n: 5 }],
    ['a list, which stays one', { ids: '{{event.ids}}' }, { ids: [1, 2] }, { ids: '1,2' }, { ids: [1, 2] }],
    ['null, which stays null', { gone: '{{event.gone}}' }, { gone: null }, { gone: '' }, { gone: null }],
    ['a path', { 'order.id': '{{event.order.id}}' }, { order: { id: 'o1' } }, { order: { id: 'o2' } }, { order: { id: 'o1' } }],
    ['a text around it', { key: 'cart-{{event.id}}' }, { id: 3 }, { key: 'cart-4' }, { key: 'cart-3' }],
    ['a fallback', { plan: '{{event.plan | "free"}}' }, {}, { plan: 'pro' }, { plan: 'free' }],
    ['a field of the contact', { seat: '{{data.seat}}', by: '{{firstName}}' }, {}, { seat: 8, by: 'Ada' }, { seat: 7, by: 'Ada' }],
    ['the workflow', { from: '{{workflow.name}}' }, {}, { from: 'Other' }, { from: 'Welcome' }],
  ])('reads %s', async (_what, filter, data, wrong, right) => {
    const run = await waitsFor(filter, data);
    expect(await endsBy(run, wrong)).toBe(false);
    expect(await endsBy(run, right)).toBe(true);
  });

  test('of two carts, the one that is paid goes on', async () => {
    const id = await activate(app, waits({ filter: { cartId: '{{event.cartId}}' } }), always);
    const contactId = await contact(app);
    const [first, second] = [
      await enrol(app, id, contactId, { data: { cartId: 'c1' } }),
      await enrol(app, id, contactId, { data: { cartId: 'c2' } }),
    ];
    for (const one of [first, second]) await drive(app.core, app.keys.projectId, one);
    await automationWaits.handle(app.core, await ordered(app, contactId, { cartId: 'c2' }), 0);
    for (const one of [first, second]) await drive(app.core, app.keys.projectId, one);
    expect([(await runOf(app, first)).status, (await runOf(app, second)).exitReason !== undefined]).toEqual(['waiting', true]);
    expect((await runOf(app, second)).status).toBe('exited');
    await drive(app.core, app.keys.projectId, first, Date.now() + 2 * HOUR_MS);
    expect((await runOf(app, first)).steps.find(({ nodeId }) => nodeId === 'w')?.branch).toBe('timeout');
  });

  test('a value that is not there fits nothing', async () => {
    const run = await waitsFor({ cartId: '{{event.cartId}}' }, {});
    for (const data of [{}, { cartId: '' }, { cartId: null }, { cartId: '{{event.cartId}}' }]) expect(await endsBy(run, data)).toBe(false);
  });

  test('an event that came before its worker is looked back at by the same values', async () => {
    const contactId = await contact(app);
    const id = await activate(app, waits({ filter: { cartId: '{{event.cartId}}' } }));
    const executionId = await enrol(app, id, contactId, { data: { cartId: 'c1' } });
    await drive(app.core, app.keys.projectId, executionId);
    await emitted(app, 'order.placed', contactId, { data: { cartId: 'c1' } });
    await drive(app.core, app.keys.projectId, executionId);
    expect((await runOf(app, executionId)).status).toBe('exited');
  });
});

describe('values of conditions', () => {
  const answered = async (conditions: Json, data: Json = {}, change: Json = {}): Promise<unknown> => {
    const id = await activate(app, chain(node('q', 'condition', { conditions })), always);
    const run = await play(
      app,
      id,
      await contact(app, { firstName: 'Ada', data: { plan: 'pro', seats: 5, since: '2026-02-01' }, ...change }),
      { data },
    );
    return run.steps.find(({ nodeId }) => nodeId === 'q')?.branch;
  };

  test.each<[Json, Json, string]>([
    [when('data.plan', 'equals', '{{event.plan}}'), { plan: 'pro' }, 'yes'],
    [when('data.plan', 'equals', '{{event.plan}}'), {}, 'no'],
    [when('data.plan', 'notEquals', '{{event.plan}}'), {}, 'no'],
    [when('data.seats', 'equals', '{{event.seats}}'), { seats: 5 }, 'yes'],
    [when('data.seats', 'equals', '{{event.seats}}'), { seats: '5' }, 'no'],
    [when('data.seats', 'greaterThan', '{{event.least}}'), { least: 'many' }, 'no'],
    [when('data.plan', 'in', '{{event.plans}}'), { plans: ['pro', 'team'] }, 'yes'],
    [when('data.plan', 'in', ['pro', '{{event.plan}}']), {}, 'yes'],
    [when('firstName', 'startsWith', '{{event.a}}{{event.b}}'), { a: 'A', b: 'd' }, 'yes'],
    [when('subscribed', 'equals', '{{event.flag}}'), { flag: true }, 'yes'],
    [when('createdAt', 'within', '{{event.days}}', { unit: 'days' }), { days: 3 }, 'yes'],
    [when('trigger.by', 'equals', '{{firstName}}'), { by: 'ada' }, 'yes'],
  ])('%j, with %j: %s', async (conditions, data, branch) => {
    expect(await answered(conditions, data)).toBe(branch);
  });

  test('in a switch', async () => {
    const cases = [
      { branch: 'same', operator: 'equals', value: '{{event.plan}}' },
      { branch: 'other', operator: 'exists' },
    ];
    const graph = { nodes: [node('start', 'trigger'), node('s', 'switch', { field: 'data.plan', cases })], edges: [edge('start', 's')] };
    const id = await activate(app, graph, always);
    const branchFor = async (plan: string) =>
      (await play(app, id, await contact(app, { data: { plan: 'pro' } }), { data: { plan } })).steps.at(-1)?.branch;
    expect([await branchFor('pro'), await branchFor('free')]).toEqual(['same', 'other']);
  });

  test("in the trigger's filter", async () => {
    const filter = when('data.plan', 'equals', '{{event.plan}}');
    const id = await activate(app, { nodes: [node('start', 'trigger', { filter })], edges: [] }, always);
    const contactId = await contact(app, { data: { plan: 'pro' } });
    const enter = async (plan: string) => (await app.api().post(`/v1/workflows/${id}/enroll`).send({ contactId, data: { plan } })).status;
    expect([await enter('free'), await enter('pro')]).toEqual([409, 201]);
  });

  test('in a rehearsal', async () => {
    const graph = {
      nodes: [
        node('start', 'trigger'),
        node('q', 'condition', { conditions: when('data.plan', 'equals', '{{event.plan}}') }),
        node('w', 'wait_for_event', { event: 'paid', filter: { cart: '{{event.cart}}' }, timeout: { amount: 1, unit: 'days' } }),
      ],
      edges: [edge('start', 'q'), edge('q', 'w', 'yes')],
    };
    const id = await activate(app, graph);
    const events = ['c1', 'c2'].map((cart, index) => ({ name: 'paid', data: { cart }, after: `PT${index + 1}H` }));
    const { body } = await app
      .api()
      .post(`/v1/workflows/${id}/rehearse`)
      .send({ contact: { data: { plan: 'pro' } }, data: { plan: 'pro', cart: 'c2' }, events, start: '2026-12-01T08:00:00Z' });
    expect(body.data).toMatchObject({ path: [{}, { branch: 'yes' }, { branch: 'event' }], endedAt: '2026-12-01T10:00:00.000Z' });
  });
});

describe('a placeholder that nothing reads is refused', () => {
  const split = (branch: string) => node('n', 'split', { branches: [{ branch, weight: 1 }] });
  test.each<[ReturnType<typeof node>, string]>([
    [split('{{event.x}}'), 'branches.0.branch'],
    [node('n', 'switch', { field: 'data.{{event.x}}', cases: [{ branch: 'a', operator: 'exists' }] }), 'field'],
    [node('n', 'switch', { field: 'data.x', cases: [{ branch: '{{event.x}}', operator: 'exists' }] }), 'cases.0.branch'],
    [node('n', 'condition', { conditions: when('event.{{event.x}}', 'triggered') }), 'conditions.groups.0.filters.0.field'],
    [node('n', 'condition', { conditions: when('segment.seg_1', 'memberOf', '{{event.x}}') }), 'conditions.groups.0.filters.0.value'],
    [
      node('n', 'condition', { conditions: when('data.x', 'within', 'in {{event.x}}', { unit: 'days' }) }),
      'conditions.groups.0.filters.0.value',
    ],
    [node('n', 'exit', { reason: 'By {{firstName}}' }), 'reason'],
    [node('n', 'emit_event', { name: 'x', data: { a: ['{{event.x}}'] } }), 'data.a.0'],
    [node('n', 'wait_for_event', { event: 'x', filter: { '{{event.x}}': 1 } }), 'filter.{{event.x}}'],
    [node('n', 'send_email', { subject: 'S', body: 'B', fromEmail: 'a@hello.test', fromName: '{{firstName}}' }), 'fromName'],
    [node('n', 'send_email', { subject: 'S', body: 'B', fromEmail: 'a@hello.test', variables: { a: '{{firstName}}' } }), 'variables.a'],
  ])('%j', async (unread, place) => {
    const graph = { nodes: [node('start', 'trigger'), unread], edges: [edge('start', 'n')] };
    const { body } = await app.api().post('/v1/workflows/check').send({ graph }).expect(200);
    const path = `graph.nodes.1.config.${place}`;
    expect((body.data.faults as { path: string }[]).filter((fault) => fault.path === path)).toEqual([
      expect.objectContaining({ code: 'invalid_graph' }),
    ]);
  });

  test.each([
    node('n', 'wait_for_event', { event: '{{event.x}}' }),
    node('n', 'emit_event', { name: '{{event.x}}' }),
    node('n', 'delay', { until: '{{event.x}}' }),
    node('n', 'delay', { time: '{{event.x}}', timezone: 'Europe/Berlin' }),
    node('n', 'delay', { time: '09:00', timezone: '{{event.zone}}' }),
    node('n', 'delay', { amount: '{{event.x}}', unit: 'days' }),
    node('n', 'send_email', { templateId: '{{event.x}}' }),
    node('n', 'send_email', { subject: 'S', body: 'B', fromEmail: '{{email}}' }),
    node('n', 'add_to_segment', { segmentId: '{{event.x}}' }),
  ])('%j has no such shape', async (unread) => {
    const graph = { nodes: [node('start', 'trigger'), unread], edges: [edge('start', 'n')] };
    const { status } = await app.api().post('/v1/workflows').send({ name: 'A', trigger: 'event:a', graph });
    expect(status).toBe(422);
  });

  test('a value that cannot be parsed is a fault of the template', async () => {
    const graph = chain(node('n', 'condition', { conditions: when('data.x', 'equals', '{{#if}}') }));
    const { body } = await app.api().post('/v1/workflows/check').send({ graph }).expect(200);
    expect(body.data.faults).toMatchObject([
      { path: 'graph.nodes.1.config.conditions.groups.0.filters.0.value', code: 'invalid_template' },
    ]);
  });
});
