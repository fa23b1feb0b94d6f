import { spanMilliseconds } from '../delay';
import type { Input } from '../machine';
import type { AskingNode } from '../node';
import { purePath } from '../placeholders';
import { advanceTo, worldOf } from '../stage';
import type { Stage } from '../stage';
import type { Span } from './delay';

type Data = Readonly<Record<string, unknown>>;

export interface DigestConfig {
  /** The time in which it gathers, from the first event on. */
  readonly window: Span;
  /** A placeholder's path, `event.thread`: events with different values there are gathered apart. */
  readonly key?: string | undefined;
  /** It gathers no more than this, and continues. */
  readonly max: number;
}

/** Asks for the end of the gathering. Its window and its items are in the execution's document. */
interface GatherEffect {
  readonly kind: 'gather';
  readonly nodeId: string;
}

/** Gathers the events that would each have started an execution, and continues once with all of them. */
export const digest: AskingNode<DigestConfig, GatherEffect> = {
  waits: true,
  effect: ({ id }) => ({ kind: 'gather', nodeId: id }),
  outcome: (_node, _state, input) => (input.kind === 'gathered' ? { output: { items: input.items } } : null),
  rehearse: (stage, { config }) => gather(stage, config),
};

async function gather<Contact>(stage: Stage<Contact>, config: DigestConfig): Promise<Input | null> {
  const until = new Date(stage.now.getTime() + spanMilliseconds(config.window));
  const name = stage.emitted[0]?.name ?? '';
  const key = keyIn(config, stage.trigger);
  const items = [{ name, data: stage.trigger, at: stage.now }];
  const alike = stage.script.filter((event) => event.at <= until && event.name === name && keyIn(config, event.data) === key);
  for (const event of alike) {
    if (items.length === config.max) break;
    if (!advanceTo(stage, event.at)) return null;
    if (!(await entersBy(stage, event.data))) continue;
    items.push(event);
    stage.delivered = Math.max(stage.delivered, stage.script.indexOf(event) + 1);
  }
  if (items.length < config.max && !advanceTo(stage, until)) return null;
  stage.items = items.map((item) => ({ name: item.name, data: item.data, at: item.at.toISOString() }));
  return { kind: 'gathered', items: items.length };
}

/** Resolves to whether the trigger's filter holds for an event. */
const entersBy = <Contact>(stage: Stage<Contact>, data: Data): Promise<boolean> | boolean =>
  stage.filter === undefined || stage.ports.holds(stage.filter, { ...worldOf(stage), trigger: data });

/** Returns the text that is the same for events that are gathered together. */
export function keyIn({ key }: Pick<DigestConfig, 'key'>, event: Data): string {
  const path = key === undefined ? [] : (purePath(`{{${key}}}`) ?? []);
  return JSON.stringify([key ?? null, path.length > 0 ? (path.reduce<unknown>(memberOf, { event }) ?? null) : null]);
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Data)[name] : undefined;
