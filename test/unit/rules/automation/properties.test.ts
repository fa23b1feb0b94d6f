import fc from 'fast-check';
import type { GraphNode } from '../../../../src/rules/automation/graph';
import { resume, start, transitionFor, outlineOf } from '../../../../src/rules/automation/interpreter';
import type { Effect, Input, State, Transition } from '../../../../src/rules/automation/machine';
import { automationGraphs } from '../../../support/data/automation-graphs';

const EXECUTION = 'exe_1';

/** Any of the answers that an effect can have. */
function answer(effect: Effect, choice: number): Input {
  switch (effect.kind) {
    case 'computeDelay':
      return { kind: 'delayComputed', until: new Date(choice * 60_000).toISOString() };
    case 'sleepUntil':
      return { kind: 'woke' };
    case 'registerWait':
      return choice % 2 === 0 ? { kind: 'timedOut' } : { kind: 'eventArrived', eventId: `evt_${choice}` };
    case 'askCondition':
      return { kind: 'answered', value: choice % 2 === 0 };
    case 'askSwitch':
      return { kind: 'switched', index: choice % 2 === 0 ? null : 0 };
    case 'callWebhook':
      return { kind: 'webhookAnswered', ok: choice % 2 === 0, status: 200, body: 'B', error: null };
    default:
      return choice % 5 === 0 ? { kind: 'skipped', reason: 'suppressed' } : { kind: 'done', output: { choice } };
  }
}

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Plays a graph to its end; `between` is done to the state before each move. */
function play(graph: Parameters<typeof start>[0], choices: readonly number[], between: (state: State) => State): readonly Transition[] {
  const turns = [start(graph, EXECUTION)];
  for (let turn = turns[0]; turn && turn.effect.kind !== 'finish'; turn = turns.at(-1)) {
    if (turns.length > 1_000) throw new Error('Does not end');
    turns.push(transitionFor(graph, between(turn.state), answer(turn.effect, choices[turns.length % choices.length] ?? 0)));
  }
  return turns;
}

test('any graph ends, visits no node twice, and ends the same from its outline, from stored states and when steps are repeated', () => {
  fc.assert(
    fc.property(automationGraphs(30), fc.array(fc.nat(99), { minLength: 1, maxLength: 20 }), (graph, choices) => {
      const turns = play(graph, choices, (state) => state);
      expect(play(outlineOf(graph), choices, throughJson)).toEqual(turns);
      expect(play(throughJson(graph), choices, (state) => resume(graph, state).state)).toEqual(turns);
      for (const { state, effect } of turns) expect(resume(graph, throughJson(state))).toEqual({ state, records: [], effect });

      const records = turns.flatMap((turn) => turn.records);
      const visited = records.filter(({ kind }) => kind === 'open').map(({ nodeId }) => nodeId);
      expect(new Set(visited).size).toBe(visited.length);
      expect(records.filter(({ kind }) => kind === 'close').map(({ nodeId }) => nodeId)).toEqual(visited);
      const asked = turns.flatMap(({ effect }) => (effect.kind === 'finish' ? [] : [`${effect.kind} ${effect.nodeId}`]));
      expect(new Set(asked).size).toBe(asked.length);
    }),
    { numRuns: 300, seed: 11 },
  );
});

test('an outline holds no content and no conditions', () => {
  const secret = 'not for histories';
  const filters = [{ field: 'email', operator: 'equals', value: secret }];
  const nodes: GraphNode[] = [
    { id: 't', type: 'trigger', name: secret, position: secret, config: { filter: { logic: 'and', groups: [{ filters }] } } },
    { id: 'm', type: 'send_email', config: { subject: 'S', body: secret, fromEmail: 'a@b.test', type: 'marketing' } },
    { id: 'c', type: 'condition', config: { conditions: { logic: 'and', groups: [{ filters }] } } },
    { id: 's', type: 'switch', config: { field: 'email', cases: [{ branch: 'a', operator: 'equals', value: secret }] } },
    { id: 'w', type: 'wait_for_event', config: { event: 'e', filter: { a: secret } } },
    { id: 'h', type: 'webhook', config: { url: 'https://example.com/', method: 'POST', body: secret } },
    { id: 'u', type: 'update_contact', config: { firstName: secret } },
    { id: 'e', type: 'emit_event', config: { name: 'e', data: { secret } } },
  ];
  expect(JSON.stringify(outlineOf({ nodes, edges: [{ id: secret, from: 't', to: 'm' }] }))).not.toContain(secret);
});
