import { startEchoApi } from '../../support/calls/echo';
import type { EchoApi, Fault } from '../../support/calls/echo';

let echo: EchoApi;

beforeAll(async () => {
  echo = await startEchoApi();
});
afterAll(() => echo.close());

const inFuture = (ms: number): string => new Date(Date.now() + ms).toISOString();
const TREE = { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'exists' }] }] };
const nested = (depth: number): object => (depth === 0 ? TREE : { logic: 'or', groups: [{ filters: [], conditions: nested(depth - 1) }] });
const TEMPLATE = { name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>', fromEmail: 'hello@example.com' };
const CAMPAIGN = { ...TEMPLATE };

const node = (type: string, config: object, more: object = {}) => ({ id: 'n1', type, config, ...more });
const workflow = (...nodes: object[]) => ({ name: 'W', trigger: 'contact.created', graph: { nodes, edges: [] } });

describe('other bodies', () => {
  test.each<[string, object, Fault[]]>([
    ['/v1/contacts', { email: 'ada@example.com', data: { plan: 'pro', old: null }, locale: 'de-CH' }, []],
    ['/v1/contacts', { email: 'ada@example.com', data: null, firstName: null }, []],
    ['/v1/contacts', { email: 'ada@example.com', locale: 'not a locale' }, [['locale', 'invalid_string']]],
    [
      '/v1/contacts',
      { email: 'ada@example.com', data: { '1a': 1, 'b.c': 2 } },
      [
        ['data.1a', 'invalid_string'],
        ['data.b.c', 'invalid_string'],
      ],
    ],
    ['/v1/contacts', { email: 'ada@example.com', data: { a: 'x'.repeat(32_768) } }, [['data', 'too_big']]],
    ['/v1/contacts', { email: 'ada@example.com', data: { a: { b: { c: { d: { e: {} } } } } } }, [['data', 'too_big']]],
    ['/v1/contacts', { email: 'ada@example.com', data: { a: { b: { c: { d: { e: 1 } } } } } }, []],
    [
      '/v1/contacts',
      { email: 'ada@example.com', data: Object.fromEntries(Array.from({ length: 201 }, (_, i) => [`k${i}`, i])) },
      [['data', 'too_big']],
    ],
    ['/v1/contacts/bulk', { action: 'delete', contactIds: ['ctc_1'] }, []],
    ['/v1/contacts/bulk', { action: 'delete' }, [['contactIds', 'invalid_combination']]],
    ['/v1/contacts/bulk', { action: 'delete', contactIds: ['ctc_1'], emails: ['a@b.co'] }, [['contactIds', 'invalid_combination']]],
    [
      '/v1/contacts/bulk',
      { action: 'forget', emails: ['x'] },
      [
        ['action', 'invalid_enum_value'],
        ['emails.0', 'invalid_string'],
      ],
    ],
    ['/v1/contacts/bulk', { action: 'delete', emails: [] }, [['emails', 'too_small']]],
    ['/v1/events', { name: 'order.placed', email: 'ada@example.com', data: { total: 3 } }, []],
    ['/v1/events', { name: 'email.opened', email: 'ada@example.com' }, [['name', 'reserved_name']]],
    ['/v1/events', { name: '-x', email: 'ada@example.com' }, [['name', 'invalid_string']]],
    ['/v1/events', { name: 'x' }, [['email', 'invalid_combination']]],
    ['/v1/events', { name: 'x', email: 'a@b.co', contactId: 'ctc_1' }, [['email', 'invalid_combination']]],
    ['/v1/events', { name: 'x', email: 'a@b.co', occurredAt: inFuture(600_000) }, [['occurredAt', 'invalid_date']]],
    ['/v1/events', { name: 'x', email: 'a@b.co', data: { a: 'x'.repeat(32_768) } }, [['data', 'too_big']]],
    ['/v1/templates', TEMPLATE, []],
    ['/v1/templates', {}, ['name', 'subject', 'body', 'fromEmail'].map((field): Fault => [field, 'invalid_type'])],
    [
      '/v1/templates',
      { ...TEMPLATE, name: '', type: 'x' },
      [
        ['name', 'too_small'],
        ['type', 'invalid_enum_value'],
      ],
    ],
    ['/v1/templates/tpl_1/rollback', { version: 0 }, [['version', 'too_small']]],
    ['/v1/templates/tpl_1/rollback', { version: 1.5 }, [['version', 'invalid_type']]],
    ['/v1/templates/tpl_1/duplicate', { name: 'x' }, [['name', 'unrecognized_keys']]],
    ['/v1/domains', { domain: 'Mail.Bücher.example' }, []],
    ['/v1/domains', { domain: 'http://example.com' }, [['domain', 'invalid_string']]],
    ['/v1/domains', { domain: 'example.com', dkim: 'ed25519' }, [['dkim', 'invalid_enum_value']]],
    ['/v1/segments', { name: 'S', conditions: TREE }, []],
    ['/v1/segments', { name: 'S', conditions: nested(4) }, []],
    ['/v1/segments', { name: 'S' }, [['conditions', 'invalid_combination']]],
    ['/v1/segments', { name: 'S', type: 'static' }, []],
    ['/v1/segments', { name: 'S', type: 'static', conditions: TREE }, [['conditions', 'invalid_combination']]],
    [
      '/v1/segments',
      { name: 'S', conditions: { logic: 'xor', groups: [] } },
      [
        ['conditions.logic', 'invalid_enum_value'],
        ['conditions.groups', 'too_small'],
      ],
    ],
    [
      '/v1/segments/preview',
      { conditions: { logic: 'and', groups: [{ filters: [{ field: 'email', operator: 'exists', foo: 1 }], more: 1 }, {}] } },
      [
        ['conditions.groups.0.filters.0.foo', 'unrecognized_keys'],
        ['conditions.groups.0.more', 'unrecognized_keys'],
        ['conditions.groups.1.filters', 'invalid_type'],
      ],
    ],
    ['/v1/segments/seg_1/members', { emails: ['ada@example.com'] }, []],
    ['/v1/segments/seg_1/members', { emails: Array.from({ length: 1_001 }, () => 'a@b.co') }, [['emails', 'too_big']]],
    ['/v1/campaigns', CAMPAIGN, []],
    ['/v1/campaigns', { ...CAMPAIGN, bodyBlocks: { $design: { __v: [1] } } }, []],
    ['/v1/campaigns', { ...CAMPAIGN, bodyBlocks: 7 }, [['bodyBlocks', 'invalid_type']]],
    ['/v1/campaigns', { ...CAMPAIGN, audience: 'segment' }, [['segmentId', 'invalid_combination']]],
    [
      '/v1/campaigns',
      { ...CAMPAIGN, audience: 'filter', name: 1 },
      [
        ['name', 'invalid_type'],
        ['filter', 'invalid_combination'],
      ],
    ],
    ['/v1/campaigns', { ...CAMPAIGN, abSamplePct: 101 }, [['abSamplePct', 'too_big']]],
    [
      '/v1/campaigns',
      {
        ...CAMPAIGN,
        name: '',
        body: 7,
        abSubjectB: '{{',
        filter: { logic: 'or', groups: [{ filters: [{ field: 'x', operator: 'in' }] }] },
      },
      [
        ['name', 'too_small'],
        ['body', 'invalid_type'],
        ['abSubjectB', 'invalid_template'],
        ['filter.groups.0.filters.0.field', 'invalid_condition'],
      ],
    ],
    ['/v1/campaigns/cmp_1/send', { scheduledFor: '2020-01-01T00:00:00Z' }, [['scheduledFor', 'invalid_date']]],
    ['/v1/campaigns/audience-count', {}, [['audience', 'invalid_type']]],
    ['/v1/webhooks', { url: 'https://hooks.example.com/x', events: ['*'] }, []],
    ['/v1/webhooks', { url: 'https://hooks.example.com/x', events: ['email.*', 'order.placed'] }, []],
    [
      '/v1/webhooks',
      { url: 'ftp://example.com', events: [] },
      [
        ['url', 'invalid_string'],
        ['events', 'too_small'],
      ],
    ],
    ['/v1/webhooks', { url: 'https://x.example', events: ['a b'] }, [['events.0', 'invalid_string']]],
    ['/v1/suppressions', { email: 'Ada@Example.com', reason: 'bored' }, [['reason', 'invalid_enum_value']]],
    ['/v1/verify', { email: 'not an address' }, []],
    ['/v1/verify', {}, [['email', 'invalid_type']]],
    ['/v1/inbound', { from: 'ada@example.com', to: 'Token-X@example.com' }, []],
    [
      '/v1/inbound',
      { from: 'ada', to: 'x' },
      [
        ['from', 'invalid_string'],
        ['to', 'invalid_string'],
      ],
    ],
    ['/v1/workflows/wf_1/enroll', {}, [['contactId', 'invalid_combination']]],
    ['/v1/workflows', { name: 'W', trigger: 'segment:enter:seg_1' }, []],
    ['/v1/workflows', { name: 'W', trigger: 'whenever' }, [['trigger', 'invalid_string']]],
    ['/v1/workflows', workflow(node('trigger', {}), { ...node('exit', {}), id: 'n2', position: { $x: 1, __y: 2 } }), []],
    ['/v1/workflows', workflow(node('teleport', {})), [['graph.nodes.0.type', 'invalid_enum_value']]],
    ['/v1/workflows', workflow({ id: 'n1', config: {} }), [['graph.nodes.0.type', 'invalid_type']]],
    ['/v1/workflows', workflow(node('exit', {}), node('exit', {})), [['graph.nodes.1.id', 'invalid_graph']]],
    ['/v1/workflows', workflow(node('exit', { reason: 1 })), [['graph.nodes.0.config.reason', 'invalid_type']]],
    ['/v1/workflows', workflow(node('exit', {}, { $x: 1 })), [['graph.nodes.0.$x', 'reserved_name']]],
    ['/v1/workflows', workflow(node('delay', { amount: 1, unit: 'days' })), []],
    ['/v1/workflows', workflow(node('delay', { amount: 53, unit: 'weeks' })), [['graph.nodes.0.config.amount', 'too_big']]],
    [
      '/v1/workflows',
      workflow(node('delay', { time: '9:00', timezone: 'Europe/Zurich' })),
      [['graph.nodes.0.config.time', 'invalid_string']],
    ],
    [
      '/v1/workflows',
      workflow(node('delay', { time: '09:00', timezone: 'Mars/North' })),
      [['graph.nodes.0.config.timezone', 'invalid_string']],
    ],
    ['/v1/workflows', workflow(node('send_email', { templateId: 'tpl_1' })), []],
    ['/v1/workflows', workflow(node('send_email', { templateId: 7 })), [['graph.nodes.0.config.templateId', 'invalid_type']]],
    ['/v1/workflows', workflow(node('emit_event', { name: 'email.sent' })), [['graph.nodes.0.config.name', 'reserved_name']]],
    ['/v1/workflows', workflow(node('webhook', { url: 'https://{{host}}/x' })), [['graph.nodes.0.config.url', 'invalid_string']]],
    ['/v1/workflows', workflow(node('split', { branches: [] })), [['graph.nodes.0.config.branches', 'too_small']]],
    ['/api/payments/checkout', { plan: 'free' }, [['plan', 'invalid_enum_value']]],
  ])('POST %s %j', async (path, body, faults) => {
    expect((await echo.faultsOf(path, body)).sort()).toEqual([...faults].sort());
  });

  test.each<[string, object, Fault[]]>([
    ['/v1/templates/tpl_1', {}, []],
    ['/v1/campaigns/cmp_1', { bodyBlocks: null, replyTo: null }, []],
    ['/v1/campaigns/cmp_1', { status: 'sent' }, [['status', 'unrecognized_keys']]],
    ['/v1/webhooks/wh_1', { rotateSecret: false }, [['rotateSecret', 'invalid_enum_value']]],
    ['/v1/webhooks/wh_1', { rotateSecret: 'yes' }, [['rotateSecret', 'invalid_type']]],
    ['/v1/workflows/wf_1', { status: 'draft' }, [['status', 'invalid_enum_value']]],
    ['/v1/billing', {}, [['', 'invalid_combination']]],
    ['/v1/billing', { monthlyLimit: null }, []],
    [
      '/v1/billing',
      { monthlyLimit: -1, plan: 'growth' },
      [
        ['monthlyLimit', 'too_small'],
        ['plan', 'invalid_enum_value'],
      ],
    ],
  ])('PATCH %s %j', async (path, body, faults) => {
    expect(await echo.faultsOf(path, body, 'patch')).toEqual(faults);
  });

  test('keeps a campaign’s design and a node’s position as they are', async () => {
    const bodyBlocks = { $a: { constructor: 1, __proto: [{ $b: null }] } };
    expect((await echo.echoed('/v1/campaigns', { ...CAMPAIGN, bodyBlocks })).bodyBlocks).toEqual(bodyBlocks);
    const position = { $x: 1, constructor: 'y' };
    const { graph } = (await echo.echoed('/v1/workflows', workflow(node('exit', {}, { position })))) as {
      graph: { nodes: { position: unknown }[] };
    };
    expect(graph.nodes[0]?.position).toEqual(position);
  });
});

describe('queries and parameters', () => {
  test.each([
    ['/v1/emails?status=lost', 'status', 'invalid_enum_value'],
    ['/v1/emails?to=nonsense', 'to', 'invalid_string'],
    ['/v1/contacts?subscribed=perhaps', 'subscribed', 'invalid_enum_value'],
    ['/v1/stats?interval=week', 'interval', 'invalid_enum_value'],
    ['/v1/campaigns/cmp_1/recipients?limit=1001', 'limit', 'too_big'],
    ['/v1/suppressions/check', 'email', 'invalid_type'],
    ['/v1/contacts/fields/1a/usage', 'field', 'invalid_string'],
    ['/v1/events/%20/usage', 'name', 'invalid_string'],
    ['/v1/workflows/executions/a.b', 'executionId', 'invalid_string'],
    [`/v1/emails/${'a'.repeat(65)}`, 'id', 'invalid_string'],
  ])('GET %s', async (path, field, code) => {
    const { body } = await echo.api().get(path);
    expect(body.details).toMatchObject([{ path: field, code }]);
  });

  test('faults of path, query and body come together', async () => {
    const { body } = await echo.api().post('/v1/workflows/a.b/executions/c.d/cancel').send({ foo: 1 });
    expect((body.details as { path: string }[]).map(({ path }) => path)).toEqual(['id', 'executionId', 'foo']);
  });

  test('recipients come 100 at a time unless asked otherwise', async () => {
    expect((await echo.api().get('/v1/campaigns/cmp_1/recipients')).body.data.data).toEqual([
      { params: { id: 'cmp_1' }, query: {}, limit: 100 },
    ]);
  });
});
