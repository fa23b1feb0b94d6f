import { orNull } from '../or-null';
import { isNamedByContact } from '../rules/campaign-mail-ids';
import type { Email, Recipient } from './model';

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

/** Of a new message they are zero. */
type Counted = 'attempts' | 'opens' | 'clicks';

/** A message as it is stored, or is to be made: nulls and empty lists are left out, which halves what the database and this process do for it. */
export type EmailRow = Omit<Email, Unsaid | Counted | 'to'> & { readonly [K in Unsaid | Counted | 'to']?: Email[K] | undefined } & {
  readonly recipient?: Recipient | undefined;
};

const NOTHING = [] as const;

/**
 * A message with all its members. Made in one literal, so that the engine knows them all by one shape: copying members over one another cost it ten times
 * as much for each message.
 */
export const toEmail = (row: EmailRow): Email => ({
  _id: row._id,
  projectId: row.projectId,
  shard: row.shard,
  priority: row.priority,
  status: row.status,
  source: row.source,
  type: row.type,
  testMode: row.testMode,
  to: row.to ?? row.recipient?.to ?? '',
  toName: orNull(row.toName),
  fromEmail: row.fromEmail,
  fromName: orNull(row.fromName),
  trackingHost: row.trackingHost,
  bounceDomain: row.bounceDomain,
  replyTo: orNull(row.replyTo),
  headers: orNull(row.headers),
  subject: row.subject,
  contactId: orNull(row.recipient ? row.recipient.contactId : row.contactId),
  templateId: orNull(row.templateId),
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
  sentAt: orNull(row.sentAt),
  deliveredAt: orNull(row.deliveredAt),
  openedAt: orNull(row.openedAt),
  clickedAt: orNull(row.clickedAt),
  bouncedAt: orNull(row.bouncedAt),
  complainedAt: orNull(row.complainedAt),
  unsubscribedAt: row.unsubscribedAt,
  opens: row.opens ?? 0,
  clicks: row.clicks ?? 0,
  bounceType: orNull(row.bounceType),
  error: orNull(row.error),
  providerMessageId: orNull(row.providerMessageId),
  erased: row.erased,
});

export function toRow(email: Email): EmailRow {
  const row: Record<string, unknown> = {};
  for (const name in email) {
    const value = email[name as keyof Email];
    if (value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)) row[name] = value;
  }
  const { _id, campaignId, contactId, to } = email;
  if (campaignId !== null && contactId !== null && isNamedByContact(_id, campaignId, contactId)) {
    row['recipient'] = { to, contactId };
    delete row['to'];
    delete row['contactId'];
  }
  return row as unknown as EmailRow;
}
