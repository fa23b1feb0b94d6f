import type { Edge, Graph, GraphNode } from '../../../../src/rules/automation/graph';
import { start, transitionFor, outlineOf } from '../../../../src/rules/automation/interpreter';
import type { Effect, Input, StepRecord, Transition } from '../../../../src/rules/automation/machine';
import { chooseBranch } from '../../../../src/rules/automation/nodes/split';

const EXECUTION = 'exe_1';
const UNTIL = '2026-11-22T09:00:00.000Z';

/** The trigger, the node `n`, and an exit behind the branches given; an exit's reason is the branch that led there. */
function around(node: GraphNode, branches: readonly (string | undefined)[]): Graph {
  const exits = branches.map((branch): GraphNode => ({ id: `x_${branch ?? ''}`, type: 'exit', config: { reason: branch ?? 'on' } }));
  const edges = branches.map((branch): Edge => ({ from: node.id, to: `x_${branch ?? ''}`, ...(branch !== undefined && { branch }) }));
  return { nodes: [{ id: 't', type: 'trigger', config: {} }, node, ...exits], edges: [{ from: 't', to: node.id }, ...edges] };
}

const tree = { logic: 'and' as const, groups: [] };
const inline = { subject: 'S', body: 'B', fromEmail: 'a@b.test', type: 'marketing' as const };
const done = (output: Record<string, unknown> | null = null): Input => ({ kind: 'done', output });
const webhook: GraphNode = { id: 'n', type: 'webhook', config: { url: 'https://example.com/', method: 'POST' } };
const wait: GraphNode = { id: 'n', type: 'wait_for_event', config: { event: 'order.placed', timeout: { amount: 2, unit: 'hours' } } };
const delay: GraphNode = { id: 'n', type: 'delay', config: { amount: 1, unit: 'days' } };
const digest: GraphNode = { id: 'n', type: 'digest', config: { window: { amount: 1, unit: 'hours' }, max: 100 } };
const send: GraphNode = { id: 'n', type: 'send_email', config: inline };
const condition: GraphNode = { id: 'n', type: 'condition', config: { conditions: tree } };
const choice: GraphNode = {
  id: 'n',
  type: 'switch',
  config: { field: 'email', cases: ['a', 'b'].map((branch) => ({ branch, operator: 'exists' })) },
};

/** Follows the inputs; answers the last turn and all records. */
function run(graph: Graph, inputs: readonly Input[]): { readonly turn: Transition; readonly records: readonly StepRecord[] } {
  let turn = start(graph, EXECUTION);
  const records = [...turn.records];
  for (const input of inputs) {
    turn = transitionFor(graph, turn.state, input);
    records.push(...turn.records);
  }
  return { turn, records };
}

const opened = (nodeId: string, type: string, status = 'running') => ({ kind: 'open', nodeId, type, status });
const closed = (nodeId: string, type: string, rest = {}) => ({
  kind: 'close',
  nodeId,
  type,
  status: 'completed',
  branch: null,
  output: null,
  error: null,
  ...rest,
});

type Case = readonly [string, GraphNode, Effect, readonly Input[], string | undefined, object];

const webhookAnswer = (ok: boolean, status: number | null, error: string | null): Input => {
  return { kind: 'webhookAnswered', ok, status, body: status === null ? null : 'B', error };
};

