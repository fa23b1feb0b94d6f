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
