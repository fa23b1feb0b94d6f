import type { LimitDetail } from '../person-limits';
import type { RefusalDetail } from '../refusal';
import type { DigestItem } from './digest';
import type { Duration } from './duration';
import type { NodeType, StoredTree } from './graph';
import type { Finish, Input, StepClosed } from './machine';
import type { InlineMessage, StoredMessage } from './nodes/send-email';
import type { ContactUpdate } from './nodes/on-contact';
import type { WebhookCall } from './nodes/webhook';

type Data = Readonly<Record<string, unknown>>;

export interface RehearsedEvent {
  readonly name: string;
  readonly data: Data;
  readonly at: Date;
}

/** A message that would have been sent. */
export interface RehearsedEmail {
  readonly nodeId: string;
  /** When it goes out: later than its node where it waits. */
  readonly at: Date;
  /** The reason for which it waits until then, if it waits. */
  readonly waitsFor?: 'window' | 'frequency_cap';
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Why it would not have been sent. */
  readonly skipped?: string;
  readonly detail?: RefusalDetail | LimitDetail | undefined;
}

/** The data that conditions and templates can use at a moment of a rehearsal. The ports define `Contact`. */
export interface World<Contact> {
  readonly now: Date;
  readonly contact: Contact;
  /** Data of the triggering event. */
  readonly trigger: Data;
  /** The events that a digest has gathered. */
  readonly items?: readonly DigestItem[];
  /** All that has happened so far, in order: the triggering event, the script's and those that the automation emitted. */
  readonly events: readonly RehearsedEvent[];
  readonly emails: readonly RehearsedEmail[];
  readonly segmentIds: ReadonlySet<string>;
}

type Eventual<T> = T | Promise<T>;
type RehearsedMessage = Pick<RehearsedEmail, 'at' | 'waitsFor' | 'subject' | 'html' | 'text' | 'skipped' | 'detail'>;

/** The questions of a rehearsal to its host; none of them has an effect outside. */
export interface RehearsalPorts<Contact> {
  /** Returns whether a tree holds whose values may have placeholders. */
  holds(tree: StoredTree, world: World<Contact>): Eventual<boolean>;
  /** Replaces the placeholders in the texts of values that are compared. */
  fill(values: Data, world: World<Contact>): Eventual<Data>;
  /** Renders a message; one that can never be sent is `failed`. */
  render(message: StoredMessage | InlineMessage, world: World<Contact>): Eventual<RehearsedMessage | { readonly failed: string }>;
  update(change: ContactUpdate, world: World<Contact>): Eventual<Contact>;
  call(
    node: { readonly id: string; readonly config: WebhookCall },
    world: World<Contact>,
  ): Eventual<Omit<Extract<Input, { kind: 'webhookAnswered' }>, 'kind'>>;
}

export interface RehearsalOptions<Contact> {
  /** Decides what `split` chooses. */
  readonly executionId: string;
  readonly startsAt: Date;
  readonly contact: Contact;
  readonly segmentIds?: readonly string[];
  readonly trigger?: { readonly name: string; readonly data: Data };
  /** Events during the rehearsal; `after` counts from the start. */
  readonly events?: readonly { readonly name: string; readonly data?: Data; readonly after: Duration }[];
  /** Nothing is carried out after this instant. */
  readonly until?: Date;
}

export interface RehearsedStep {
  readonly nodeId: string;
  readonly type: NodeType;
  readonly status: StepClosed['status'] | 'waiting';
  readonly at: Date;
  readonly branch: string | null;
  readonly output: StepClosed['output'];
  readonly error: string | null;
}

/** The way of a contact through a graph, with what would have happened. */
export interface Rehearsal {
  readonly path: readonly RehearsedStep[];
  readonly emails: readonly RehearsedEmail[];
  /** `waiting`: `until` came first. `filter_not_matched`: the trigger's filter keeps this contact out. */
  readonly status: Finish['status'] | 'waiting' | 'filter_not_matched';
  readonly reason: string | null;
  readonly error: string | null;
  readonly endedAt: Date;
}
