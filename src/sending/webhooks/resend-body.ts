import type { ContactShape } from '../../audience/contacts';
import { emailSummary } from '../../records/emails';
import type { Email } from '../../records/emails';
import type { Event } from '../../records/events';
import { resendMailbox, resendName, resendOrigin } from '../../rules/resend-names';
import { MAX_BYTES } from './body';

interface Payload {
  readonly event: Pick<Event, 'name' | 'createdAt' | 'data'> & Partial<Pick<Event, 'contactId'>>;
  readonly email?: Email | null | undefined;
  readonly contact: ContactShape | null;
  /** The id of the message's first copy, where several people see it together. */
  readonly firstId?: string | undefined;
}

type Data = Readonly<Record<string, unknown>>;

function mailData({ email, firstId }: Payload): Data {
  if (!email) return {};
  const { subject, tags } = emailSummary(email);
  return {
    ...(email.campaignId !== null && { broadcast_id: email.campaignId }),
    created_at: email.createdAt.toISOString(),
    email_id: firstId ?? email._id,
    message_id: email.messageId,
    from: resendMailbox(email.fromEmail, email.fromName),
    to: email.copied ? email.copied.to.map(({ address }) => address) : [email.to],
    subject,
    ...(email.templateId !== null && { template_id: email.templateId }),
    ...(tags && { tags: Object.fromEntries(tags.map(({ name, value }) => [name, value])) }),
  };
}

function receivedData({ email }: Payload): Data {
  if (!email) return {};
  return {
    email_id: email._id,
    created_at: email.createdAt.toISOString(),
    from: resendMailbox(email.fromEmail, email.fromName),
    to: [email.to],
    bcc: [],
    cc: [],
    received_for: [email.to],
    message_id: email.messageId,
    subject: email.subject,
    attachments: email.attachments.map(({ filename, contentType, cid }, index) => ({
      id: String(index),
      filename,
      content_type: contentType,
      content_disposition: cid === undefined ? 'attachment' : 'inline',
      content_id: cid ?? null,
    })),
  };
}

const contactData = ({ event, contact }: Payload): Data => ({
  id: contact?.contactId ?? event.contactId ?? null,
  ...(contact && {
    created_at: contact.createdAt,
    updated_at: contact.updatedAt,
    email: contact.email,
    first_name: contact.firstName,
    last_name: contact.lastName,
    unsubscribed: !contact.subscribed,
  }),
});

type Writer = (payload: Payload, data: Data) => Data;

const domainData =
  (status: string): Writer =>
  ({ event }, { domainId, domain }) => ({ id: domainId, name: domain, status, created_at: event.createdAt.toISOString() });

const topicData =
  (subscription: string): Writer =>
  ({ contact }, { topicId }) => ({ email: contact?.email ?? null, topics: [{ id: topicId, subscription }] });

/** The writers of `data`, by the event's name here; `data` has the facts of the event itself. */
const DATA: Readonly<Record<string, Writer>> = {
  'email.bounced': (payload, { reason, bounceType }) => ({
    ...mailData(payload),
    bounce: { message: reason, type: bounceType === 'soft' ? 'Transient' : 'Permanent', subType: bounceType },
  }),
  'email.clicked': (payload, { url, userAgent }) => ({
    ...mailData(payload),
    click: { ipAddress: null, link: url, timestamp: payload.event.createdAt.toISOString(), userAgent: userAgent ?? null },
  }),
  'email.failed': (payload, { reason }) => ({ ...mailData(payload), failed: { reason } }),
  'email.received': receivedData,
  'email.skipped': ({ event, contact }, { reason }) => ({
    created_at: event.createdAt.toISOString(),
    email_id: null,
    to: contact ? [contact.email] : [],
    suppressed: { type: reason, message: 'No message was made for this recipient' },
  }),
  'email.domain_verified': domainData('verified'),
  'email.domain_failed': domainData('failed'),
  'contact.created': contactData,
  'contact.updated': contactData,
  'contact.deleted': contactData,
  'contact.subscribed': contactData,
  'contact.unsubscribed': contactData,
  'contact.topic_subscribed': topicData('opt_in'),
  'contact.topic_unsubscribed': topicData('opt_out'),
  'contact.suppressed': suppressionData,
  'contact.unsuppressed': suppressionData,
};

function suppressionData({ event, contact }: Payload, { suppressionId, reason }: Data): Data {
  return {
    id: suppressionId,
    email: contact?.email ?? null,
    origin: resendOrigin(String(reason)),
    source_id: null,
    created_at: event.createdAt.toISOString(),
  };
}

/** Writes the request body for an event as Resend does: `{type, created_at, data}`, at most 64 KiB. */
export function resendBodyOf(payload: Payload): string {
  const { name, createdAt, data } = payload.event;
  const given: Data = data ?? {};
  const of = Object.hasOwn(DATA, name) ? DATA[name] : undefined;
  const body = { type: resendName(name), created_at: createdAt.toISOString() };
  const text = JSON.stringify({ ...body, data: of ? of(payload, given) : payload.email ? mailData(payload) : given });
  return Buffer.byteLength(text) <= MAX_BYTES ? text : JSON.stringify({ ...body, data: null });
}
