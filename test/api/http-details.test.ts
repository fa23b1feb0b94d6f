import { endpoint } from '../../api/http/endpoint';
import type { Endpoint } from '../../api/http/endpoint';
import { otherEndpoints, rooms } from '../../api/rooms';
import { apiOf, serve, startTestApp } from '../support/app';
import type { Api, TestApp } from '../support/app';

const DAY_MS = 86_400_000;
const inFuture = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Every real declaration, with a handler that says what reached it. */
const echoing = (e: Endpoint): Endpoint => ({
  ...e,
  trusted: true,
  handle: ({ params, query, body }) =>
    Promise.resolve(
      e.list === 'cursor' ? { rows: [{ params, query }], next: null } : e.list ? [{ params, query }] : { params, query, body },
    ),
});

let app: TestApp;
let api: (key?: string | null) => Api;
let stop: () => Promise<void>;

beforeAll(async () => {
  app = await startTestApp();
  const real = [...rooms({ health: () => Promise.resolve({ mongodb: 'up', temporal: 'up' }), document: () => ({}) }), ...otherEndpoints];
  const served = await serve(
    app.core,
    real.map(echoing).map((e) => endpoint(e as never)),
  );
  api = apiOf(served.url, app.keys.secret);
  stop = () => served.close();
});
afterAll(async () => {
  await stop();
  await app.close();
});

type Fault = readonly [path: string, code: string];

const faultsOf = async (path: string, body: object, method: 'post' | 'patch' = 'post'): Promise<Fault[]> => {
  const response = await api()[method](path).send(body);
  if (response.status < 300) return [];
  expect([response.status, response.body.code, response.body.success]).toEqual([422, 'validation_error', false]);
  return (response.body.details as { path: string; code: string; message: string }[]).map((detail) => {
    expect(detail.message).not.toBe('');
    return [detail.path, detail.code];
  });
};

const echoed = async (path: string, body: object): Promise<Record<string, unknown>> => {
  const response = await api().post(path).send(body);
  return response.body.data.body as Record<string, unknown>;
};

