import type { NewContact } from '../../audience/contacts';
import { contentCompiler } from '../../message/template';
import { turnTaker } from '../../platform/async';
import { AppError, invalid, invalidRequest, rateLimited } from '../../platform/core';
import type { Context, ErrorDetail } from '../../platform/core';
import { AnswerKey, oneAtATime } from '../../platform/idempotency';
import type { IdempotencyRow } from '../../platform/idempotency';
import { metrics } from '../../platform/metrics';
import { startNow } from '../../platform/outbox';
import { wakeDelivery, wakeDeliveryBy } from '../../platform/wake-ups';
import { minutesOf } from '../../records/emails';
import type { Email } from '../../records/emails';
import { personName } from '../../rules/person-name';
import { answerAgain, answerOf, answered, withRateHeaders } from './answer';
import { commitInGroup } from './commit';
import type { Accepted, Outcome, Pending, Tally } from './commit';
import { draftMessage, groundsOf, inlineFaults, isKept, keeper, sharedContents, storeAttachments, storeContents } from './draft';
import { creditsOf, emailRow } from './email-row';
import { skipReason } from './limits';
import type { Bucket } from './limits';
import { addressees, asOneMessage, isCopied, onlyOnce, recipientsOf, renderCopy, renderFor } from './recipients';
import type { Addressees } from './recipients';
import type {
  Draft,
  Entry,
  Prepared,
  PreparedMessage,
  PreparedRecipient,
  Recipient,
  SendOutcome,
  SendReply,
  SendRequest,
  SendResult,
  Settled,
} from './types';

/**
 * Accepts a request: renders each message for each recipient, then stores all of it in the ledger in one transaction. A request whose key was answered before
 * gets that answer again.
 * Throws `validation_error`, `send_failed` (single sends), `idempotency_key_reused`, `idempotency_in_progress` and `rate_limited`.
 */
export async function acceptSend(ctx: Context, request: SendRequest): Promise<SendOutcome> {
  const units = request.messages.reduce((sum, message) => sum + recipientsOf(message).length, 0);
  refuseTooMany(ctx, request, units);
  const { idempotency } = request;
  if (!idempotency) return accept(ctx, request, units, null);
  const key = new AnswerKey(ctx, request.endpoint, idempotency.key);
  return withRateHeaders(ctx, () =>
    oneAtATime(key.id, idempotency.fingerprint, async () => (await answered(ctx, request, key)) ?? accept(ctx, request, units, key)),
  );
}

/** Does for a request, one after another, what makes e-mails of it. What a message is after each step: CONTRIBUTING.md, The way of a message. */
async function accept(ctx: Context, request: SendRequest, units: number, answerKey: AnswerKey | null): Promise<Accepted> {
  const began = performance.now();
  const turns = turnTaker();
  await checkContents(ctx, request, turns);
  const drafts = await resolveContentAndSender(ctx, request, turns);
  const known = await lookUpRecipients(ctx, drafts);
  const prepared = await renderForRecipients(ctx, request, drafts, known, turns);
  await storeContents(ctx.projectId, prepared);
  failSingle(request, prepared);
  const accepted = await commitInGroup({ ctx, request, prepared, units, answerKey }, decide);
  countAccepted(request, accepted, began);
  wakePumps(ctx, accepted);
  return accepted;
}

type Turns = ReturnType<typeof turnTaker>;

function refuseTooMany(ctx: Context, { endpoint }: SendRequest, units: number): void {
  const burst = ctx.core.config.SEND_RATE_BURST;
  if (units <= burst) return;
  throw invalid(endpoint === 'batch' ? 'messages' : 'to', 'too_big', `More than ${burst} messages in one request can never be sent`);
}

/** Throws 422 when inline content is not valid, with the faults of all messages. */
async function checkContents({ core }: Context, { endpoint, messages }: SendRequest, turns: Turns): Promise<void> {
  const compiler = contentCompiler(core);
  const faults: ErrorDetail[] = [];
  for (const [index, message] of messages.entries()) {
    const path = endpoint === 'batch' ? `messages.${index}.` : '';
    faults.push(...inlineFaults(message, path, (source) => compiler.compile(source)));
    await turns();
  }
  if (faults.length > 0) throw invalidRequest(faults);
}

/** Makes drafts of the messages. From here on, a fault that depends on stored state fails its message alone. */
async function resolveContentAndSender(ctx: Context, { messages }: SendRequest, turns: Turns): Promise<readonly Settled<Draft>[]> {
  const grounds = await groundsOf(ctx, messages);
  const drafts: Settled<Draft>[] = [];
  for (const message of messages) {
    drafts.push(settle(() => draftMessage(ctx, message, grounds)));
    await turns();
  }
  return drafts;
}

function settle<T>(work: () => T): Settled<T> {
  try {
    return { ok: work() };
  } catch (error) {
    if (error instanceof AppError && error.code === 'send_failed') return { failed: error };
    throw error;
  }
}

/** Looks up the contacts and suppressions of all recipients of the request together. */
function lookUpRecipients(ctx: Context, drafts: readonly Settled<Draft>[]): Promise<Addressees> {
  const emails = new Set<string>();
  for (const draft of drafts) {
    if ('ok' in draft) for (const { email } of recipientsOf(draft.ok.message)) emails.add(email);
  }
  return addressees(ctx, emails);
}