const cases: readonly Case[] = [
  ['a send', send, { kind: 'sendEmail', nodeId: 'n' }, [done({ emailId: 'em_1' })], undefined, { output: { emailId: 'em_1' } }],
  [
    'a send that is skipped',
    send,
    { kind: 'sendEmail', nodeId: 'n' },
    [{ kind: 'skipped', reason: 'unsubscribed' }],
    undefined,
    { status: 'skipped', output: { skipped: 'unsubscribed' } },
  ],
  ['a condition that holds', condition, { kind: 'askCondition', nodeId: 'n' }, [{ kind: 'answered', value: true }], 'yes', {}],
  ['a condition that does not', condition, { kind: 'askCondition', nodeId: 'n' }, [{ kind: 'answered', value: false }], 'no', {}],
  ['a switch', choice, { kind: 'askSwitch', nodeId: 'n' }, [{ kind: 'switched', index: 1 }], 'b', {}],
  ['a switch without a match', choice, { kind: 'askSwitch', nodeId: 'n' }, [{ kind: 'switched', index: null }], 'default', {}],
  [
    'an event',
    wait,
    { kind: 'registerWait', nodeId: 'n', event: 'order.placed', timeoutMilliseconds: 7_200_000 },
    [{ kind: 'eventArrived', eventId: 'evt_1' }],
    'event',
    { output: { eventId: 'evt_1' } },
  ],
  [
    'no event',
    wait,
    { kind: 'registerWait', nodeId: 'n', event: 'order.placed', timeoutMilliseconds: 7_200_000 },
    [{ kind: 'timedOut' }],
    'timeout',
    {},
  ],
  [
    'a wait without a timeout',
    { ...wait, config: { event: 'e' } },
    { kind: 'registerWait', nodeId: 'n', event: 'e', timeoutMilliseconds: 365 * 86_400_000 },
    [{ kind: 'timedOut' }],
    'timeout',
    {},
  ],
  [
    'a delay',
    delay,
    { kind: 'computeDelay', nodeId: 'n', delay: { amount: 1, unit: 'days' } },
    [{ kind: 'delayComputed', until: UNTIL }, { kind: 'woke' }],
    undefined,
    { output: { until: UNTIL } },
  ],
  [
    'a call that succeeds',
    webhook,
    { kind: 'callWebhook', nodeId: 'n' },
    [webhookAnswer(true, 200, null)],
    'success',
    { output: { status: 200, body: 'B' } },
  ],
  [
    'a call that fails',
    webhook,
    { kind: 'callWebhook', nodeId: 'n' },
    [webhookAnswer(false, null, 'timed out')],
    'failure',
    { output: { status: null, body: null }, error: 'timed out' },
  ],
  ['a changed contact', { id: 'n', type: 'update_contact', config: {} }, { kind: 'updateContact', nodeId: 'n' }, [done()], undefined, {}],
  [
    'a segment joined',
    { id: 'n', type: 'add_to_segment', config: { segmentId: 's' } },
    { kind: 'addToSegment', nodeId: 'n' },
    [done()],
    undefined,
    {},
  ],
  [
    'a segment left',
    { id: 'n', type: 'remove_from_segment', config: { segmentId: 's' } },
    { kind: 'removeFromSegment', nodeId: 'n' },
    [done()],
    undefined,
    {},
  ],
  ['a digest', digest, { kind: 'gather', nodeId: 'n' }, [{ kind: 'gathered', items: 3 }], undefined, { output: { items: 3 } }],
  [
    'an event emitted',
    { id: 'n', type: 'emit_event', config: { name: 'e' } },
    { kind: 'emitEvent', nodeId: 'n' },
    [done({ eventId: 'evt_2' })],
    undefined,
    { output: { eventId: 'evt_2' } },
  ],
];

