import { Schema } from 'mongoose';
import { model, rowSchema } from '../../platform/mongo';
import type { MailTopic } from '../../rules/topics';
import { HOLDS } from '../../rules/email-events';
import { TRACKED } from '../../contracts/tracking';
import type { Tracked } from '../../contracts/tracking';
import type { RowEvents } from './history';
import type { AttachmentRef, Attempt, Copied, InlineContent, MailLimits, MailTransport, ReceivedFacts, Recipient } from './parts';
import {
  AGE_INDEX,
  CAMPAIGN_INDEX,
  CONTACT_INDEX,
  COPIES_INDEX,
  DEFERRED_INDEX,
  DUE_INDEX,
  HISTORY_INDEX,
  INBOUND_INDEXES,
  LATE_INDEX,
  OPEN_INDEX,
  OUTCOME_INDEX,
  REPLY_INDEX,
  TAG_INDEX,
  TO_INDEX,
  TROUBLES,
  TROUBLE_INDEX,
  WAITING_INDEXES,
  WIRE_INDEX,
  WORKFLOW_INDEX,
} from './indexes';

export const EMAIL_STATUSES = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'failed',
  'received',
  'cancelled',
] as const;
export const EMAIL_SOURCES = ['transactional', 'campaign', 'workflow', 'inbound'] as const;
export const EMAIL_TYPES = ['transactional', 'marketing'] as const;
export const BOUNCE_TYPES = ['hard', 'soft', 'block'] as const;
/**
 * Which of a project's messages goes first when several are due: campaigns and automations wait behind its other mail. Scheduled mail is no pump's until the
 * workflow of its minute releases it.
 */
export const PRIORITY_OF = { transactional: 0, bulk: 1, scheduled: 2 } as const;
/** Priorities that pumps search for. */
export const DUE_PRIORITIES: readonly number[] = [PRIORITY_OF.transactional, PRIORITY_OF.bulk];

export type EmailStatus = (typeof EMAIL_STATUSES)[number];
export type EmailSource = (typeof EMAIL_SOURCES)[number];
export type EmailType = (typeof EMAIL_TYPES)[number];
export type BounceType = (typeof BOUNCE_TYPES)[number];

/** One message to one recipient: the row of the ledger that delivery moves through its states by compare-and-set. */
export interface Email {
  readonly _id: string;
  readonly projectId: string;
  readonly shard: number;
  /** One of `PRIORITY_OF`. */
  readonly priority: number;
  readonly status: EmailStatus;
  readonly source: EmailSource;
  readonly type: EmailType;
  readonly testMode: boolean;
  /** True of a message by which its author tries out a content: an opt-out does not stop it. */
  readonly isTrial?: boolean | undefined;
  readonly to: string;
  readonly toName: string | null;
  readonly fromEmail: string;
  readonly fromName: string | null;
  /** Hosts of the sender's own, where they were verified at the acceptance; else its links and its envelope name the platform's. */
  readonly trackingHost?: string | undefined;
  readonly bounceDomain?: string | undefined;
  readonly replyTo: string | null;
  readonly replyToName?: string | undefined;
  /** Custom headers, in the order given. */
  readonly headers: readonly (readonly [string, string])[] | null;
  /** Rendered. */
  readonly subject: string;
  readonly contactId: string | null;
  readonly templateId: string | null;
  /** The topic of marketing mail, and the default by which its recipient was checked; absent where it has none. */
  readonly topic?: MailTopic | undefined;
  readonly copied?: Copied | undefined;
  /** Absent where no limit holds for it. */
  readonly limits?: MailLimits | undefined;
  /** The kinds of activity that are not tracked; absent if opens and clicks are. */
  readonly untracked?: readonly Tracked[] | undefined;
  /** The sender's tags, each as `name:value`. Campaign mail has none. */
  readonly tags?: readonly string[] | undefined;
  readonly campaignId: string | null;
  readonly workflowId: string | null;
  /** For an automation's message: the node that sends it, and the number of automations that led to it. */
  readonly nodeId?: string | undefined;
  readonly depth?: number | undefined;
  /** One of `contentId` (shared, in `contents`) and `inline` is set. */
  readonly contentId: string | null;
  readonly inline: InlineContent | null;
  /** JSON text of the placeholder values that the content reads. */
  readonly values: string;
  readonly attachments: readonly AttachmentRef[];
  /** The charge and its month; given back on cancel. */
  readonly charge: { readonly month: string; readonly credits: number } | null;
  /** With angle brackets; the same for every attempt. */
  readonly messageId: string;
  readonly createdAt: Date;
  readonly scheduledFor: Date | null;
  /** When the message is to go out; only while it is queued. */
  readonly dueAt?: Date | undefined;
  readonly attempts: number;
  readonly attempt?: Attempt | undefined;
  readonly transport?: MailTransport | undefined;
  readonly sentAt: Date | null;
  readonly deliveredAt: Date | null;
  readonly openedAt: Date | null;
  readonly clickedAt: Date | null;
  readonly bouncedAt: Date | null;
  readonly complainedAt: Date | null;
  /** When the recipient opted out through this message for the first time. */
  readonly unsubscribedAt?: Date | undefined;
  /** When a proxy first loaded its images ahead of a reader. */
  readonly proxiedAt?: Date | undefined;
  /** When another machine first opened it, or followed one of its links. */
  readonly scannedAt?: Date | undefined;
  readonly opens: number;
  readonly clicks: number;
  readonly bounceType: BounceType | null;
  readonly error: string | null;
  readonly providerMessageId: string | null;
  /** Absent of mail of ours. */
  readonly received?: ReceivedFacts | undefined;
  /** The trace of its acceptance (a W3C traceparent); only while tracing is on. */
  readonly trace?: string | undefined;
  /** The person it went to was erased: `to` is a hash, and nothing is left of what it said. */
  readonly erased?: true | undefined;
  /** `passing`: its sender wants nothing kept of what it says once it is over; `gone`: what it said is not kept any longer. */
  readonly content?: 'passing' | 'gone' | undefined;
}

