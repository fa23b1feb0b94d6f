import { isLanguageTag } from '../../languages';
import { isTimeZone } from '../../zoned-time';
import { fault } from '../fault';
import { DONE, doneOrSkipped } from '../node';
import type { Act, ActingNode } from '../node';
import { hasPlaceholder } from '../placeholders';
import { worldOf } from '../stage';

export interface ContactUpdate {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly timezone?: string | null | undefined;
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
  readonly subscribed?: boolean | undefined;
}

/** Returns whether a text is empty, made by placeholders, or accepted. */
const mayBe = (text: string | null | undefined, accepts: (text: string) => boolean): boolean =>
  !text || hasPlaceholder(text) || accepts(text);

/** Changes the contact. */
export const updateContact: ActingNode<ContactUpdate, Act<'updateContact'>> = {
  fieldsChanged: ({ data }) => Object.keys(data ?? {}),
  configFaults: ({ locale, timezone }, path) => [
    ...(mayBe(locale, isLanguageTag) ? [] : [fault(`${path}.locale`, 'Not a BCP 47 language tag')]),
    ...(mayBe(timezone, isTimeZone) ? [] : [fault(`${path}.timezone`, 'Not a time zone, such as Europe/Vienna')]),
  ],
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
