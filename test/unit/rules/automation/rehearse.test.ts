import type { JudgedContact } from '../../../../src/rules/conditions/evaluate';
import { parseDuration } from '../../../../src/rules/automation/duration';
import type { Edge, Graph, GraphNode } from '../../../../src/rules/automation/graph';
import type { RehearsalOptions } from '../../../../src/rules/automation/rehearsal';
import { rehearse } from '../../../../src/rules/automation/rehearse';
import { START, ada, ports } from '../../../support/platform/rehearsal-ports';
import { excess } from '../../../support/checks/yardstick';

const options = (change: Partial<RehearsalOptions<JudgedContact>> = {}): RehearsalOptions<JudgedContact> => ({
  executionId: 'exe_1',
  startsAt: START,
  contact: ada,
  ...change,
});

const after = (text: string) => parseDuration(text) ?? { months: NaN, milliseconds: NaN };

/** A chain of nodes behind the trigger; what else there is comes as edges. */
const chain = (nodes: readonly GraphNode[], more: readonly Edge[] = []): Graph => ({
  nodes: [{ id: 't', type: 'trigger', config: {} }, ...nodes],
  edges: [...nodes.map(({ id }, index): Edge => ({ from: nodes[index - 1]?.id ?? 't', to: id })), ...more],
});

const mail = (id: string, subject: string): GraphNode => ({
  id,
  type: 'send_email',
  config: { subject, body: '<p>{{data.plan}}</p>', fromEmail: 'a@b.test', type: 'marketing' },
});
const pause = (id: string, amount: number): GraphNode => ({ id, type: 'delay', config: { amount, unit: 'days' } });
const question = (id: string, field: string, operator: string, rest: object = {}): GraphNode => ({
  id,
  type: 'condition',
  config: { conditions: { logic: 'and', groups: [{ filters: [{ field, operator, ...rest }] }] } },
});
const onto = (from: string, to: string, branch: string): Edge => ({ from, to, branch });

test('a rehearsal returns what would be sent when, with the contact as it is by then', async () => {
  const graph = chain([
    mail('m1', 'Welcome {{firstName}} to {{event.shop}}'),
    { id: 'd', type: 'delay', config: { time: '09:00', timezone: 'Europe/Berlin', weekdays: [1] } },
    { id: 'u', type: 'update_contact', config: { data: { plan: 'pro' } } },
    mail('m2', 'News'),
    { id: 'x', type: 'exit', config: { reason: 'told' } },
  ]);
  const result = await rehearse(graph, ports, options({ trigger: { name: 'signed.up', data: { shop: 'Tea & Co' } } }));
  const monday = new Date('2026-11-23T08:00:00.000Z');
  expect(result).toEqual({
    status: 'exited',
    reason: 'told',
    error: null,
    endedAt: monday,
    emails: [
      { nodeId: 'm1', at: START, subject: 'Welcome Ada to Tea & Co', html: '<p>free</p>', text: expect.stringContaining('free') },
      { nodeId: 'm2', at: monday, subject: 'News', html: '<p>pro</p>', text: expect.stringContaining('pro') },
    ],
    path: [
      ['t', 'trigger', START, null],
      ['m1', 'send_email', START, null],
      ['d', 'delay', START, { until: monday.toISOString() }],
      ['u', 'update_contact', monday, null],
      ['m2', 'send_email', monday, null],
      ['x', 'exit', monday, null],
    ].map(([nodeId, type, at, output]) => ({ nodeId, type, status: 'completed', at, branch: null, output, error: null })),
  });
});

const wait = (id: string, config: Extract<GraphNode, { type: 'wait_for_event' }>['config']): GraphNode => ({
  id,
  type: 'wait_for_event',
  config,
});
const twoDays = { amount: 2, unit: 'days' } as const;