const MESSAGE = { to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
const send = (more: object): Promise<Fault[]> => faultsOf('/v1/send', { ...MESSAGE, ...more });

describe('a message', () => {
  test('reaches the core with every member there', async () => {
    expect(await echoed('/v1/send', MESSAGE)).toEqual({
      to: [{ email: 'ada@example.com', name: null }],
      toMany: false,
      subject: 'Hello',
      html: null,
      text: 'Hello',
      templateId: null,
      variables: {},
      from: null,
      fromName: null,
      replyTo: null,
      headers: null,
      attachments: [],
      sendAt: null,
      createContact: true,
      type: null,
    });
  });

  test('has its addresses in their stored form, and its recipients in order', async () => {
    const to = ['ADA@Example.com', { email: 'grace@BÜCHER.example', name: 'Grace Hopper' }];
    const message = await echoed('/v1/send', { ...MESSAGE, to, from: 'Hello@Example.com', replyTo: 'R@Example.com' });
    expect(message).toMatchObject({
      to: [
        { email: 'ada@example.com', name: null },
        { email: 'grace@xn--bcher-kva.example', name: 'Grace Hopper' },
      ],
      toMany: true,
      from: 'hello@example.com',
      replyTo: 'r@example.com',
    });
  });

  test.each<[unknown, Fault[]]>([
    [undefined, [['to', 'invalid_type']]],
    [null, [['to', 'invalid_type']]],
    [7, [['to', 'invalid_type']]],
    ['', [['to', 'invalid_string']]],
    ['nonsense', [['to', 'invalid_string']]],
    ['Ada <ada@example.com>', [['to', 'invalid_string']]],
    ['ada@example.com, grace@example.com', [['to', 'invalid_string']]],
    ['ada@example.com\r\nBcc: grace@example.com', [['to', 'invalid_string']]],
    [`${'a'.repeat(250)}@example.com`, [['to', 'too_big']]],
    [{}, [['to.email', 'invalid_type']]],
    [{ email: 'nonsense' }, [['to.email', 'invalid_string']]],
    [{ email: 'ada@example.com', name: 1 }, [['to.name', 'invalid_type']]],
    [{ email: 'ada@example.com', name: 'Ada\nBcc: x' }, [['to.name', 'invalid_string']]],
    [{ email: 'ada@example.com', name: 'a'.repeat(201) }, [['to.name', 'too_big']]],
    [{ email: 'ada@example.com', nickname: 'a' }, [['to.nickname', 'unrecognized_keys']]],
    [[], [['to', 'too_small']]],
    [Array.from({ length: 51 }, () => 'ada@example.com'), [['to', 'too_big']]],
    [
      ['ada@example.com', 'nonsense', { email: 1 }, [], { email: 'x', more: 1 }],
      [
        ['to.1', 'invalid_string'],
        ['to.2.email', 'invalid_type'],
        ['to.3', 'invalid_type'],
        ['to.4.more', 'unrecognized_keys'],
        ['to.4.email', 'invalid_string'],
      ],
    ],
  ])('to %j', async (to, faults) => {
    expect(await send({ to })).toEqual(faults);
  });

  test.each<[object, Fault[]]>([
    [
      { foo: 1, bar: 2 },
      [
        ['foo', 'unrecognized_keys'],
        ['bar', 'unrecognized_keys'],
      ],
    ],
    [{ subject: undefined }, [['subject', 'invalid_type']]],
    [{ subject: 1 }, [['subject', 'invalid_type']]],
    [{ subject: 'a'.repeat(999) }, [['subject', 'too_big']]],
    [{ subject: 'Hello\r\nBcc: x@example.com' }, [['subject', 'invalid_string']]],
    [{ subject: 'Hello\n' }, [['subject', 'invalid_string']]],
    [{ text: undefined }, [['html', 'invalid_combination']]],
    [{ templateId: 'tpl_1' }, [['templateId', 'invalid_combination']]],
    [{ templateId: 'tpl_1', text: undefined, subject: undefined }, []],
    [{ templateId: 'no id', text: undefined }, [['templateId', 'invalid_string']]],
    [{ html: 7 }, [['html', 'invalid_type']]],
    [{ html: 'a'.repeat(1024 * 1024) }, []],
    [{ html: 'a'.repeat(1024 * 1024 + 1) }, [['html', 'too_big']]],
    [{ text: 'ü'.repeat(512 * 1024 + 1) }, [['text', 'too_big']]],
    [{ variables: 'x' }, [['variables', 'invalid_type']]],
    [{ variables: ['x'] }, [['variables', 'invalid_type']]],
    [{ variables: { a: { b: [1, null, true, { c: 'd' }] } } }, []],
    [{ from: 'nonsense' }, [['from', 'invalid_string']]],
    [{ fromName: 'a'.repeat(201) }, [['fromName', 'too_big']]],
    [{ fromName: 'a\rb' }, [['fromName', 'invalid_string']]],
    [{ replyTo: ['a@b.co'] }, [['replyTo', 'invalid_type']]],
    [{ createContact: 'no' }, [['createContact', 'invalid_type']]],
    [{ type: 'spam' }, [['type', 'invalid_enum_value']]],
    [{ type: 1 }, [['type', 'invalid_type']]],
    [{ type: null }, [['type', 'invalid_type']]],
    [{ sendAt: 'tomorrow' }, [['sendAt', 'invalid_string']]],
    [{ sendAt: '2030-01-01T00:00:00' }, [['sendAt', 'invalid_string']]],
    [{ sendAt: '2030-02-30T00:00:00Z' }, [['sendAt', 'invalid_string']]],
    [{ sendAt: 1_800_000_000 }, [['sendAt', 'invalid_type']]],
    [{ sendAt: '2020-01-01T00:00:00Z' }, [['sendAt', 'invalid_date']]],
    [{ sendAt: inFuture(366 * DAY_MS) }, [['sendAt', 'invalid_date']]],
    [{ sendAt: inFuture(364 * DAY_MS) }, []],
  ])('with %.200j', async (more, faults) => {
    expect(await send(more)).toEqual(faults);
  });

  test.each<[string, unknown, string | null]>([
    ['X-Campaign', 'autumn', null],
    ['x-campaign', '', null],
    ['X-Campaign', 7, 'invalid_type'],
    ['X-Campaign', 'a\r\nBcc: x@example.com', 'invalid_header'],
    ['X-Campaign', 'a\nb', 'invalid_header'],
    ['X-Campaign', 'a\0b', 'invalid_header'],
    ['X-Campaign', 'a'.repeat(998), null],
    ['X-Campaign', 'a'.repeat(999), 'invalid_header'],
    ['X Campaign', 'a', 'invalid_header'],
    ['X:Campaign', 'a', 'invalid_header'],
    ['X\r\nBcc', 'a', 'invalid_header'],
    ['', 'a', 'invalid_header'],
    ['a'.repeat(77), 'a', 'invalid_header'],
    ...[
      'From To Cc BCC Sender subject Date Message-ID Reply-To Return-Path Received DKIM-Signature ARC-Seal Authentication-Results MIME-Version',
      'Content-Type content-disposition List-Unsubscribe List-Unsubscribe-Post Resent-To Feedback-ID Auto-Submitted Delivered-To Errors-To',
      'Disposition-Notification-To X-Lettermill-Id',
    ]
      .join(' ')
      .split(' ')
      .map((name): [string, string, string] => [name, 'a', 'invalid_header']),
  ])('with the header %j: %.20j', async (name, value, code) => {
    expect(await send({ headers: { [name]: value } })).toEqual(code === null ? [] : [[`headers.${name}`, code]]);
  });

  test('with 50 headers, and no more', async () => {
    const headers = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'a']));
    expect(await send({ headers: headers(50) })).toEqual([]);
    expect(await send({ headers: headers(51) })).toEqual([['headers', 'too_big']]);
    expect(await send({ headers: [] })).toEqual([['headers', 'invalid_type']]);
  });

  const FILE = { filename: 'a.txt', content: 'aGVsbG8=' };

  test.each<[object, Fault[]]>([
    [{}, []],
    [{ contentType: 'text/plain' }, []],
    [{ content: '' }, []],
    [{ content: 'aGVsbG8' }, [['content', 'invalid_string']]],
    [{ content: 'aGVs bG8=' }, [['content', 'invalid_string']]],
    [{ content: 'aGVsbG8_' }, [['content', 'invalid_string']]],
    [{ content: '====' }, [['content', 'invalid_string']]],
    [{ content: 1 }, [['content', 'invalid_type']]],
    [{ filename: '' }, [['filename', 'too_small']]],
    [{ filename: 'a'.repeat(256) }, [['filename', 'too_big']]],
    [{ filename: '../../etc/passwd' }, [['filename', 'invalid_string']]],
    [{ filename: 'a\\b' }, [['filename', 'invalid_string']]],
    [{ filename: 'a\r\nContent-Type: text/html' }, [['filename', 'invalid_string']]],
    [
      { filename: undefined, content: undefined },
      [
        ['filename', 'invalid_type'],
        ['content', 'invalid_type'],
      ],
    ],
    [{ contentType: 'text' }, [['contentType', 'invalid_string']]],
    [{ contentType: 'text/plain\r\nX: y' }, [['contentType', 'invalid_string']]],
    [{ path: '/etc/passwd' }, [['path', 'unrecognized_keys']]],
  ])('with the attachment %j', async (more, faults) => {
    const expected = faults.map(([path, code]) => [`attachments.0.${path}`, code]);
    expect(await send({ attachments: [{ ...FILE, ...more }] })).toEqual(expected);
  });

  test('with ten attachments, and no more', async () => {
    expect(await send({ attachments: Array.from({ length: 10 }, () => FILE) })).toEqual([]);
    expect(await send({ attachments: Array.from({ length: 11 }, () => FILE) })).toEqual([['attachments', 'too_big']]);
  });

  test('tells all its faults at once', async () => {
    const faults = await send({ to: [1], subject: 2, text: 3, templateId: 'tpl_1', headers: { From: 'x' }, foo: 4, $where: 5 });
    expect(faults.toSorted()).toEqual([
      ['$where', 'reserved_name'],
      ['foo', 'unrecognized_keys'],
      ['headers.From', 'invalid_header'],
      ['subject', 'invalid_type'],
      ['templateId', 'invalid_combination'],
      ['text', 'invalid_type'],
      ['to.0', 'invalid_type'],
    ]);
  });
});

