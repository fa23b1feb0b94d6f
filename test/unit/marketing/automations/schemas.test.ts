import { Graph } from '../../../../api/automations/graph';
import { CreateWorkflow, Enrol, UpdateWorkflow } from '../../../../api/automations/schemas';
import { detailsOf } from '../../../../api/http/issues';

const graphOf = (type: string, config: unknown) => ({ nodes: [{ id: 'n', type, config }], edges: [] });

/** The faults of one node, as path below its configuration and code. */
function faultsOf(type: string, config: unknown): string[] {
  const given = graphOf(type, config);
  const parsed = Graph.safeParse(given);
  return parsed.success ? [] : detailsOf(parsed.error, given).map(({ path, code }) => `${path.replace('nodes.0.config', '~')} ${code}`);
}

const inline = { subject: 'S', body: 'B', fromEmail: 'a@b.test' };
const call = (change: object) => ({ url: 'https://example.com/x', ...change });

test.each<[string, unknown]>([
  ['trigger', {}],
  ['send_email', { templateId: 'tpl_1', variables: { a: [1] } }],
  ['send_email', { ...inline, type: 'transactional', fromName: 'N', previewText: 'P', replyTo: 'r@b.test' }],
  ['delay', { amount: 365, unit: 'days' }],
  ['delay', { amount: 0.5, unit: 'hours' }],
  ['delay', { until: '2026-11-21T10:00:00.5+05:30' }],
  ['delay', { time: '09:00', timezone: 'Australia/Lord_Howe', weekdays: [1, 7] }],
  ['wait_for_event', { event: 'email.opened', filter: { 'order.total': 3 }, timeout: { amount: 52, unit: 'weeks' } }],
  ['digest', { window: { amount: 1, unit: 'hours' }, key: 'event.thread.id', max: 20 }],
  ['condition', { conditions: { logic: 'and', groups: [{ filters: [{ field: 'trigger.a', operator: 'exists' }] }] } }],
  ['condition', { conditions: { logic: 'and', groups: [{ filters: [{ field: 'items.data.a', operator: 'exists' }] }] } }],
  ['switch', { field: 'data.a', cases: [{ branch: 'x', operator: 'in', value: ['a'] }] }],
  ['split', { branches: [{ branch: 'a', weight: 0.1 }] }],
  ['update_contact', { firstName: '{{event.name}}', lastName: null, data: { a: '{{event.a}}', b: null }, subscribed: false }],
  ['add_to_segment', { segmentId: 'seg_1' }],
  ['remove_from_segment', { segmentId: 'seg_1' }],
  ['emit_event', { name: 'order/shipped', data: { a: 1 } }],
  [
    'webhook',
    { ...call({ headers: { Authorization: 'Bearer {{data.key}}', 'Content-Type': 'text/plain' } }), method: 'PUT', body: ['{{email}}'] },
  ],
  ['webhook', { url: 'http://example.com:8080/{{contactId}}?q={{data.q | "x y"}}', method: 'GET' }],
  ['webhook', { url: 'https://example.com?a={{b}}', method: 'POST' }],
  ['exit', { reason: 'done' }],
])('%s %j is kept as it was given', (type, config) => {
  const given = graphOf(type, config);
  const parsed = Graph.parse(given);
  expect(parsed.nodes[0]?.config).toMatchObject(config as object);
  // What is shown can be saved again.
  expect(Graph.parse(parsed)).toEqual(parsed);
});

test('defaults are written out', () => {
  expect(Graph.parse(graphOf('send_email', inline)).nodes[0]?.config).toEqual({ ...inline, type: 'marketing' });
  expect(Graph.parse(graphOf('webhook', call({}))).nodes[0]?.config).toEqual({ ...call({}), method: 'POST' });
  const window = { amount: 1, unit: 'days' };
  expect(Graph.parse(graphOf('digest', { window })).nodes[0]?.config).toEqual({ window, max: 100 });
});