test.each<[string, string[], object | undefined, string, string]>([
  ['an event in time', ['P1D'], undefined, 'event', '2026-11-22T08:00:00.000Z'],
  ['an event at the last moment', ['P2D'], undefined, 'event', '2026-11-23T08:00:00.000Z'],
  ['an event too late', ['P2DT0.001S'], undefined, 'timeout', '2026-11-23T08:00:00.000Z'],
  ['an event at once', ['PT0S'], undefined, 'event', START.toISOString()],
  ['an event that does not fit', ['P1D'], { kind: 'other' }, 'timeout', '2026-11-23T08:00:00.000Z'],
  ['an event that fits', ['P1D'], { kind: 'order' }, 'event', '2026-11-22T08:00:00.000Z'],
])('a wait meets %s', async (_what, times, filter, branch, at) => {
  const events = times.map((text) => ({ name: 'ordered', data: { kind: 'order' }, after: after(text) }));
  const graph = chain([wait('w', { event: 'ordered', timeout: twoDays, ...(filter && { filter: filter as Record<string, unknown> }) })]);
  const { path, endedAt } = await rehearse(graph, ports, options({ events }));
  expect([path.at(-1)?.branch, endedAt]).toEqual([branch, new Date(at)]);
});

test.each<[string, object, object, string]>([
  ['its own message', { nodeId: 'm1' }, { nodeId: 'm1' }, 'event'],
  ['another message', { nodeId: 'm1' }, { nodeId: 'm2' }, 'timeout'],
  ['the message sent last, if the script names none', { nodeId: 'm2' }, {}, 'event'],
  ['a message that was not sent', { nodeId: 'm1' }, { nodeId: 'gone' }, 'timeout'],
  ['any message, if the wait names none', {}, { nodeId: 'm1' }, 'event'],
])('a wait for the opening of %s', async (_what, filter, data, branch) => {
  const events = [{ name: 'email.opened', data: data as Record<string, unknown>, after: after('P1D') }];
  const config = { event: 'email.opened', timeout: twoDays, filter: filter as Record<string, unknown> };
  const { path } = await rehearse(chain([mail('m1', 'A'), mail('m2', 'B'), wait('w', config)]), ports, options({ events }));
  expect(path.at(-1)).toMatchObject({ nodeId: 'w', branch });
});

test.each<[string, string, object, string]>([
  ['opens of its message', 'email.opened', { nodeId: 'm1' }, 'yes'],
  ['no opens of another one', 'email.opened', { nodeId: 'm2' }, 'no'],
  ['that its message was sent', 'email.sent', { nodeId: 'm2' }, 'yes'],
  ['one opening of a message that was opened twice', 'email.opened', { nodeId: 'm1', operator: 'countAtLeast', value: 2 }, 'no'],
  ['no click by an opening', 'email.clicked', { nodeId: 'm1' }, 'no'],
])('a condition that names a node sees %s', async (_what, field, rest, branch) => {
  const events = ['PT1H', 'PT2H'].map((text) => ({ name: 'email.opened', data: { nodeId: 'm1' }, after: after(text) }));
  const graph = chain([mail('m1', 'A'), mail('m2', 'B'), pause('d', 1), question('c', field, 'triggered', rest)]);
  expect((await rehearse(graph, ports, options({ events }))).path.at(-1)).toMatchObject({ nodeId: 'c', branch });
});

test('what happened before a message was sent is none of its events', async () => {
  const trigger = { name: 'email.opened', data: {} };
  const graph = chain([mail('m1', 'A'), question('c', 'email.opened', 'triggered', { nodeId: 'm1' })]);
  expect((await rehearse(graph, ports, options({ trigger }))).path.at(-1)).toMatchObject({ branch: 'no' });
});

test('one event satisfies one wait, and one from before a wait satisfies none', async () => {
  const graph = chain(
    [wait('w1', { event: 'e', timeout: twoDays })],
    [onto('w1', 'w2', 'event'), onto('w2', 'd', 'timeout'), { from: 'd', to: 'w3' }],
  );
  const nodes = [
    ...graph.nodes,
    wait('w2', { event: 'e', timeout: { amount: 1, unit: 'hours' } }),
    pause('d', 5),
    wait('w3', { event: 'e' }),
  ];
  const events = ['P1D', 'P3D', 'P9D'].map((text) => ({ name: 'e', after: after(text) }));
  const { path } = await rehearse({ ...graph, nodes }, ports, options({ events }));
  expect(path.map(({ nodeId, branch, output }) => [nodeId, branch, output])).toEqual([
    ['t', null, null],
    ['w1', 'event', { eventId: 'script_0' }],
    ['w2', 'timeout', null],
    ['d', null, { until: '2026-11-27T09:00:00.000Z' }],
    ['w3', 'event', { eventId: 'script_2' }],
  ]);
});

