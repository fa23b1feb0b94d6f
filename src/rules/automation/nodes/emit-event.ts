import { DONE, doneOrSkipped } from '../node';
import type { Act, ActingNode } from '../node';

export interface EmitEvent {
  readonly name: string;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** Emits an event, which may start other automations. */
export const emitEvent: ActingNode<EmitEvent, Act<'emitEvent'>> = {
  references: ({ name }) => ({ emits: [name] }),
  effect: ({ id }) => ({ kind: 'emitEvent', nodeId: id }),
  outcome: (_node, _state, input) => doneOrSkipped(input),
  rehearse({ emitted, now }, { config: { name, data = {} } }) {
    emitted.push({ name, data, at: now });
    return DONE;
  },
  act: (host, { name, data = {} }) => host.emit(name, data),
};