/** Renders each draft for each of its recipients, and stores its attachments. */
async function renderForRecipients(
  ctx: Context,
  request: SendRequest,
  drafts: readonly Settled<Draft>[],
  known: Addressees,
  turns: Turns,
): Promise<readonly Prepared[]> {
  const rendering = {
    ctx,
    isTrial: ctx.testMode || request.isTrial === true,
    shared: sharedContents(drafts),
    known,
    keep: keeper(),
    turns,
  };
  const prepared: Prepared[] = [];
  for (const draft of drafts) prepared.push('failed' in draft ? draft : await prepareMessage(draft.ok, rendering));
  return prepared;
}

interface Rendering {
  readonly ctx: Context;
  readonly isTrial: boolean;
  readonly shared: ReadonlySet<string>;
  readonly known: Addressees;
  readonly keep: ReturnType<typeof keeper>;
  readonly turns: Turns;
}

async function prepareMessage(draft: Draft, { ctx, isTrial, shared, known, keep, turns }: Rendering): Promise<Prepared> {
  const { message, contentHash } = draft;
  const each: PreparedRecipient[] = [];
  for (const recipient of onlyOnce(recipientsOf(message))) {
    const addressed = known.get(recipient.email);
    if (!addressed) throw new Error('An addressee was not looked up');
    const [first] = isCopied(message) ? each : [];
    const made = settle(() => (first ? renderCopy(draft, recipient, addressed, first) : renderFor(draft, recipient, addressed, isTrial)));
    if ('failed' in made) return made;
    keep(draft, made.ok);
    each.push(made.ok);
    await turns();
  }
  const recipients = asOneMessage(draft, each, known);
  const contentId = isKept(message) && shared.has(contentHash) ? contentHash : null;
  return { ok: { draft, recipients, contentId, attachmentRefs: await storeAttachments(ctx.projectId, message, recipients) } };
}

/** Throws the failure of a single send: it has no entry of its own in the answer. */
function failSingle({ endpoint }: SendRequest, [only]: readonly Prepared[]): void {
  if (endpoint === 'send' && only && 'failed' in only) throw only.failed;
}

/**
 * Decides one request of a group, within the transaction: takes its rate units, then decides on each recipient, and makes the answer. What is to be stored is
 * added to the tally.
 */
function decide(pending: Pending, tally: Tally, answers: Map<string, IdempotencyRow>): Outcome {
  const { ctx, request, units, answerKey } = pending;
  const row = answerKey && answers.get(answerKey.id);
  if (row) return answerAgain(row, answerKey, request, tally.bucket.state());
  if (!tally.bucket.take(units)) return { refused: tooFast(tally.bucket, units) };
  const emails: Email[] = [];
  const entries = pending.prepared.map((prepared) => ('failed' in prepared ? prepared.failed : admit(ctx, prepared.ok, tally, emails)));
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
  return { accepted: { reply, rate: tally.bucket.state(), emails, intents } };
}

function tooFast(bucket: Bucket, units: number): AppError {
  const seconds = bucket.secondsUntil(units);
  return rateLimited(`The project's send rate is used up; ${units} messages fit in ${seconds} s`, bucket.state(), seconds);
}

function admit(ctx: Context, prepared: PreparedMessage, tally: Tally, emails: Email[]): Entry {
  const byAddress = new Map<string, SendResult>();
  for (const recipient of prepared.recipients) byAddress.set(recipient.email, admitRecipient(ctx, prepared, recipient, tally, emails));
  const resultsOf = (list: readonly Recipient[]) => list.map(({ email }) => byAddress.get(email) as SendResult);
  const { to, cc, bcc } = prepared.draft.message;
  return { results: resultsOf(to), ...(cc && { cc: resultsOf(cc) }), ...(bcc && { bcc: resultsOf(bcc) }) };
}

/** Skips a recipient, or makes the ledger's row, its charge and its contact. */
function admitRecipient(ctx: Context, prepared: PreparedMessage, recipient: PreparedRecipient, tally: Tally, emails: Email[]): SendResult {
  const { email: to, unresolved } = recipient;
  const skipped = skipReason(ctx, recipient, tally.usage, creditsOf(prepared.draft.message));
  if (skipped) return { to, skipped };
  const email = emailRow(ctx, prepared, recipient, tally.now);
  emails.push(email);
  tally.add(email);
  if (recipient.createsContact) tally.contacts.push({ contact: newContact(ctx, recipient), testMode: ctx.testMode });
  const status = email.scheduledFor ? 'scheduled' : ctx.testMode ? 'sent' : 'queued';
  return { id: email._id, to, status, ...(unresolved.length > 0 && { unresolvedPlaceholders: unresolved }) };
}

const newContact = (ctx: Context, { contactId, email, name }: PreparedRecipient): NewContact => ({
  _id: contactId,
  projectId: ctx.projectId,
  email,
  ...personName(name),
  subscribed: true,
});

function countAccepted({ endpoint }: SendRequest, { emails }: Accepted, began: number): void {
  metrics.acceptSeconds.observe({ endpoint }, (performance.now() - began) / 1_000);
  metrics.accepted.inc({ kind: 'transactional' }, emails.length);
}

/** Starts what the outbox wants, and wakes the pumps of the messages. A process that is lost before this is made up for by the sweeps. */
function wakePumps({ core }: Context, { emails, intents }: Accepted): void {
  if (intents.length > 0) startNow(core, intents);
  const waiting = emails.filter(({ dueAt }) => dueAt);
  for (const shard of new Set(waiting.filter(({ scheduledFor }) => !scheduledFor).map((email) => email.shard))) wakeDelivery(core, shard);
  for (const { shard, scheduledFor } of waiting) if (scheduledFor) wakeDeliveryBy(core, shard, scheduledFor);
}
