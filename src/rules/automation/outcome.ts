import { DEFAULT_BRANCH } from './graph';
import type { Input, State, StepClosed } from './machine';
import type { OutlineNode } from './outline';

type Outcome = Partial<Pick<StepClosed, 'status' | 'branch' | 'output' | 'error'>>;

/** Returns how a node ends by what came of its effect. Throws when the input answers another question. */
export function outcomeOf(node: OutlineNode, state: State, input: Input): Outcome {
  const outcome = judge(node, state, input);
  if (!outcome) throw new Error(`${input.kind} is no answer to the ${node.type} node ${node.id}`);
  return outcome;
}

function judge(node: OutlineNode, state: State, input: Input): Outcome | null {
  switch (node.type) {
    case 'delay':
      return ofDelay(state, input);
    case 'wait_for_event':
      return ofWait(input);
    case 'condition':
      return input.kind === 'answered' ? { branch: input.value ? 'yes' : 'no' } : null;
    case 'switch':
      return input.kind === 'switched' ? { branch: branchOfCase(node, input.index) } : null;
    case 'webhook':
      return ofWebhook(input);
    default:
      return ofAct(input);
  }
}

const ofDelay = (state: State, input: Input): Outcome | null =>
  input.kind === 'woke' && state.phase === 'sleeping' ? { output: { until: state.until } } : null;

function ofWait(input: Input): Outcome | null {
  if (input.kind === 'eventArrived') return { branch: 'event', output: { eventId: input.eventId } };
  return input.kind === 'timedOut' ? { branch: 'timeout' } : null;
}

function branchOfCase({ id, config }: Extract<OutlineNode, { type: 'switch' }>, index: number | null): string {
  if (index === null) return DEFAULT_BRANCH;
  const chosen = config.cases[index];
  if (!chosen) throw new Error(`The switch ${id} has no case ${index}`);
  return chosen.branch;
}

/** A call that failed is an outcome, not the end: the step is completed and shows the error. */
function ofWebhook(input: Input): Outcome | null {
  if (input.kind !== 'webhookAnswered') return null;
  const { ok, status, body, error } = input;
  return { branch: ok ? 'success' : 'failure', output: { status, body }, error };
}

function ofAct(input: Input): Outcome | null {
  if (input.kind === 'skipped') return { status: 'skipped', output: { skipped: input.reason } };
  return input.kind === 'done' ? { output: input.output } : null;
}
