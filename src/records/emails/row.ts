import type { Document, FindOptions } from 'mongodb';
import { orNull } from '../../platform/core';
import { isNamedByContact } from '../../rules/campaign-mail-ids';
import { EmailModel } from './model';
import type { Email } from './model';
import type { Recipient } from './parts';

/** Members that a stored row leaves out when there is nothing to say. */
type Unsaid =
  | 'toName'
  | 'fromName'
  | 'replyTo'
  | 'headers'
  | 'contactId'
  | 'templateId'
  | 'campaignId'
  | 'workflowId'
  | 'contentId'
  | 'inline'
  | 'attachments'
  | 'charge'
  | 'scheduledFor'
  | 'sentAt'
  | 'deliveredAt'
  | 'openedAt'
  | 'clickedAt'
  | 'bouncedAt'
  | 'complainedAt'
  | 'bounceType'
  | 'error'
  | 'providerMessageId';

/** Zero for a new message. */
type Counted = 'attempts' | 'opens' | 'clicks';

/** A message as it is stored, or is to be made: nulls and empty lists are left out, which halves what the database and this process do for it. */
export type EmailRow = Omit<Email, Unsaid | Counted | 'to'> & { readonly [K in Unsaid | Counted | 'to']?: Email[K] | undefined } & {
  readonly recipient?: Recipient | undefined;
};

const NOTHING = [] as const;

/**
 * Returns a message with all its members. One literal creates it, so that the engine knows them all by one shape: copying members over
 * one another cost it ten times as much for each message.
 */
// oxlint-disable-next-line max-lines-per-function -- a line for each member
export const toEmail = (row: EmailRow): Email => ({
  _id: row._id,
  projectId: row.projectId,
  shard: row.shard,
  priority: row.priority,
  status: row.status,
  source: row.source,
  type: row.type,
  testMode: row.testMode,
  isTrial: row.isTrial,
  to: row.to ?? row.recipient?.to ?? '',
  toName: orNull(row.toName),
  fromEmail: row.fromEmail,
  fromName: orNull(row.fromName),
  trackingHost: row.trackingHost,
  bounceDomain: row.bounceDomain,
  trace: row.trace,
  replyTo: orNull(row.replyTo),
  replyToName: row.replyToName,
  headers: orNull(row.headers),
  subject: row.subject,
  contactId: orNull(row.recipient ? row.recipient.contactId : row.contactId),
  templateId: orNull(row.templateId),
  topic: row.topic,
  tags: row.tags,
  copied: row.copied,
  limits: row.limits,
  untracked: row.untracked,
  campaignId: orNull(row.campaignId),
  workflowId: orNull(row.workflowId),
  nodeId: row.nodeId,
  depth: row.depth,
  contentId: orNull(row.contentId),
  inline: orNull(row.inline),
  values: row.values,
  attachments: row.attachments ?? NOTHING,
  charge: orNull(row.charge),
  messageId: row.messageId,
  createdAt: row.createdAt,
  scheduledFor: orNull(row.scheduledFor),
  dueAt: row.dueAt,
  attempts: row.attempts ?? 0,
  attempt: row.attempt,
  transport: row.transport,
  sentAt: orNull(row.sentAt),
  deliveredAt: orNull(row.deliveredAt),
  openedAt: orNull(row.openedAt),
  clickedAt: orNull(row.clickedAt),
  bouncedAt: orNull(row.bouncedAt),
  complainedAt: orNull(row.complainedAt),
  unsubscribedAt: row.unsubscribedAt,
  proxiedAt: row.proxiedAt,
  scannedAt: row.scannedAt,
  opens: row.opens ?? 0,
  clicks: row.clicks ?? 0,
  bounceType: orNull(row.bounceType),
  error: orNull(row.error),
  providerMessageId: orNull(row.providerMessageId),
  received: row.received,
  erased: row.erased,
  content: row.content,
});

