import type { StoredTree } from '../graph';
import type { ActingNode, AskingNode, PassingNode } from '../node';
import { addToSegment, removeFromSegment } from './segments';
import type { AddToSegment, RemoveFromSegment } from './segments';
import { condition } from './condition';
import type { ConditionConfig } from './condition';
import { delay } from './delay';
import type { DelayConfig } from './delay';
import { digest } from './digest';
import type { DigestConfig } from './digest';
import { emitEvent, updateContact } from './on-contact';
import type { EmitEvent, ContactUpdate } from './on-contact';
import { exit, trigger } from './trigger-and-exit';
import type { ExitConfig, TriggerConfig } from './trigger-and-exit';
import { sendEmail } from './send-email';
import type { InlineMessage, StoredMessage } from './send-email';
import { split } from './split';
import type { SplitConfig } from './split';
import { switchNode } from './switch';
import type { SwitchConfig } from './switch';
import { waitForEvent } from './wait-for-event';
import type { WaitConfig } from './wait-for-event';
import { webhook } from './webhook';
import type { WebhookCall } from './webhook';

/** The configuration of each type of node (docs/automations.md). */
export interface NodeConfigs {
  readonly trigger: TriggerConfig;
  readonly send_email: StoredMessage | InlineMessage;
  readonly delay: DelayConfig;
  readonly digest: DigestConfig;
  readonly wait_for_event: WaitConfig;
  readonly condition: ConditionConfig;
  readonly switch: SwitchConfig;
  readonly split: SplitConfig;
  readonly update_contact: ContactUpdate;
  readonly add_to_segment: AddToSegment;
  readonly remove_from_segment: RemoveFromSegment;
  readonly emit_event: EmitEvent;
  readonly webhook: WebhookCall;
  readonly exit: ExitConfig;
}

export type NodeType = keyof NodeConfigs;

/** Types that a real execution carries out in a way of its own: in `advance.ts` and `webhook-node.ts` of `src/marketing/automations`. */
type CarriedOutApart = 'delay' | 'digest' | 'wait_for_event' | 'webhook';

/** A type that asks and is not carried out apart says how it acts. */
type Asking<T extends NodeType> = T extends CarriedOutApart ? AskingNode<NodeConfigs[T]> : ActingNode<NodeConfigs[T]>;

const NODES = {
  trigger,
  send_email: sendEmail,
  delay,
  digest,
  wait_for_event: waitForEvent,
  condition,
  switch: switchNode,
  split,
  update_contact: updateContact,
  add_to_segment: addToSegment,
  remove_from_segment: removeFromSegment,
  emit_event: emitEvent,
  webhook,
  exit,
} satisfies { readonly [T in NodeType]: PassingNode<NodeConfigs[T]> | Asking<T> };

type Nodes = typeof NODES;
type AskingType = { readonly [T in NodeType]: Nodes[T] extends { readonly effect: unknown } ? T : never }[NodeType];

/** All effects that nodes need. */
export type NodeEffect = ReturnType<Nodes[AskingType]['effect']>;

type Rules = PassingNode | AskingNode<unknown, NodeEffect> | ActingNode<unknown, NodeEffect>;

/** Returns the rules of a node's type. */
export const rulesOf = ({ type }: { readonly type: NodeType }): Rules => NODES[type];

/**
 * The operations of nodes in a real execution, for its contact; the counterpart of `RehearsalPorts`. `Done` is the host's result, within
 * the transaction of the step or before it.
 */
export interface LiveHost<Done> {
  send(message: StoredMessage | InlineMessage): Promise<Done>;
  /** Resolves to whether each tree holds. */
  holds(trees: readonly StoredTree[]): Promise<readonly boolean[]>;
  update(change: ContactUpdate): Done;
  addToSegment(segmentId: string): Promise<Done>;
  removeFromSegment(segmentId: string): Promise<Done>;
  emit(name: string, data: Readonly<Record<string, unknown>>): Done;
}
