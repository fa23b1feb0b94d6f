import fc from 'fast-check';
import { Graph as GraphSchema } from '../../../../api/automations/graph';
import { checkGraph } from '../../../../src/rules/automation/check';
import type { Edge, Graph, GraphNode } from '../../../../src/rules/automation/graph';
import { automationGraphs } from '../../../support/data/automation-graphs';
import { excess } from '../../../support/checks/yardstick';

const trigger: GraphNode = { id: 't', type: 'trigger', config: {} };
const exit: GraphNode = { id: 'x', type: 'exit', config: {} };
const delay = (id: string): GraphNode => ({ id, type: 'delay', config: { amount: 1, unit: 'days' } });
const wait: GraphNode = { id: 'w', type: 'wait_for_event', config: { event: 'e' } };
const digest: GraphNode = { id: 'g', type: 'digest', config: { window: { amount: 1, unit: 'hours' }, max: 100 } };
const condition = (field: string, operator = 'equals', value: unknown = 'x'): GraphNode => ({
  id: 'c',
  type: 'condition',
  config: { conditions: { logic: 'and', groups: [{ filters: [{ field, operator, value }] }] } },
});
const choice = (field: string, ...cases: { branch: string; operator: string; value?: unknown }[]): GraphNode => ({
  id: 's',
  type: 'switch',
  config: { field, cases },
});
const split = (...branches: { branch: string; weight: number }[]): GraphNode => ({ id: 'p', type: 'split', config: { branches } });
const edge = (from: string, to: string, branch?: string): Edge => ({ from, to, ...(branch !== undefined && { branch }) });
const graph = (nodes: GraphNode[], edges: Edge[]): Graph => ({ nodes, edges });

/** The trigger leads to the first of the nodes. */
const behind = (node: GraphNode, ...more: Edge[]): Graph => graph([trigger, node], [edge('t', node.id), ...more]);

const pathsOf = (given: Graph): string[] => checkGraph(given).map(({ path }) => path);

test.each<[string, Graph]>([
  ['a trigger alone', graph([trigger], [])],
  ['branches without edges', behind(condition('email'))],
  ['one branch with an edge', graph([trigger, condition('email'), exit], [edge('t', 'c'), edge('c', 'x', 'no')])],
  ['branches that join', graph([trigger, condition('email'), exit], [edge('t', 'c'), edge('c', 'x', 'no'), edge('c', 'x', 'yes')])],
  ['a digest behind the trigger', behind(digest)],
  ['items of a digest', behind(condition('items.data.total', 'greaterThan', 5))],
  ['data of the triggering event', behind(condition('trigger.order.total', 'greaterThan', 5))],
  [
    'a switch with a default',
    graph([trigger, choice('data.plan', { branch: 'a', operator: 'exists' }), exit], [edge('t', 's'), edge('s', 'x', 'default')]),
  ],
  ['a split with a branch called default', behind(split({ branch: 'default', weight: 0.5 }))],
  [
    'a trigger with a filter',
    graph(
      [
        {
          id: 't',
          type: 'trigger',
          config: { filter: { logic: 'or', groups: [{ filters: [{ field: 'subscribed', operator: 'equals', value: true }] }] } },
        },
      ],
      [],
    ),
  ],
])('%s has no fault', (_what, given) => {
  expect(checkGraph(given)).toEqual([]);
});

