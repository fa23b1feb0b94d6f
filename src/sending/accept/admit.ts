import type { NewContact } from '../../audience/contacts';
import { shardOfMessage } from '../../contracts/delivery';
import { AppError, newId, rateLimited } from '../../platform/core';
import type { Context } from '../../platform/core';
import type { IdempotencyRow } from '../../platform/idempotency';
import { tracing } from '../../platform/tracing';
import { monthOf } from '../../records/billing';
import { TemplateRenderError } from '../../message/template';
import type { Values } from '../../message/template';
import { PRIORITY_OF, contentGoing, messageIdOf, minutesOf, spreadShard, systemValues, toEmail } from '../../records/emails';
import type { Email } from '../../records/emails';
import type { EmailEvent, NewEvent } from '../../records/events';
import { emailEventId } from '../../rules/email-events';
import { personName } from '../../rules/person-name';
import { isSimulated } from '../../rules/simulator';
import { failureOfAll } from './draft';
import type { Decision, Pending, Tally } from './commit';
import { contentFor } from './content';
import { skipReason } from './limits';
import type { Drawn } from './limits';
import { answerAgain } from './requests';
import type {
  BatchEntry,
  CopyResults,
  Draft,
  Entry,
  EntryError,
  PreparedRecipient,
  Recipient,
  SendMessage,
  SendReply,
  SendRequest,
  SendResult,
  Skipped,
} from './types';

/**
 * Decides one request of a group, within the transaction: takes its rate units, then decides on each recipient, and makes the answer. What is to be stored is
 * added to the tally.
 */
export function decide(pending: Pending, tally: Tally, answers: Map<string, IdempotencyRow>): Decision {
  const { ctx, request, units, answerKey } = pending;
  const row = answerKey && answers.get(answerKey.id);
  if (row) return answerAgain(row, answerKey, request, tally.rate.state());
  const refused = failureOfAll(request, pending.drafts);
  if (refused) return { refused };
  if (!tally.rate.take(units)) return { refused: tooFast(tally.rate, units) };
  const emails: Email[] = [];
  const entries = pending.drafts.map((draft) => ('failed' in draft ? draft.failed : admit(ctx, draft.ok, tally, emails)));
  const reply: SendReply = { ...answerOf(request, entries), testMode: ctx.testMode };
  const intents = minutesOf(emails);
  tally.intents.push(...intents);
  if (answerKey && request.idempotency) {
    const stored = {
      _id: answerKey.id,
      fingerprint: request.idempotency.fingerprint,
      answer: answerKey.seal(JSON.stringify(reply)),
      createdAt: tally.now,
    };
    answers.set(answerKey.id, stored);
    tally.answers.push(stored);
  }
  return { accepted: { reply, rate: tally.rate.state(), emails, intents } };
}

/** Returns the refusal of a request that asks for more units than the bucket holds. */
export function tooFast(rate: Drawn, units: number): AppError {
  const seconds = rate.secondsUntil(units);
  return rateLimited(`The project's send rate is used up; ${units} messages fit in ${seconds} s`, rate.state(), seconds);
}

function admit(ctx: Context, draft: Draft, tally: Tally, emails: Email[]): Entry {
  const byAddress = new Map<string, SendResult>();
  for (const recipient of draft.recipients) byAddress.set(recipient.email, admitRecipient(ctx, draft, recipient, tally, emails));
  const resultsOf = (list: readonly Recipient[]) => list.map(({ email }) => byAddress.get(email) as SendResult);
  const { to, cc, bcc } = draft.message;
  return { results: resultsOf(to), ...(cc && { cc: resultsOf(cc) }), ...(bcc && { bcc: resultsOf(bcc) }) };
}

