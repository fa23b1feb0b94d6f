import type { Bodies, Email } from '../../../src/records/emails';
import { emailSummary } from '../../../src/records/emails';
import { resendMailbox } from '../../../src/rules/resend-names';
import type { Group } from '../kit/groups';

/** Events of a message, the furthest last. */
const EVENTS = [
  'scheduled',
  'queued',
  'delivery_delayed',
  'failed',
  'canceled',
  'sent',
  'bounced',
  'delivered',
  'opened',
  'clicked',
  'complained',
] as const;

type LastEvent = (typeof EVENTS)[number];

const BY_STATUS: Readonly<Record<Email['status'], LastEvent>> = {
  queued: 'queued',
  sending: 'queued',
  sent: 'sent',
  delivered: 'delivered',
  opened: 'opened',
  clicked: 'clicked',
  bounced: 'bounced',
  complained: 'complained',
  failed: 'failed',
  received: 'delivered',
  cancelled: 'canceled',
};

function eventOf({ status, attempts, scheduledFor }: Email): LastEvent {
  if (status !== 'queued') return BY_STATUS[status];
  if (attempts > 0) return 'delivery_delayed';
  return scheduledFor && scheduledFor.getTime() > Date.now() ? 'scheduled' : 'queued';
}

const lastEventOf = (copies: readonly Email[]): LastEvent =>
  copies.map(eventOf).reduce((furthest, event) => (EVENTS.indexOf(event) > EVENTS.indexOf(furthest) ? event : furthest));

const addressesOf = (list: readonly { readonly address: string; readonly name: string | null }[]): readonly string[] =>
  list.map(({ address, name }) => resendMailbox(address, name));

const orNone = (list: readonly string[]): readonly string[] | null => (list.length > 0 ? list : null);

function recipientsOf({ first, copies }: Group) {
  const { copied, to, toName } = first;
  if (!copied) return { to: [resendMailbox(to, toName)], cc: null, bcc: null };
  const hidden = copies.filter((copy) => copy.copied?.as === 'bcc').map((copy) => copy.to);
  return { to: addressesOf(copied.to), cc: orNone(addressesOf(copied.cc)), bcc: orNone(hidden) };
}

/** Shows a message in a list. */
export function rowView(group: Group) {
  const { first, copies } = group;
  return {
    id: first._id,
    ...recipientsOf(group),
    from: resendMailbox(first.fromEmail, first.fromName),
    created_at: first.createdAt.toISOString(),
    subject: emailSummary(first).subject,
    reply_to: first.replyTo === null ? null : [resendMailbox(first.replyTo, first.replyToName ?? null)],
    message_id: first.messageId,
    last_event: lastEventOf(copies),
    scheduled_at: first.scheduledFor?.toISOString() ?? null,
  };
}

/** Shows a message; `bodies` is null where the key may not read them. */
export function emailView(group: Group, bodies: Bodies | null) {
  const { tags, topicId } = emailSummary(group.first);
  return {
    object: 'email' as const,
    ...rowView(group),
    html: bodies?.html ?? null,
    text: bodies?.text ?? null,
    topic_id: topicId ?? null,
    ...(tags && { tags }),
  };
}