test.each<[string, object, string[], string, string]>([
  ['the window', {}, ['P1D', 'P2D'], 'Three: 0 1 2 ', '2026-11-23T08:00:00.000Z'],
  ['its maximum', { max: 2 }, ['PT1H', 'P1D'], 'Three: 0 1 ', '2026-11-21T09:00:00.000Z'],
  ['the window without an event', {}, ['P2DT0.001S'], 'Three: 0 ', '2026-11-23T08:00:00.000Z'],
  ['the window, with others of its key', { key: 'event.n' }, ['P1D'], 'Three: 0 ', '2026-11-23T08:00:00.000Z'],
])('a digest ends by %s', async (_what, change, times, subject, at) => {
  const config = { window: twoDays, max: 100, ...change };
  const graph = chain([{ id: 'g', type: 'digest', config }, mail('m', 'Three: {{#each items}}{{this.data.n}} {{/each}}')]);
  const events = times.map((text, index) => ({ name: 'e', data: { n: index + 1 }, after: after(text) }));
  const { emails, status } = await rehearse(graph, ports, options({ trigger: { name: 'e', data: { n: 0 } }, events }));
  expect([status, emails.map((one) => [one.subject, one.at])]).toEqual(['completed', [[subject, new Date(at)]]]);
});

test.each<[string, GraphNode[], GraphNode, string]>([
  ['events of the script', [pause('d', 2)], question('c', 'event.visited', 'countAtLeast', { value: 2 }), 'yes'],
  ['events of this very moment', [], question('c', 'event.begun', 'triggered'), 'yes'],
  ['only those so far', [pause('d', 1)], question('c', 'event.visited', 'countAtLeast', { value: 2 }), 'no'],
  ['the triggering event', [], question('c', 'event.started', 'triggered'), 'yes'],
  ['its data', [], question('c', 'trigger.size', 'greaterThan', { value: 4 }), 'yes'],
  [
    'events that the automation emits',
    [{ id: 'e', type: 'emit_event', config: { name: 'x' } }],
    question('c', 'event.x', 'triggered'),
    'yes',
  ],
  ['nothing that was not emitted', [], question('c', 'event.x', 'triggered'), 'no'],
  ['windows of time', [pause('d', 9)], question('c', 'event.started', 'triggeredWithin', { value: 8, unit: 'days' }), 'no'],
  ['messages sent', [mail('m', 'S')], question('c', 'email.sent', 'triggered'), 'yes'],
  ['no message', [], question('c', 'email.sent', 'triggered'), 'no'],
  ['opens of the script', [mail('m', 'S'), pause('d', 2)], question('c', 'email.opened', 'triggered'), 'yes'],
  ['segments at the start', [], question('c', 'segment.s1', 'memberOf'), 'yes'],
  ['segments joined', [{ id: 'a', type: 'add_to_segment', config: { segmentId: 's2' } }], question('c', 'segment.s2', 'memberOf'), 'yes'],
  ['segments left', [{ id: 'r', type: 'remove_from_segment', config: { segmentId: 's1' } }], question('c', 'segment.s1', 'memberOf'), 'no'],
  [
    'changes of the contact',
    [{ id: 'u', type: 'update_contact', config: { data: { plan: 'pro' } } }],
    question('c', 'data.plan', 'equals', { value: 'pro' }),
    'yes',
  ],
])('conditions see %s', async (_what, before, node, expected) => {
  const events = [
    { name: 'visited', after: after('P1DT1H') },
    { name: 'visited', after: after('PT1H') },
    { name: 'begun', after: after('PT0S') },
    { name: 'email.opened', after: after('PT3H') },
  ];
  const trigger = { name: 'started', data: { size: 5 } };
  const { path } = await rehearse(chain([...before, node]), ports, options({ events, trigger, segmentIds: ['s1'] }));
  expect(path.at(-1)).toMatchObject({ nodeId: 'c', branch: expected });
});