/** Skips a recipient, or makes the ledger's row, its charge and its contact. */
function admitRecipient(ctx: Context, draft: Draft, recipient: PreparedRecipient, tally: Tally, emails: Email[]): SendResult {
  const { email: to, unresolved } = recipient;
  const skipped = skipReason(ctx, recipient, tally.usage, creditsOf(draft.message));
  if (skipped) return skip(ctx, recipient, skipped, tally);
  const rowOf = (due: PreparedRecipient): Email => emailRow(ctx, draft, due, tally.now);
  const email = tally.limits ? tally.limits.admit(draft, recipient, rowOf) : rowOf(recipient);
  if ('skipped' in email) return skip(ctx, recipient, email, tally);
  emails.push(email);
  tally.add(email);
  if (recipient.createsContact) tally.contacts.push({ contact: newContact(ctx, recipient), testMode: ctx.testMode });
  const status = email.scheduledFor ? 'scheduled' : ctx.testMode ? 'sent' : 'queued';
  return { id: email._id, to, status, ...(unresolved.length > 0 && { unresolvedPlaceholders: unresolved }) };
}

function skip(ctx: Context, recipient: PreparedRecipient, skipped: Skipped, tally: Tally): SendResult {
  tally.skips.push(skippedEvent(ctx, recipient, skipped, 'transactional', tally.now));
  return { to: recipient.email, ...skipped };
}

/** Returns the event of a recipient who was skipped. It has the id that the recipient has as a contact, also where there is none. */
export const skippedEvent = (
  { projectId, testMode }: Context,
  { contactId }: PreparedRecipient,
  { skipped: reason, detail }: Skipped,
  source: 'transactional' | 'workflow',
  at: Date,
): NewEvent => ({ projectId, name: 'email.skipped', contactId, data: { source, reason, ...(detail && { detail }) }, testMode, at });

const newContact = (ctx: Context, { contactId, email, name }: PreparedRecipient): NewContact => ({
  _id: contactId,
  projectId: ctx.projectId,
  email,
  ...personName(name),
  subscribed: true,
});

const entryError = ({ code, message, details }: AppError): EntryError => ({ error: { code, message, details } });

const NONE: Entry = { results: [] };

/**
 * Returns the payload's `results`: one entry per recipient for `POST /v1/send`, one per message for a batch, with `cc` and `bcc` next to
 * them. A single send that failed was refused before.
 */
function answerOf(request: SendRequest, entries: readonly (Entry | AppError)[]): Pick<SendReply, 'results'> & CopyResults {
  const [only] = entries;
  if (request.endpoint !== 'batch') return only instanceof AppError ? NONE : (only ?? NONE);
  const results = entries.map((entry, index): BatchEntry => {
    if (entry instanceof AppError) return entryError(entry);
    const { results: toAll, ...copies } = entry;
    const [first] = toAll;
    return request.messages[index]?.toMany || !first ? entry : { ...first, ...copies };
  });
  return { results };
}

/** Returns the credits that one message costs (docs/sending.md, Credits and limits). */
export const creditsOf = ({ attachments, given }: Pick<SendMessage, 'attachments' | 'given'>): number =>
  (given ? given.files : attachments).length > 0 ? 2 : 1;

/** Returns the ledger's row of an accepted message. A test message that is not scheduled counts as sent: it never reaches a transport. */
export function emailRow(ctx: Context, draft: Draft, recipient: PreparedRecipient, now: Date, _id = newId('em', now.getTime())): Email {
  const { message, fromEmail, attachmentRefs: attachments } = draft;
  const { contentId, source, fromName } = contentFor(draft, recipient);
  const { projectId, testMode } = ctx;
  const { status, priority, dueAt, sentAt } = fate(ctx, recipient.email, recipient.sendAt, now);
  const row = toEmail({
    _id,
    projectId,
    shard: recipient.sendAt ? shardOfMessage(_id) : spreadShard(projectId, _id, now),
    priority,
    status,
    source: 'transactional',
    type: draft.type,
    testMode,
    to: recipient.email,
    toName: recipient.name,
    fromEmail,
    fromName,
    trackingHost: draft.hosts.trackingHost,
    bounceDomain: draft.hosts.bounceDomain,
    trace: tracing()?.current(),
    replyTo: message.replyTo,
    headers: message.headers,
    subject: subjectOf(ctx, draft, recipient, { _id, createdAt: now }),
    contactId: recipient.contactExists || recipient.createsContact ? recipient.contactId : null,
    templateId: message.templateId,
    untracked: draft.untracked,
    copied: recipient.copied,
    contentId,
    inline: contentId ? null : source,
    values: recipient.values,
    attachments,
    charge: testMode ? null : { month: monthOf(now), credits: creditsOf(message) },
    messageId: messageIdFor(draft, recipient, _id),
    createdAt: now,
    scheduledFor: recipient.sendAt,
    dueAt,
    sentAt,
    ...extensionsOf(draft),
  });
  return status === 'sent' ? { ...row, ...contentGoing(row) } : row;
}