describe('a batch', () => {
  test('names the message of each fault', async () => {
    const messages = [MESSAGE, { ...MESSAGE, foo: 1 }, { ...MESSAGE, to: 'nonsense' }, 7];
    expect(await faultsOf('/v1/send/batch', { messages })).toEqual([
      ['messages.1.foo', 'unrecognized_keys'],
      ['messages.2.to', 'invalid_string'],
      ['messages.3', 'invalid_type'],
    ]);
  });

  test('holds 1 to 1,000 messages', async () => {
    const of = (length: number) => faultsOf('/v1/send/batch', { messages: Array.from({ length }, () => MESSAGE) });
    expect(await of(1_000)).toEqual([]);
    expect(await of(1_001)).toEqual([['messages', 'too_big']]);
    expect(await of(0)).toEqual([['messages', 'too_small']]);
    expect(await faultsOf('/v1/send/batch', {})).toEqual([['messages', 'invalid_type']]);
    expect(await faultsOf('/v1/send/batch', { messages: {} })).toEqual([['messages', 'invalid_type']]);
  });

  test('lists at most 1,000 faults', async () => {
    const messages = Array.from({ length: 1_000 }, () => ({ a: 1, b: 2, c: 3 }));
    expect(await faultsOf('/v1/send/batch', { messages })).toHaveLength(1_000);
  });
});

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
  ])('POST %s %.160j', async (path, body, faults) => {
    expect((await faultsOf(path, body)).toSorted()).toEqual(faults.toSorted());
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
    expect(await faultsOf(path, body, 'patch')).toEqual(faults);
  });

  test('keeps a campaign’s design and a node’s position as they are', async () => {
    const bodyBlocks = { $a: { constructor: 1, __proto: [{ $b: null }] } };
    expect((await echoed('/v1/campaigns', { ...CAMPAIGN, bodyBlocks })).bodyBlocks).toEqual(bodyBlocks);
    const position = { $x: 1, constructor: 'y' };
    const { graph } = (await echoed('/v1/workflows', workflow(node('exit', {}, { position })))) as {
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
    const { body } = await api().get(path);
    expect(body.details).toMatchObject([{ path: field, code }]);
  });

  test('faults of path, query and body come together', async () => {
    const { body } = await api().post('/v1/workflows/a.b/executions/c.d/cancel').send({ foo: 1 });
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['id', 'executionId', 'foo']);
  });

  test('recipients come 100 at a time unless asked otherwise', async () => {
    expect((await api().get('/v1/campaigns/cmp_1/recipients')).body.data.data).toEqual([
      { params: { id: 'cmp_1' }, query: { limit: 100 } },
    ]);
  });
});
