import { canHappen } from '../../system-events';
import { spanMilliseconds } from '../delay';
import { fault } from '../fault';
import { eventMatches, awaitedBy, senderOf } from '../match-event';
import type { AskingNode } from '../node';
import type { RehearsedEvent } from '../rehearsal';
import { advanceTo, worldOf } from '../stage';
import type { Span } from './delay';

export interface WaitConfig {
  readonly event: string;
  readonly filter?: Readonly<Record<string, unknown>> | undefined;
  readonly timeout?: Span | undefined;
}

type Kept = Pick<WaitConfig, 'event' | 'timeout'>;

/** Events received from now on count; those that do not fit the node's filter are not handed in. */
interface WaitEffect {
  readonly kind: 'registerWait';
  readonly nodeId: string;
  readonly event: string;
  readonly timeoutMilliseconds: number;
}

const LONGEST_WAIT = { amount: 365, unit: 'days' } as const;

/** Waits for something to happen, for a time. */
export const waitForEvent: AskingNode<WaitConfig, WaitEffect, Kept> = {
  waits: true,
  branches: () => ['event', 'timeout'],
  configFaults: ({ event }, path) => (canHappen(event) ? [] : [fault(`${path}.event`, 'No system event has this name')]),
  references: ({ event }) => ({ listensTo: [event] }),
  nodesAsked(config, path) {
    const { nodeId } = awaitedBy(config);
    return nodeId === null ? [] : [{ nodeId, path: `${path}.filter.nodeId` }];
  },
  rendered: ({ filter }) => ({ filter }),
  outline: ({ event, timeout }) => ({ event, ...(timeout && { timeout }) }),
  effect: ({ id, config: { event, timeout } }) => ({
    kind: 'registerWait',
    nodeId: id,
    event,
    timeoutMilliseconds: spanMilliseconds(timeout ?? LONGEST_WAIT),
  }),
  outcome(_node, _state, input) {
    if (input.kind === 'eventArrived') return { branch: 'event', output: { eventId: input.eventId } };
    return input.kind === 'timedOut' ? { branch: 'timeout' } : null;
  },
  async rehearse(stage, { config }, { timeoutMilliseconds }) {
    const awaited = awaitedBy(config);
    const filter = awaited.filter && (await stage.ports.fill(awaited.filter, worldOf(stage)));
    const deadline = new Date(stage.now.getTime() + timeoutMilliseconds);
    const isInTime = ({ at }: RehearsedEvent): boolean => at >= stage.now && at <= deadline;
    const fits = (event: RehearsedEvent): boolean =>
      event.name === config.event &&
      (awaited.nodeId === null || senderOf(event, stage.emails) === awaited.nodeId) &&
      eventMatches(filter, event.data);
    const index = stage.script.findIndex((event, at) => at >= stage.delivered && isInTime(event) && fits(event));
    const event = stage.script[index];
    if (!advanceTo(stage, event?.at ?? deadline)) return null;
    if (!event) return { kind: 'timedOut' };
    stage.delivered = Math.max(stage.delivered, index + 1);
    return { kind: 'eventArrived', eventId: event.eventId };
  },
};
