import fc from 'fast-check';
import { branchesOf } from '../../../src/rules/automation/graph';
import type { Edge, Graph, GraphNode, NodeConfigs, NodeType } from '../../../src/rules/automation/graph';

type Draft = { readonly [T in NodeType]: { readonly type: T; readonly config: NodeConfigs[T] } }[NodeType];

const PLANS = ['free', 'pro', 'team'];
const plan = fc.constantFrom(...PLANS);
const is = (value: string) => ({ logic: 'and' as const, groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value }] }] });
const branchNames = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'A branch, with a comma'), { minLength: 1, maxLength: 3 });
const span = fc.record({ amount: fc.integer({ min: 1, max: 9 }), unit: fc.constantFrom('minutes', 'hours', 'days', 'weeks') });
const eventName = fc.constantFrom('order.placed', 'page/viewed', 'reply');

const of = <T extends NodeType>(type: T, config: fc.Arbitrary<NodeConfigs[T]>) => config.map((value) => ({ type, config: value }) as Draft);

/** Nodes whose meaning depends on nothing but the contact's `data.plan`, the events and the time. */
const drafts: fc.Arbitrary<Draft> = fc.oneof(
  of(
    'send_email',
    fc.record({
      subject: fc.constant('Hello {{firstName}}'),
      body: fc.constant('<p>{{data.plan}}</p>'),
      fromEmail: fc.constant('news@hello.test'),
      type: fc.constantFrom('marketing', 'transactional'),
    }),
  ),
  of('delay', span),
  of('delay', fc.record({ time: fc.constantFrom('02:30', '09:00'), timezone: fc.constantFrom('UTC', 'Europe/Berlin') })),
  of('wait_for_event', fc.record({ event: eventName, timeout: span }, { requiredKeys: ['event'] })),
  of('wait_for_event', fc.record({ event: eventName, filter: plan.map((value) => ({ plan: value })), timeout: span })),
  of('condition', fc.record({ conditions: plan.map(is) })),
  of(
    'switch',
    fc.record({
      field: fc.constant('data.plan'),
      cases: branchNames.chain((names) => fc.tuple(...names.map((branch) => plan.map((value) => ({ branch, operator: 'equals', value }))))),
    }),
  ),
  of(
    'split',
    fc.record({
      branches: branchNames.chain((names) =>
        fc.tuple(...names.map((branch) => fc.integer({ min: 1, max: 9 }).map((weight) => ({ branch, weight })))),
      ),
    }),
  ),
  of('update_contact', fc.record({ data: plan.map((value) => ({ plan: value })) })),
  of('emit_event', fc.record({ name: eventName, data: plan.map((value) => ({ plan: value })) })),
  of('exit', fc.record({ reason: fc.constantFrom('bought', 'left') }, { requiredKeys: [] })),
);

interface Outcome {
  readonly from: number;
  readonly branch: string | null;
}

const outcomesOf = (node: GraphNode, from: number): readonly Outcome[] => {
  if (node.type === 'exit') return [];
  const branches = branchesOf(node);
  return branches.length === 0 ? [{ from, branch: null }] : branches.map((branch) => ({ from, branch }));
};

/** Hangs each node on an outcome that is still free, then leads some of those left over to later nodes. */
function assemble(parts: readonly Draft[], choices: readonly number[]): Graph {
  const nodes: GraphNode[] = [];
  const edges: Edge[] = [];
  const free: Outcome[] = [];
  let drawn = 0;
  const choose = (below: number): number => (choices[drawn++ % choices.length] ?? 0) % below;
  const connect = ({ from, branch }: Outcome, to: number): void => {
    edges.push({ from: `n${from}`, to: `n${to}`, ...(branch !== null && { branch }) });
  };
  for (const part of [{ type: 'trigger', config: {} } as const, ...parts]) {
    if (nodes.length > 0 && free.length === 0) break;
    const index = nodes.length;
    const node = { id: `n${index}`, ...part };
    if (index > 0) free.splice(choose(free.length), 1).forEach((outcome) => connect(outcome, index));
    nodes.push(node);
    free.push(...outcomesOf(node, index));
  }
  for (const outcome of free) {
    const later = nodes.length - 1 - outcome.from;
    if (later > 0 && choose(3) > 0) connect(outcome, outcome.from + 1 + choose(later));
  }
  return { nodes, edges };
}

/** Graphs without faults: branches that join again, branches without an edge, every kind of node that needs nothing stored. */
export const automationGraphs = (maxNodes = 14): fc.Arbitrary<Graph> =>
  fc
    .tuple(fc.array(drafts, { maxLength: maxNodes - 1 }), fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }))
    .map(([parts, choices]) => assemble(parts, choices));

/** A script of events for a rehearsal: names that the graphs know, within some weeks. */
export const scripts = fc.array(
  fc.record({
    name: eventName,
    data: plan.map((value) => ({ plan: value })),
    after: fc.integer({ min: 1, max: 60 * 24 * 60 }).map((minutes) => ({ months: 0, milliseconds: minutes * 60_000 })),
  }),
  { maxLength: 12 },
);