const date = { type: Date };
const text = { type: String };

const emailSchema = rowSchema<Email & RowEvents & { readonly recipient?: Recipient; readonly contentCheckAt?: Date }>({
  _id: { type: String, required: true },
  projectId: { type: String, required: true },
  shard: { type: Number, required: true },
  priority: { type: Number, default: 0 },
  status: { type: String, enum: EMAIL_STATUSES, required: true },
  source: { type: String, enum: EMAIL_SOURCES, required: true },
  type: { type: String, enum: EMAIL_TYPES, required: true },
  testMode: { type: Boolean, default: false },
  isTrial: { type: Boolean },
  to: text,
  recipient: { type: Schema.Types.Mixed },
  toName: text,
  fromEmail: { type: String, required: true },
  fromName: text,
  trackingHost: { type: String },
  bounceDomain: { type: String },
  trace: { type: String },
  replyTo: text,
  replyToName: { type: String },
  headers: { type: [[String]], default: undefined },
  subject: { type: String, default: '' },
  contactId: text,
  templateId: text,
  topic: { type: Schema.Types.Mixed },
  tags: { type: [String], default: undefined },
  copied: { type: Schema.Types.Mixed },
  limits: { type: Schema.Types.Mixed },
  untracked: { type: [String], enum: TRACKED, default: undefined },
  campaignId: text,
  workflowId: text,
  nodeId: text,
  depth: { type: Number },
  contentId: text,
  inline: { type: Schema.Types.Mixed },
  values: { type: String, default: '{}' },
  attachments: { type: [Schema.Types.Mixed], default: undefined },
  charge: { type: Schema.Types.Mixed },
  messageId: { type: String, required: true },
  createdAt: { type: Date, required: true },
  scheduledFor: date,
  dueAt: { type: Date },
  attempts: { type: Number, default: 0 },
  attempt: { type: Schema.Types.Mixed },
  transport: { type: Schema.Types.Mixed },
  sentAt: date,
  deliveredAt: date,
  openedAt: date,
  clickedAt: date,
  bouncedAt: date,
  complainedAt: date,
  unsubscribedAt: date,
  proxiedAt: date,
  scannedAt: date,
  opens: { type: Number, default: 0 },
  clicks: { type: Number, default: 0 },
  bounceType: { type: String, enum: BOUNCE_TYPES },
  error: text,
  providerMessageId: text,
  holdsQueued: { type: String, enum: ['at_once', 'late'] },
  holds: { type: String, enum: HOLDS['email.sent'] },
  response: { type: String },
  recordedAt: date,
  received: { type: Schema.Types.Mixed },
  erased: { type: Boolean },
  content: { type: String, enum: ['passing', 'gone'] },
  contentCheckAt: { type: Date },
});
emailSchema.index(AGE_INDEX); // list a project's e-mails, newest first
emailSchema.index(TROUBLE_INDEX, { partialFilterExpression: { status: { $in: [...TROUBLES] } } }); // the same, of a status that few have
emailSchema.index({ projectId: 1, to: 1, createdAt: -1, _id: -1 }, { name: TO_INDEX, partialFilterExpression: { to: { $gt: '' } } }); // what went to an address, but for campaign mail, whose `_id` names the recipient
emailSchema.index(CONTACT_INDEX, { partialFilterExpression: { contactId: { $gt: '' } } }); // a contact's e-mails, but for campaign mail, whose `_id` names the recipient
const HAPPENED = ['openedAt', 'clickedAt', 'bouncedAt', 'complainedAt'].map((at) => ({ [at]: { $exists: true } }));
emailSchema.index(OUTCOME_INDEX, { partialFilterExpression: { 'recipient.contactId': { $gt: '' }, $or: HAPPENED } }); // conditions: a contact's campaign mail with an outcome; mail that only arrived has no entry, so that sending makes none
emailSchema.index(CAMPAIGN_INDEX, { partialFilterExpression: { campaignId: { $gt: '' } } }); // a campaign's e-mails
emailSchema.index(OPEN_INDEX, { partialFilterExpression: { status: { $in: ['queued', 'failed'] }, campaignId: { $gt: '' } } }); // how many messages of a campaign failed, or wait for another attempt
emailSchema.index(WORKFLOW_INDEX, { partialFilterExpression: { workflowId: { $gt: '' } } }); // an automation's e-mails
emailSchema.index({ 'copied.people': 1 }, { name: COPIES_INDEX, partialFilterExpression: { 'copied.people': { $gt: '' } } }); // erasure: mail to others that names a person
emailSchema.index(REPLY_INDEX, { partialFilterExpression: { replyTo: { $gt: '' }, source: { $in: ['transactional', 'inbound'] } } }); // erasure: single mail whose answers go to a person
emailSchema.index(TAG_INDEX, { partialFilterExpression: { tags: { $gt: '' } } }); // what has a tag: mail without tags, as that of campaigns is, has no entry
const SCHEDULED = { status: 'queued', scheduledFor: { $gt: new Date(0) } } as const;
emailSchema.index({ projectId: 1, scheduledFor: 1, _id: 1 }, { partialFilterExpression: SCHEDULED }); // what waits for its time, soonest first
emailSchema.index(WAITING_INDEXES.contactId, { partialFilterExpression: { ...SCHEDULED, contactId: { $gt: '' } } }); // the same, of a contact
emailSchema.index(WAITING_INDEXES.workflowId, { partialFilterExpression: { ...SCHEDULED, workflowId: { $gt: '' } } }); // the same, of an automation
emailSchema.index(DUE_INDEX, { partialFilterExpression: { dueAt: { $exists: true } } }); // the pump: what is due, project by project, and when the next message is
emailSchema.index(DEFERRED_INDEX, { partialFilterExpression: { status: 'queued', attempts: { $gt: 0 } } }); // sweep: what waits for another attempt, soonest first; holds all that is asked
const ONLY_INBOUND = { partialFilterExpression: { source: 'inbound' } } as const;
emailSchema.index(INBOUND_INDEXES.all, ONLY_INBOUND); // mail that came in, newest first
emailSchema.index(INBOUND_INDEXES.to, ONLY_INBOUND); // the same, to an address
emailSchema.index(INBOUND_INDEXES.fromEmail, ONLY_INBOUND); // the same, from an address
emailSchema.index(HISTORY_INDEX, { partialFilterExpression: { holds: { $exists: true } } }); // events that rows hold: lists, series, what was recorded since the last tally
emailSchema.index(LATE_INDEX, { partialFilterExpression: { recordedAt: { $exists: true } } }); // the same tally, of what was recorded late
emailSchema.index(WIRE_INDEX, { partialFilterExpression: { status: 'sending' } }); // what a lost worker had on the wire

emailSchema.index({ projectId: 1, contentCheckAt: 1 }, { partialFilterExpression: { contentCheckAt: { $exists: true } } }); // retention: what was not over when others of its age lost their contents, with the time to check again

export const EmailModel = model<Email>('Email', emailSchema, 'emails');