/** Returns the Message-ID: that of the copies of a message, or of one that came composed, or one of its own. */
const messageIdFor = ({ message, fromEmail }: Draft, recipient: PreparedRecipient, id: string): string =>
  recipient.messageId ?? message.given?.messageId ?? messageIdOf(id, fromEmail);

/** Returns the subject as it is sent at its time. One that is too long with its own links fails when it is sent. */
function subjectOf({ core }: Context, draft: Draft, recipient: PreparedRecipient, row: Pick<Email, '_id' | 'createdAt'>): string {
  const { hosts } = draft;
  const { content } = recipient.own ?? draft;
  if (!content.hasOwnSubjects) return recipient.subject;
  const system = systemValues(core, { ...row, trackingHost: hosts.trackingHost, scheduledFor: recipient.sendAt });
  try {
    return content.subject(JSON.parse(recipient.values) as Values, system);
  } catch (error) {
    if (error instanceof TemplateRenderError) return recipient.subject;
    throw error;
  }
}

/** Picks the fields that only some messages have. */
const extensionsOf = ({
  topic,
  message: { replyToName, tags, retainContent, isTrial },
}: Draft): Pick<Email, 'topic' | 'replyToName' | 'tags' | 'content' | 'isTrial'> => ({
  topic: topic ?? undefined,
  replyToName: replyToName ?? undefined,
  tags: tags ?? undefined,
  content: retainContent === false ? 'passing' : undefined,
  isTrial,
});

function fate(ctx: Context, to: string, sendAt: Date | null, now: Date): Pick<Email, 'status' | 'priority' | 'dueAt' | 'sentAt'> {
  const isLogged = ctx.testMode && sendAt === null && !isSimulated(to, ctx.core.config.PLATFORM_DOMAIN);
  const priority = sendAt ? PRIORITY_OF.scheduled : PRIORITY_OF.transactional;
  return isLogged
    ? { status: 'sent', priority, dueAt: undefined, sentAt: now }
    : { status: 'queued', priority, dueAt: sendAt ?? now, sentAt: null };
}

/** Lists the events to emit where a message is accepted for a later time. */
export const schedulingEvents = ({ _id, projectId, contactId, source, scheduledFor, testMode, createdAt }: Email): readonly NewEvent[] =>
  scheduledFor === null || scheduledFor === undefined
    ? []
    : [
        {
          projectId,
          name: 'email.scheduled',
          contactId,
          emailId: _id,
          testMode,
          at: createdAt,
          data: { source, scheduledFor: scheduledFor.toISOString() },
        },
      ];

/** Lists the events to emit when a message is accepted. */
export function acceptanceEvents(email: Email): readonly EmailEvent[] {
  const event = (name: 'email.queued' | 'email.sent'): EmailEvent => ({
    id: emailEventId(email._id, name),
    name,
    projectId: email.projectId,
    contactId: email.contactId,
    emailId: email._id,
    data: { source: email.source },
    testMode: email.testMode,
    at: email.createdAt,
  });
  return email.status === 'sent' ? [event('email.queued'), event('email.sent')] : [event('email.queued')];
}
