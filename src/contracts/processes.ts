import type { ApprovalInput } from './approval';
import type { AutomationNudgeInput, AutomationRunInput } from './automation';
import type { CampaignKey, CampaignSendInput } from './campaign';
import type { CheckoutInput, SubscriptionInput } from './payments';
import type { ContactImportInput, SnoozeInput, OptInInput } from './contacts';
import type { DeferredList, ScheduledMinuteInput } from './waiting-mail';
import type { DomainVerificationInput } from './domain-verification';
import type { ErasureInput, ProjectRemovalInput } from './removals';
import type { FanOutPumpInput } from './fan-out';
import type { TaskQueue } from './task-queues';
import type { WebhookKey, WebhookPumpInput } from './webhook';

/** Search attributes of workflows in Temporal's web UI: ids, never an address. */
export interface SearchValues {
  readonly projectId: string;
  readonly campaignId?: string;
  readonly contactId?: string;
  readonly automationId?: string;
  readonly domainId?: string;
  readonly webhookId?: string;
  readonly emailIds?: readonly string[];
  /** Contacts that mail goes to, of a workflow that is for several. */
  readonly recipientIds?: readonly string[];
  /** ISO 8601 instant at which it has something to do next. */
  readonly due?: string;
}

interface Wanted<Workflow extends string, Input> {
  readonly kind: 'start';
  readonly workflowId: string;
  readonly workflow: Workflow;
  readonly input: Input;
  /** One line for people. */
  readonly summary: string;
  readonly attributes: SearchValues;
  /** May be wanted again before it is carried out. */
  readonly again?: true;
  /** Until its documents say that it is over, a sweep ensures that it runs: Temporal may lose it, and documents may be restored to before its end. */
  readonly lasts?: true;
  /** Given to it once it runs, and to one that runs already, so that none is missed by one that is about to end. */
  readonly signal?: string;
  /** Given only to one that runs already, with the input that is wanted. Such an intent may be wanted again before it is carried out. */
  readonly orSignal?: string;
  /** Repeats go to Temporal within half a second, not within five. */
  readonly urgent?: true;
  /** Delay of its first task; a signal does not bring it forward. */
  readonly afterMs?: number;
  /** Its task queue; default `orchestration`. */
  readonly queue?: TaskQueue;
  /** Distinguishes this intent from others for the same workflow, where each is kept until it is carried out. */
  readonly cause?: string;
}

/** A workflow that is wanted. One that begins a second time finds in its documents how far the first one came. */
export type StartIntent =
  | Wanted<'scheduledSend', ScheduledMinuteInput>
  | Wanted<'deferredMail', DeferredList>
  | Wanted<'contactImport', ContactImportInput>
  | Wanted<'campaignSend', CampaignSendInput>
  | Wanted<'campaignSeries', CampaignKey>
  | Wanted<'campaignRemoval', CampaignKey>
  | Wanted<'automationRun', AutomationRunInput>
  | Wanted<'automationNudge', AutomationNudgeInput>
  | Wanted<'domainVerification', DomainVerificationInput>
  | Wanted<'snooze', SnoozeInput>
  | Wanted<'subscription', SubscriptionInput>
  | Wanted<'checkout', CheckoutInput>
  | Wanted<'erasure', ErasureInput>
  | Wanted<'approval', ApprovalInput>
  | Wanted<'optIn', OptInInput>
  | Wanted<'projectRemoval', ProjectRemovalInput>
  | Wanted<'webhookRemoval', WebhookKey>
  | Wanted<'webhookRetry', WebhookKey>;

/** Something that a running workflow is to learn; when none runs, of no effect unless `orStart` says what to start. Workflows know a repeated one by `id`. */
export interface SignalIntent {
  readonly kind: 'signal';
  readonly workflowId: string;
  readonly signal: string;
  readonly id: string;
  readonly input?: unknown;
  /** May be wanted again, under the same id, before it is carried out. */
  readonly repeatable?: true;
  /** Started when no such workflow runs: Temporal may have lost it. */
  readonly orStart?: StartIntent;
}

export type Intent = StartIntent | SignalIntent;

/** The port through which the core starts and wakes workflows. Each call is idempotent; a failure is mended by a sweep. */
export interface Processes {
  /** Wakes the delivery pump of the shard, which looks for due mail. */
  wakeDelivery(shard: number): Promise<void>;
  /** Wakes the fan-out pump of the shard, which looks for events. */
  wakeFanOut(shard: FanOutPumpInput['shard']): Promise<void>;
  /** Wakes the webhook pump of the shard, which looks for due deliveries. */
  wakeWebhooks(shard: WebhookPumpInput['shard']): Promise<void>;
  /** Starts the process of a transport's ramp unless it runs. */
  startRamp(transport: string): Promise<void>;
  /** Starts the workflow unless one of its id runs: that it ran before says nothing of what documents say now. */
  start(intent: StartIntent): Promise<void>;
  /** Starts the workflow unless one of its id runs, and has it carry out an update. Rejects when that is not done `withinMs`; it may still be done later. */
  ask(intent: StartIntent, update: string, withinMs: number): Promise<void>;

  /** Reads which messages that wait for another attempt are named by workflows. */
  deferredLists(): Promise<readonly DeferredList[]>;
  /** Ends all workflows of a project that run but for those that remove it or something of it. Resolves to how many are left that it ended or waits for. */
  endAllOf(projectId: string): Promise<number>;
  /** Finds the workflows of a type that were terminated or cancelled, failed or timed out since an instant. */
  endedEarly(workflow: StartIntent['workflow'], since: Date): Promise<readonly string[]>;
  /** Signals the workflow; a workflow that has ended needs no signal. */
  signal(intent: SignalIntent): Promise<void>;
}