test('a switch takes the first case that matches, and a call its answer', async () => {
  const choose: GraphNode = {
    id: 's',
    type: 'switch',
    config: {
      field: 'data.plan',
      cases: [
        { branch: 'paid', operator: 'in', value: ['pro', 'team'] },
        { branch: 'unpaid', operator: 'equals', value: 'FREE' },
        { branch: 'any', operator: 'exists' },
      ],
    },
  };
  const call: GraphNode = { id: 'h', type: 'webhook', config: { url: 'http://example.com/', method: 'GET' } };
  const graph = chain([choose], [onto('s', 'h', 'unpaid')]);
  const branchesFor = async (plan: string) =>
    (await rehearse({ ...graph, nodes: [...graph.nodes, call] }, ports, options({ contact: { ...ada, data: { plan } } }))).path.map(
      ({ branch }) => branch,
    );
  expect(await branchesFor('free')).toEqual([null, 'unpaid', 'failure']);
  expect(await branchesFor('pro')).toEqual([null, 'paid']);
  expect(await branchesFor('odd')).toEqual([null, 'any']);
});

test('a message that is skipped is reported, and the rehearsal goes on; one that cannot be made ends it', async () => {
  const graph = chain([mail('m', 'S'), { id: 'm2', type: 'send_email', config: { templateId: 'tpl_x' } }, pause('d', 1)]);
  const result = await rehearse(graph, ports, options({ contact: { ...ada, subscribed: false } }));
  expect(result.emails).toMatchObject([{ nodeId: 'm', subject: 'S', skipped: 'unsubscribed' }]);
  expect(result.path.slice(1)).toMatchObject([
    { nodeId: 'm', status: 'skipped', output: { skipped: 'unsubscribed' } },
    { nodeId: 'm2', status: 'failed', error: 'No such template' },
  ]);
  expect(result).toMatchObject({ status: 'failed', error: 'No such template', endedAt: START });
});

test.each([
  ['a delay', pause('n', 3)],
  ['a wait', wait('n', { event: 'e' })],
])('%s past the end is left waiting', async (_what, node) => {
  const until = new Date('2026-11-23T00:00:00.000Z');
  const result = await rehearse(chain([mail('m', 'S'), node, mail('never', 'N')]), ports, options({ until }));
  expect(result).toMatchObject({ status: 'waiting', endedAt: until, emails: [{ nodeId: 'm' }] });
  expect(result.path.at(-1)).toEqual({
    nodeId: 'n',
    type: node.type,
    status: 'waiting',
    at: START,
    branch: null,
    output: null,
    error: null,
  });
});

test("a contact whom the trigger's filter keeps out is not played through", async () => {
  const filter = { logic: 'and' as const, groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] };
  const graph: Graph = { nodes: [{ id: 't', type: 'trigger', config: { filter } }, mail('m', 'S')], edges: [{ from: 't', to: 'm' }] };
  expect(await rehearse(graph, ports, options())).toMatchObject({ status: 'filter_not_matched', path: [], emails: [] });
  expect(await rehearse(graph, ports, options({ contact: { ...ada, data: { plan: 'Pro' } } }))).toMatchObject({ status: 'completed' });
});

test('a year takes no time', async () => {
  const weeks = Array.from({ length: 52 }, (_, index): GraphNode[] => [
    { id: `d${index}`, type: 'delay', config: { time: '09:00', timezone: 'America/New_York', weekdays: [1] } },
    mail(`m${index}`, `Week ${index + 1}`),
  ]).flat();
  expect(await excess(() => rehearse(chain(weeks), ports, options()))).toBe(0);
  const { emails, endedAt } = await rehearse(chain(weeks), ports, options());
  expect(emails).toHaveLength(52);
  expect(endedAt).toEqual(new Date('2027-11-15T14:00:00.000Z'));
});