test.each<[string, Graph, string[]]>([
  ['no trigger', graph([delay('a'), delay('b')], [edge('a', 'b')]), ['graph.nodes']],
  ['nothing at all', graph([], []), ['graph.nodes']],
  ['three triggers', graph([trigger, { ...trigger, id: 'u' }, { ...trigger, id: 'v' }], []), ['graph.nodes.1', 'graph.nodes.2']],
  ['an edge into the trigger', behind(delay('a'), edge('a', 't')), ['graph.edges.1.to']],
  ['the trigger leading to itself', graph([trigger], [edge('t', 't')]), ['graph.edges.0.to']],
  ['an edge from nowhere', behind(delay('a'), edge('gone', 'a')), ['graph.edges.1.from']],
  ['an edge to nowhere', behind(delay('a'), edge('a', 'gone')), ['graph.edges.1.to']],
  ['an edge between nowhere and nowhere', behind(delay('a'), edge('gone', 'gone')), ['graph.edges.1.from', 'graph.edges.1.to']],
  ['nodes that nothing leads to', graph([delay('a'), trigger, delay('b')], [edge('a', 'b')]), ['graph.nodes.0', 'graph.nodes.2']],
  ['a node leading to itself', behind(delay('a'), edge('a', 'a')), ['graph.edges.1']],
  ['a cycle', graph([trigger, delay('a'), delay('b')], [edge('t', 'a'), edge('a', 'b'), edge('b', 'a')]), ['graph.edges.2']],
  [
    'a cycle that nothing leads to',
    graph([trigger, delay('a'), delay('b')], [edge('a', 'b'), edge('b', 'a')]),
    ['graph.nodes.1', 'graph.nodes.2', 'graph.edges.1'],
  ],
  [
    'two cycles through one node',
    graph(
      [trigger, condition('email'), delay('a'), delay('b')],
      [edge('t', 'c'), edge('c', 'a', 'yes'), edge('c', 'b', 'no'), edge('a', 'c'), edge('b', 'c')],
    ),
    ['graph.edges.3', 'graph.edges.4'],
  ],
  ['a digest behind another node', graph([trigger, delay('a'), digest], [edge('t', 'a'), edge('a', 'g')]), ['graph.nodes.2']],
  ['two edges for one outcome', graph([trigger, delay('a'), delay('b')], [edge('t', 'a'), edge('t', 'b')]), ['graph.edges.1']],
  [
    'two edges for one branch',
    graph([trigger, condition('email'), exit], [edge('t', 'c'), edge('c', 'x', 'yes'), edge('c', 'x', 'yes')]),
    ['graph.edges.2'],
  ],
  [
    'an unknown branch twice',
    graph([trigger, condition('email'), exit], [edge('t', 'c'), edge('c', 'x', 'maybe'), edge('c', 'x', 'maybe')]),
    ['graph.edges.1.branch', 'graph.edges.2.branch'],
  ],
  ['a missing branch', graph([trigger, condition('email'), exit], [edge('t', 'c'), edge('c', 'x')]), ['graph.edges.1.branch']],
  ['an unknown branch', graph([trigger, condition('email'), exit], [edge('t', 'c'), edge('c', 'x', 'maybe')]), ['graph.edges.1.branch']],
  [
    'a branch of a node that has none',
    graph([trigger, delay('a'), exit], [edge('t', 'a'), edge('a', 'x', 'yes')]),
    ['graph.edges.1.branch'],
  ],
  ['a wait without its branch', graph([trigger, wait, exit], [edge('t', 'w'), edge('w', 'x', 'yes')]), ['graph.edges.1.branch']],
  [
    'a webhook without its branch',
    graph(
      [trigger, { id: 'w', type: 'webhook', config: { url: 'https://example.com/', method: 'POST' } }, exit],
      [edge('t', 'w'), edge('w', 'x', 'ok')],
    ),
    ['graph.edges.1.branch'],
  ],
  ['something behind an exit', graph([trigger, exit, delay('a')], [edge('t', 'x'), edge('x', 'a')]), ['graph.edges.1.from']],
  ['an exit leading back', graph([trigger, delay('a'), exit], [edge('t', 'a'), edge('a', 'x'), edge('x', 'a')]), ['graph.edges.2.from']],
  [
    'two cases of one name',
    behind(choice('email', { branch: 'a', operator: 'exists' }, { branch: 'a', operator: 'notExists' })),
    ['graph.nodes.1.config.cases.1.branch'],
  ],
  ['a case called default', behind(choice('email', { branch: 'default', operator: 'exists' })), ['graph.nodes.1.config.cases.0.branch']],
  [
    'two parts of one name',
    behind(split({ branch: 'a', weight: 1 }, { branch: 'b', weight: 1 }, { branch: 'a', weight: 1 })),
    ['graph.nodes.1.config.branches.2.branch'],
  ],
  [
    'a part without weight',
    behind(split({ branch: 'a', weight: 0 }, { branch: 'b', weight: 1 })),
    ['graph.nodes.1.config.branches.0.weight'],
  ],
  [
    'weights past all numbers',
    behind(split({ branch: 'a', weight: 1e308 }, { branch: 'b', weight: 1e308 })),
    ['graph.nodes.1.config.branches'],
  ],
  ['an unknown field', behind(condition('nonsense')), ['graph.nodes.1.config.conditions.groups.0.filters.0.field']],
  [
    'an operator of another field',
    behind(condition('subscribed', 'contains')),
    ['graph.nodes.1.config.conditions.groups.0.filters.0.operator'],
  ],
  [
    'a value of the wrong type',
    behind(condition('subscribed', 'equals', 'yes')),
    ['graph.nodes.1.config.conditions.groups.0.filters.0.value'],
  ],
  [
    "a fault in the trigger's filter",
    graph(
      [
        {
          id: 't',
          type: 'trigger',
          config: { filter: { logic: 'and', groups: [{ filters: [{ field: 'nonsense', operator: 'equals', value: 1 }] }] } },
        },
      ],
      [],
    ),
    ['graph.nodes.0.config.filter.groups.0.filters.0.field'],
  ],
  [
    "a switch's unknown field, with any cases",
    behind(choice('nonsense', { branch: 'a', operator: 'exists' }, { branch: 'b', operator: 'exists' })),
    ['graph.nodes.1.config.field'],
  ],
  [
    "a case's operator and another one's value",
    behind(choice('data.n', { branch: 'a', operator: 'near', value: 1 }, { branch: 'b', operator: 'greaterThan', value: 'x' })),
    ['graph.nodes.1.config.cases.0.operator', 'graph.nodes.1.config.cases.1.value'],
  ],
  [
    'a case that would need a unit of time',
    behind(choice('event.login', { branch: 'a', operator: 'triggeredWithin', value: 3 })),
    ['graph.nodes.1.config.cases.0.operator'],
  ],
])('the check of a graph: %s', (_what, given, paths) => {
  expect(pathsOf(given)).toEqual(paths);
  expect(new Set(checkGraph(given).map(({ code }) => code))).toEqual(new Set(['invalid_graph']));
});

