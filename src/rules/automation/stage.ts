import { delayUntil } from './delay';
import { addDuration } from './duration';
import { caseTrees } from './filters';
import type { Graph, NodeOf, NodeType } from './graph';
import type { Effect, Input } from './machine';
import { eventMatches } from './match-event';
import type { RehearsalOptions, RehearsalPorts, RehearsedEmail, RehearsedEvent, World } from './rehearsal';

interface ScriptedEvent extends RehearsedEvent {
  readonly eventId: string;
}

/** The world of one rehearsal, as far as it has come. */
export interface Stage<Contact> {
  readonly graph: Graph;
  readonly ports: RehearsalPorts<Contact>;
  readonly until: Date | undefined;
  readonly trigger: World<Contact>['trigger'];
  /** In the order of their instants. */
  readonly script: readonly ScriptedEvent[];
  readonly emitted: RehearsedEvent[];
  readonly emails: RehearsedEmail[];
  readonly segmentIds: Set<string>;
  /** How many events of the script are past, or were taken by a wait. */
  delivered: number;
  contact: Contact;
  now: Date;
}

export function setStage<Contact>(graph: Graph, ports: RehearsalPorts<Contact>, options: RehearsalOptions<Contact>): Stage<Contact> {
  const { startsAt, trigger, events = [], segmentIds = [], contact, until } = options;
  const script = events.map(({ name, data = {}, after }, index) => ({
    eventId: `script_${index}`,
    name,
    data,
    at: addDuration(startsAt, after),
  }));
  return {
    graph,
    ports,
    until,
    contact,
    trigger: trigger?.data ?? {},
    script: script.sort(byInstant),
    emitted: trigger ? [{ ...trigger, at: startsAt }] : [],
    emails: [],
    segmentIds: new Set(segmentIds),
    delivered: 0,
    now: startsAt,
  };
}

const byInstant = (a: RehearsedEvent, b: RehearsedEvent): number => a.at.getTime() - b.at.getTime();

export function worldOf<Contact>({ now, contact, trigger, script, emitted, emails, segmentIds }: Stage<Contact>): World<Contact> {
  const past = script.filter(({ at }) => at <= now).map(({ name, data, at }) => ({ name, data, at }));
  return { now, contact, trigger, events: [...emitted, ...past].sort(byInstant), emails: [...emails], segmentIds: new Set(segmentIds) };
}

type Deed = Exclude<Effect, { kind: 'finish' }>;

/** Plays an effect and returns its result; null when that would come after `until`. */
export function perform<Contact>(stage: Stage<Contact>, effect: Deed): Promise<Input | null> | Input | null {
  switch (effect.kind) {
    case 'computeDelay':
      return { kind: 'delayComputed', until: delayUntil(effect.delay, stage.now).toISOString() };
    case 'sleepUntil':
      return passTo(stage, new Date(effect.until)) ? { kind: 'woke' } : null;
    case 'registerWait':
      return waitFor(stage, nodeAt(stage, effect.nodeId, 'wait_for_event'), effect.timeoutMilliseconds);
    default:
      return ACTS[effect.kind](stage, effect.nodeId);
  }
}

/** Moves the clock, never backwards; false when that would pass the end. */
function passTo<Contact>(stage: Stage<Contact>, at: Date): boolean {
  if (stage.until && at > stage.until) return false;
  if (at > stage.now) stage.now = at;
  while ((stage.script[stage.delivered]?.at ?? stage.now) < stage.now) stage.delivered += 1;
  return true;
}

function waitFor<Contact>(stage: Stage<Contact>, { config }: NodeOf<'wait_for_event'>, timeoutMilliseconds: number): Input | null {
  const deadline = new Date(stage.now.getTime() + timeoutMilliseconds);
  const index = stage.script.findIndex(
    ({ name, data, at }, place) =>
      place >= stage.delivered && at >= stage.now && at <= deadline && name === config.event && eventMatches(config.filter, data),
  );
  const event = stage.script[index];
  if (!passTo(stage, event?.at ?? deadline)) return null;
  if (!event) return { kind: 'timedOut' };
  stage.delivered = Math.max(stage.delivered, index + 1);
  return { kind: 'eventArrived', eventId: event.eventId };
}

type Act = <Contact>(stage: Stage<Contact>, nodeId: string) => Promise<Input> | Input;

const DONE: Input = { kind: 'done', output: null };

const ACTS: Readonly<Record<Exclude<Deed['kind'], 'computeDelay' | 'sleepUntil' | 'registerWait'>, Act>> = {
  sendEmail: async (stage, nodeId) => {
    const message = await stage.ports.render(nodeAt(stage, nodeId, 'send_email').config, worldOf(stage));
    if ('failed' in message) return { kind: 'failed', error: message.failed };
    stage.emails.push({ nodeId, at: stage.now, ...message });
    return message.skipped === undefined ? DONE : { kind: 'skipped', reason: message.skipped };
  },
  askCondition: async (stage, nodeId) => {
    const { conditions } = nodeAt(stage, nodeId, 'condition').config;
    return { kind: 'answered', value: await stage.ports.holds(conditions, worldOf(stage)) };
  },
  askSwitch: async (stage, nodeId) => {
    for (const [index, tree] of caseTrees(nodeAt(stage, nodeId, 'switch')).entries()) {
      if (await stage.ports.holds(tree, worldOf(stage))) return { kind: 'switched', index };
    }
    return { kind: 'switched', index: null };
  },
  updateContact: async (stage, nodeId) => {
    stage.contact = await stage.ports.update(nodeAt(stage, nodeId, 'update_contact').config, worldOf(stage));
    return DONE;
  },
  addToSegment: (stage, nodeId) => {
    stage.segmentIds.add(nodeAt(stage, nodeId, 'add_to_segment').config.segmentId);
    return DONE;
  },
  removeFromSegment: (stage, nodeId) => {
    stage.segmentIds.delete(nodeAt(stage, nodeId, 'remove_from_segment').config.segmentId);
    return DONE;
  },
  emitEvent: (stage, nodeId) => {
    const { name, data = {} } = nodeAt(stage, nodeId, 'emit_event').config;
    stage.emitted.push({ name, data, at: stage.now });
    return DONE;
  },
  callWebhook: async (stage, nodeId) => ({
    kind: 'webhookAnswered',
    ...(await stage.ports.call(nodeAt(stage, nodeId, 'webhook'), worldOf(stage))),
  }),
};

function nodeAt<T extends NodeType>({ graph }: { readonly graph: Graph }, nodeId: string, type: T): NodeOf<T> {
  const node = graph.nodes.find(({ id }) => id === nodeId);
  if (node?.type !== type) throw new Error(`The graph has no ${type} node ${nodeId}`);
  return node as NodeOf<T>;
}