describe.each(cases)('%s', (_what, node, effect, inputs, branch, result) => {
  const status = ['delay', 'digest', 'wait_for_event'].includes(node.type) ? 'waiting' : 'running';
  const records = [
    opened('t', 'trigger'),
    closed('t', 'trigger'),
    opened('n', node.type, status),
    closed('n', node.type, { branch: branch ?? null, ...result }),
  ];

  test('asks, then takes the edge of its outcome', () => {
    const graph = around(
      node,
      branch === undefined ? [undefined] : ['no', 'timeout', 'failure', 'default', 'event', 'yes', 'success', 'a', 'b'],
    );
    expect(start(graph, EXECUTION).effect).toEqual(effect);
    const { turn, records: found } = run(graph, inputs);
    expect(turn.effect).toEqual({ kind: 'finish', status: 'exited', reason: branch ?? 'on', error: null });
    const exit = `x_${branch ?? ''}`;
    expect(found).toEqual([...records, opened(exit, 'exit'), closed(exit, 'exit')]);
  });

  test('completes the execution where that outcome has no edge', () => {
    const { turn, records: found } = run(around(node, branch === undefined ? [] : ['none of them']), inputs);
    expect(turn.effect).toEqual({ kind: 'finish', status: 'completed', reason: null, error: null });
    expect(found).toEqual(records);
  });

  test('fails for good', () => {
    const { turn, records: found } = run(around(node, [branch]), [{ kind: 'failed', error: 'no such template' }]);
    expect(turn.effect).toEqual({ kind: 'finish', status: 'failed', reason: null, error: 'no such template' });
    expect(found.at(-1)).toEqual(closed('n', node.type, { status: 'failed', error: 'no such template' }));
  });

  test('is cancelled', () => {
    const { turn, records: found } = run(around(node, [branch]), [...inputs.slice(0, -1), { kind: 'cancel', reason: 'contact_deleted' }]);
    expect(turn.effect).toEqual({ kind: 'finish', status: 'cancelled', reason: 'contact_deleted', error: null });
    expect(found.at(-1)).toEqual(closed('n', node.type, { status: 'skipped', output: { skipped: 'cancelled' } }));
  });

  test('takes no answer to another question', () => {
    const others: Input[] = [
      done(),
      { kind: 'skipped', reason: 'r' },
      { kind: 'woke' },
      { kind: 'gathered', items: 1 },
      { kind: 'delayComputed', until: UNTIL },
      { kind: 'eventArrived', eventId: 'e' },
      { kind: 'timedOut' },
      { kind: 'answered', value: true },
      { kind: 'switched', index: 0 },
      webhookAnswer(true, 200, null),
    ];
    const graph = around(node, []);
    const { state } = start(graph, EXECUTION);
    const refusal = (input: Input): string | null => {
      try {
        transitionFor(graph, state, input);
        return null;
      } catch (error) {
        return String(error);
      }
    };
    const refusals = others.map(refusal);
    const taken = others.filter((_input, index) => refusals[index] === null);
    const expected: Partial<Record<GraphNode['type'], string[]>> = {
      delay: ['delayComputed'],
      digest: ['gathered'],
      wait_for_event: ['eventArrived', 'timedOut'],
      condition: ['answered'],
      switch: ['switched'],
      webhook: ['webhookAnswered'],
    };
    for (const text of refusals) expect(text ?? 'is no answer to the').toContain('is no answer to the');
    expect(taken.map(({ kind }) => kind)).toEqual(expected[node.type] ?? ['done', 'skipped']);
  });
});

test('a delay sleeps until the instant that was computed, and no second instant counts', () => {
  const graph = around(delay, []);
  const { turn } = run(graph, [{ kind: 'delayComputed', until: UNTIL }]);
  expect(turn).toEqual({
    state: { phase: 'sleeping', executionId: EXECUTION, nodeId: 'n', until: UNTIL },
    records: [],
    effect: { kind: 'sleepUntil', nodeId: 'n', until: UNTIL },
  });
  expect(() => transitionFor(graph, turn.state, { kind: 'delayComputed', until: UNTIL })).toThrow('delayComputed is no answer');
});

test('a switch takes no case that it does not have', () => {
  expect(() => run(around(choice, []), [{ kind: 'switched', index: 2 }])).toThrow('no case 2');
});

test('triggers, splits and exits are passed in one turn', () => {
  const branches = ['a', 'b'].map((branch) => ({ branch, weight: 1 }));
  const graph = around({ id: 'n', type: 'split', config: { branches } }, ['a', 'b']);
  const chosen = chooseBranch(EXECUTION, 'n', branches);
  const { records, effect } = start(graph, EXECUTION);
  expect(effect).toEqual({ kind: 'finish', status: 'exited', reason: chosen, error: null });
  expect(records).toEqual([
    opened('t', 'trigger'),
    closed('t', 'trigger'),
    opened('n', 'split'),
    closed('n', 'split', { branch: chosen }),
    opened(`x_${chosen}`, 'exit'),
    closed(`x_${chosen}`, 'exit'),
  ]);
});

test('a trigger alone completes, an exit without a reason has none', () => {
  expect(start(outlineOf({ nodes: [{ id: 't', type: 'trigger', config: {} }], edges: [] }), EXECUTION).effect).toMatchObject({
    status: 'completed',
  });
  expect(start(around({ id: 'n', type: 'exit', config: {} }, []), EXECUTION).effect).toMatchObject({ status: 'exited', reason: null });
  expect(() => start({ nodes: [], edges: [] }, EXECUTION)).toThrow('no trigger');
});

test('what is over stays as it ended', () => {
  const graph = around(send, []);
  const { turn } = run(graph, [done()]);
  for (const input of [done(), { kind: 'failed', error: 'e' }, { kind: 'cancel', reason: null }] as const) {
    expect(transitionFor(graph, turn.state, input)).toEqual({ state: turn.state, records: [], effect: turn.effect });
  }
});