const mail = (id: string): GraphNode => ({
  id,
  type: 'send_email',
  config: { subject: 'S', body: 'B', fromEmail: 'a@b.test', type: 'transactional' },
});
const asksOf = (nodeId: string): GraphNode => ({
  id: 'c',
  type: 'condition',
  config: { conditions: { logic: 'and', groups: [{ filters: [{ field: 'email.opened', operator: 'triggered', nodeId }] }] } },
});
const switchOn = (nodeId: string): GraphNode => ({
  id: 'c',
  type: 'switch',
  config: { field: 'email.opened', nodeId, cases: [{ branch: 'a', operator: 'triggered' }] },
});
const waitOf = (nodeId: unknown, event = 'email.clicked'): GraphNode => ({
  id: 'c',
  type: 'wait_for_event',
  config: { event, filter: { nodeId, first: true } },
});

describe('the node whose message is asked about', () => {
  /** `m` is sent before `c` asks, on one of two ways; `other` on a way beside, `late` after it. */
  const asking = (asks: GraphNode): Graph =>
    graph(
      [trigger, split({ branch: 'a', weight: 1 }, { branch: 'b', weight: 1 }), mail('m'), delay('d'), asks, mail('late'), mail('other')],
      [
        edge('t', 'p'),
        edge('p', 'm', 'a'),
        edge('m', 'd'),
        edge('d', 'c'),
        edge('p', 'other', 'b'),
        edge('c', 'late', { condition: 'yes', switch: 'a', wait_for_event: 'event' }[asks.type as string]),
      ],
    );
  const AT = {
    condition: 'graph.nodes.4.config.conditions.groups.0.filters.0.nodeId',
    switch: 'graph.nodes.4.config.nodeId',
    wait_for_event: 'graph.nodes.4.config.filter.nodeId',
  } as const;

  describe.each([
    ['condition', asksOf],
    ['switch', switchOn],
    ['wait_for_event', waitOf],
  ] as const)('of a %s', (type, asks) => {
    test('is a send_email node on a way to it', () => {
      expect(checkGraph(asking(asks('m')))).toEqual([]);
    });

    test.each([
      ['does not exist', 'gone', 'This node does not exist'],
      ['sends nothing', 'd', 'Must be a send_email node'],
      ['comes after', 'late', 'No path leads from this node to here'],
      ['is on a way beside', 'other', 'No path leads from this node to here'],
      ['is itself', 'c', 'Must be a send_email node'],
    ])('is a fault when it %s', (_what, nodeId, message) => {
      expect(checkGraph(asking(asks(nodeId)))).toEqual([{ path: AT[type], code: 'invalid_graph', message }]);
    });
  });

  test('of a wait is a text, and for other events a path of their data', () => {
    for (const wrong of [5, null, '{{event.node}}']) expect(pathsOf(asking(waitOf(wrong)))).toEqual([AT.wait_for_event]);
    expect(checkGraph(asking(waitOf('gone', 'order.placed')))).toEqual([]);
  });

  test('is never one of the trigger', () => {
    const filter = { logic: 'and', groups: [{ filters: [{ field: 'email.opened', operator: 'triggered', nodeId: 'm' }] }] } as const;
    expect(pathsOf(graph([{ id: 't', type: 'trigger', config: { filter } }, mail('m')], [edge('t', 'm')]))).toEqual([
      'graph.nodes.0.config.filter.groups.0.filters.0.nodeId',
    ]);
  });

  test('is named once for all cases of a switch on another field', () => {
    const cases = ['a', 'b'].map((branch) => ({ branch, operator: 'triggered' }));
    const wrong: GraphNode = { id: 's', type: 'switch', config: { field: 'event.login', nodeId: 'm', cases } };
    expect(pathsOf(graph([trigger, mail('m'), wrong], [edge('t', 'm'), edge('m', 's')]))).toEqual(['graph.nodes.2.config.nodeId']);
  });

  test('is judged within a moment in the largest graph', async () => {
    const asks = Array.from({ length: 190 }, (_, index) => ({ ...asksOf('m'), id: `c${index}` }));
    const edges = asks.flatMap(({ id }, index) => [edge(id, `c${index + 1}`, 'yes'), edge(id, `c${index + 2}`, 'no')]).slice(0, -3);
    const given = graph([trigger, mail('m'), ...asks], [edge('t', 'm'), edge('m', 'c0'), ...edges]);
    expect(await excess(() => expect(checkGraph(given)).toEqual([]))).toBe(0);
  });
});

