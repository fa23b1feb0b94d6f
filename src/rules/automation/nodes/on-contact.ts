import { DONE, doneOrSkipped } from '../node';
import type { Act, ActingNode } from '../node';
import { worldOf } from '../stage';

export interface ContactUpdate {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly subscribed?: boolean | undefined;
}

/** Changes the contact. */
export const updateContact: ActingNode<ContactUpdate, Act<'updateContact'>> = {
  fieldsChanged: ({ data }) => Object.keys(data ?? {}),
  rendered: (config) => config,
  effect: ({ id }) => ({ kind: 'updateContact', nodeId: id }),
  outcome: (_node, _state, input) => doneOrSkipped(input),
  async rehearse(stage, { config }) {
    stage.contact = await stage.ports.update(config, worldOf(stage));
    return DONE;
  },
  act: (host, config) => host.update(config),
};

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