/** Leaves out members that no list shows and that can be large. */
export const HEAVY = { inline: 0, values: 0 } as const;

/** Returns the projection of some members. */
export const projectionOf = (members: readonly string[]): Readonly<Record<string, 1>> =>
  Object.fromEntries(members.map((name) => [name, 1 as const]));

/** Finds messages by a filter of their rows. */
export const findMail = async (filter: Document, options: FindOptions = {}): Promise<Email[]> =>
  (await EmailModel.collection.find<EmailRow>(filter, options).toArray()).map(toEmail);

const said = <T>(value: T | null): T | undefined => value ?? undefined;
const saidList = <T>(list: readonly T[] | null): readonly T[] | undefined => (list && list.length > 0 ? list : undefined);

/** Every member, so that none is forgotten. */
type WholeRow = { readonly [K in keyof Required<Omit<EmailRow, 'recipient'>>]: EmailRow[K] };

// oxlint-disable-next-line max-lines-per-function -- a line for each member
const wholeRow = (email: Email, isNamed: boolean): WholeRow => ({
  _id: email._id,
  projectId: email.projectId,
  shard: email.shard,
  priority: email.priority,
  status: email.status,
  source: email.source,
  type: email.type,
  testMode: email.testMode,
  isTrial: email.isTrial,
  to: isNamed ? undefined : email.to,
  toName: said(email.toName),
  fromEmail: email.fromEmail,
  fromName: said(email.fromName),
  trackingHost: email.trackingHost,
  bounceDomain: email.bounceDomain,
  trace: email.trace,
  replyTo: said(email.replyTo),
  replyToName: email.replyToName,
  headers: saidList(email.headers),
  subject: email.subject,
  contactId: isNamed ? undefined : said(email.contactId),
  templateId: said(email.templateId),
  topic: email.topic,
  tags: email.tags,
  copied: email.copied,
  limits: email.limits,
  untracked: email.untracked,
  campaignId: said(email.campaignId),
  workflowId: said(email.workflowId),
  nodeId: email.nodeId,
  depth: email.depth,
  contentId: said(email.contentId),
  inline: said(email.inline),
  values: email.values,
  attachments: saidList(email.attachments),
  charge: said(email.charge),
  messageId: email.messageId,
  createdAt: email.createdAt,
  scheduledFor: said(email.scheduledFor),
  dueAt: email.dueAt,
  attempts: email.attempts,
  attempt: email.attempt,
  transport: email.transport,
  sentAt: said(email.sentAt),
  deliveredAt: said(email.deliveredAt),
  openedAt: said(email.openedAt),
  clickedAt: said(email.clickedAt),
  bouncedAt: said(email.bouncedAt),
  complainedAt: said(email.complainedAt),
  unsubscribedAt: email.unsubscribedAt,
  proxiedAt: email.proxiedAt,
  scannedAt: email.scannedAt,
  opens: email.opens,
  clicks: email.clicks,
  bounceType: said(email.bounceType),
  error: said(email.error),
  providerMessageId: said(email.providerMessageId),
  received: email.received,
  erased: email.erased,
  content: email.content,
});

/** Returns a message for the database, with its changes since: undefined members are not stored. In one literal, as above. */
export function toRow(email: Email, change: Partial<Email> = NO_CHANGE): EmailRow {
  const recipient = recipientOf(email);
  const row: Record<string, unknown> = wholeRow(email, recipient !== undefined);
  for (const name in change) row[name] = change[name as keyof Email] ?? undefined;
  row['recipient'] = recipient;
  return row as unknown as EmailRow;
}

const NO_CHANGE: Partial<Email> = {};

// A campaign's message that is named by its contact is found by its id: its recipient is in a member without an index.
function recipientOf({ _id, campaignId, contactId, to }: Email): Recipient | undefined {
  const isNamed = campaignId !== null && contactId !== null && isNamedByContact(_id, campaignId, contactId);
  return isNamed ? { to, contactId } : undefined;
}