test('all faults are named at once, under the path that was asked for', () => {
  const given = graph(
    [trigger, condition('nonsense'), delay('far'), split({ branch: 'a', weight: -1 })],
    [edge('t', 'c'), edge('c', 'p'), edge('p', 'gone', 'b')],
  );
  expect(checkGraph(given, 'body.graph').map(({ path }) => path)).toEqual([
    'body.graph.edges.1.branch',
    'body.graph.edges.2.branch',
    'body.graph.edges.2.to',
    'body.graph.nodes.2',
    'body.graph.nodes.3.config.branches.0.weight',
    'body.graph.nodes.1.config.conditions.groups.0.filters.0.field',
  ]);
});

test('the largest graph is judged within a moment', async () => {
  const nodes = [trigger, ...Array.from({ length: 199 }, (_, index) => delay(`d${index}`))];
  const edges = Array.from({ length: 1_000 }, (_, index) => edge(`d${index % 199}`, `d${(index * 7) % 199}`));
  expect(await excess(() => expect(checkGraph(graph(nodes, edges)).length).toBeGreaterThan(200))).toBe(0);
});

test('graphs made at random have no fault, pass the schema unchanged, and have one as soon as an edge leads back', () => {
  fc.assert(
    fc.property(automationGraphs(), (given) => {
      expect(checkGraph(given)).toEqual([]);
      // The types of the rules are what the schema answers.
      const read: Graph = GraphSchema.parse(given);
      expect(read).toEqual(given);
      expect(pathsOf({ ...given, edges: [...given.edges, edge('n0', 'n0')] })).not.toEqual([]);
    }),
    { numRuns: 200, seed: 7 },
  );
});

test('a node other than a message holds a thousand placeholders', () => {
  const call = (count: number): GraphNode => ({
    id: 'w',
    type: 'webhook',
    config: { url: 'https://example.com', method: 'POST', body: Array.from({ length: count }, (_, index) => `{{a}} ${index}`) },
  });
  expect(checkGraph(behind(call(1_000)))).toEqual([]);
  expect(checkGraph(behind(call(1_001)))).toEqual([
    { path: 'graph.nodes.1.config', code: 'invalid_graph', message: expect.stringContaining('1000') },
  ]);
});

test('a fault of a branch names some of the branches', () => {
  const branches = Array.from({ length: 100 }, (_, index) => ({ branch: `branch ${index}`, weight: 1 }));
  const [found] = checkGraph(behind(split(...branches), edge('p', 't', 'x')));
  expect(found?.message).toMatch(/branch 0, .*branch 9, …$/);
});