test.each<[string, unknown, string[]]>([
  ['trigger', { filters: {} }, ['~.filters unrecognized_keys']],
  ['send_email', {}, ['~.templateId invalid_type']],
  ['send_email', { subject: 'S' }, ['~.body invalid_type', '~.fromEmail invalid_type']],
  ['send_email', { ...inline, subject: 'a\nb', fromEmail: 'x' }, ['~.subject invalid_string', '~.fromEmail invalid_string']],
  ['send_email', { ...inline, templateId: 'tpl_1' }, ['~.templateId unrecognized_keys']],
  ['delay', { amount: 366, unit: 'days' }, ['~.amount too_big']],
  ['delay', { amount: 0, unit: 'days' }, ['~.amount too_small']],
  ['delay', { amount: -1, unit: 'years' }, ['~.amount too_small', '~.unit invalid_enum_value']],
  ['delay', { until: '2026-11-21' }, ['~.until invalid_string']],
  ['delay', { until: '2026-11-21T10:00:00' }, ['~.until invalid_string']],
  [
    'delay',
    { time: '24:00', timezone: 'Mars/Base', weekdays: [8] },
    ['~.time invalid_string', '~.timezone invalid_string', '~.weekdays.0 too_big'],
  ],
  ['delay', { time: '09:00', timezone: 'UTC', weekdays: [] }, ['~.weekdays too_small']],
  ['delay', { time: '09:00' }, ['~.timezone invalid_type']],
  ['wait_for_event', { event: 'e', timeout: { amount: 53, unit: 'weeks' } }, ['~.timeout.amount too_big']],
  ['wait_for_event', { event: '.e', filter: [] }, ['~.event invalid_string', '~.filter invalid_type']],
  ['digest', {}, ['~.window invalid_type']],
  [
    'digest',
    { window: { amount: 366, unit: 'days' }, key: 'thread', max: 1 },
    ['~.window.amount too_big', '~.key invalid_string', '~.max too_small'],
  ],
  ['digest', { window: { amount: 1, unit: 'days' }, key: '{{event.a}}', max: 101 }, ['~.key invalid_string', '~.max too_big']],
  ['condition', {}, ['~.conditions invalid_type']],
  ['switch', { field: 'email', cases: [] }, ['~.cases too_small']],
  ['switch', { field: 'email', cases: Array(21).fill({ branch: 'a', operator: 'exists' }) }, ['~.cases too_big']],
  [
    'switch',
    { field: 'email', cases: [{ branch: '', operator: 'exists', unit: 'days' }] },
    ['~.cases.0.branch too_small', '~.cases.0.unit unrecognized_keys'],
  ],
  ['split', { branches: [{ branch: 'a', weight: 0 }] }, ['~.branches.0.weight too_small']],
  ['split', { branches: [] }, ['~.branches too_small']],
  ['update_contact', { email: 'x@y.test' }, ['~.email unrecognized_keys']],
  ['update_contact', { data: { 'a.b': 1 } }, ['~.data.a.b invalid_string']],
  ['emit_event', { name: 'email.sent' }, ['~.name reserved_name']],
  ['add_to_segment', { segmentId: 'a/b' }, ['~.segmentId invalid_string']],
  ['webhook', { url: 'ftp://example.com/' }, ['~.url invalid_string']],
  ['webhook', { url: 'https://{{data.host}}/' }, ['~.url invalid_string']],
  ['webhook', { url: 'https://api.{{data.host}}/' }, ['~.url invalid_string']],
  ['webhook', { url: 'https://example.com{{data.rest}}' }, ['~.url invalid_string']],
  ['webhook', { url: 'https://example.com:{{data.port}}/' }, ['~.url invalid_string']],
  ['webhook', { url: 'https://user:key@example.com/' }, ['~.url invalid_string']],
  ['webhook', { url: 'https://example.com\\@{{data.host}}/' }, ['~.url invalid_string']],
  ['webhook', { url: 'https://exa mple.com/' }, ['~.url invalid_string']],
  ['webhook', { url: 'https://example.com:99999/' }, ['~.url invalid_string']],
  ['webhook', call({ headers: { Host: 'a' } }), ['~.headers.Host invalid_header']],
  [
    'webhook',
    call({ headers: { 'Content-Length': '1', 'proxy-authorization': 'x' } }),
    ['~.headers.Content-Length invalid_header', '~.headers.proxy-authorization invalid_header'],
  ],
  [
    'webhook',
    call({ headers: { 'X A': 'a', 'X-B': 'a\r\nb', 'X-C': 'c'.repeat(999) } }),
    ['~.headers.X A invalid_header', '~.headers.X-B invalid_header', '~.headers.X-C invalid_header'],
  ],
  ['webhook', call({ headers: { 'X-A': 1 } }), ['~.headers.X-A invalid_type']],
  ['webhook', call({ headers: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`X-${index}`, ''])) }), ['~.headers too_big']],
  ['webhook', call({ method: 'TRACE' }), ['~.method invalid_enum_value']],
  ['exit', { reason: 'a\nb' }, ['~.reason invalid_string']],
])('%s %j is refused', (type, config, faults) => {
  expect(faultsOf(type, config)).toEqual(faults);
});

test('ids are unique, places are kept, and whether it can run is not asked', () => {
  const node = { id: 'a', type: 'exit', config: {}, position: { x: 1, $any: [null] }, name: 'End' };
  const given = { nodes: [node], edges: [{ id: 'e', from: 'a', to: 'nowhere', branch: 'x' }] };
  expect(Graph.parse(given)).toEqual(given);
  const repeated = { nodes: [node, node], edges: [...given.edges, ...given.edges] };
  const parsed = Graph.safeParse(repeated);
  expect(parsed.success ? [] : detailsOf(parsed.error, repeated).map(({ path, code }) => [path, code])).toEqual([
    ['nodes.1.id', 'invalid_graph'],
    ['edges.1.id', 'invalid_graph'],
  ]);
  const many = Array.from({ length: 201 }, (_, index) => ({ ...node, id: `n${index}` }));
  expect(Graph.safeParse({ nodes: many, edges: [] }).success).toBe(false);
  expect(Graph.safeParse({ nodes: many.slice(1), edges: [] }).success).toBe(true);
  expect(Graph.safeParse({ nodes: [{ ...node, type: 'jump' }], edges: [] }).success).toBe(false);
});

test.each([
  ['event:order.placed', true],
  ['event:email.opened', true],
  ['contact.created', true],
  ['segment:enter:seg_1', true],
  ['segment:exit:seg_1', true],
  ['contact.updated', false],
  ['event:', false],
  ['event: x', false],
  ['segment:stay:seg_1', false],
  ['segment:enter:', false],
])('trigger %s: %s', (trigger, valid) => {
  expect(CreateWorkflow.safeParse({ name: 'N', trigger }).success).toBe(valid);
});

test('a workflow begins without re-entry; enrolment names the contact one way', () => {
  expect(CreateWorkflow.parse({ name: 'N', trigger: 'contact.created' })).toMatchObject({ reentry: 'never' });
  expect(UpdateWorkflow.safeParse({ status: 'draft' }).success).toBe(false);
  expect(UpdateWorkflow.parse({})).toEqual({});
  const valid = [{}, { contactId: 'c' }, { email: 'A@B.test' }, { contactId: 'c', email: 'a@b.test' }, { contactId: 'c', data: { a: 1 } }];
  expect(valid.map((body) => Enrol.safeParse(body).success)).toEqual([false, true, true, false, true]);
});
