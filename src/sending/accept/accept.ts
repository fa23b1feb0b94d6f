import { yielder } from '../../platform/async';
import { AppError, invalid, limitOf, invalidState } from '../../platform/core';
import type { Context } from '../../platform/core';
import { AnswerKey, oneAtATime } from '../../platform/idempotency';
import { metrics } from '../../platform/metrics';
import { startNow } from '../../platform/outbox';
import { lacksApproval, neededWords } from '../../rules/approval-needed';
import { wakeDelivery } from '../../platform/wake-ups';
import { commitInGroup, prepareForGroup, refuseTooFast } from './commit';
import type { Accepted } from './commit';
import { checkContents, resolveContentAndSender, storeContents, failureOfAll } from './draft';
import { recipientsOf, answered, withRateHeaders } from './requests';
import { lookUpRecipients, renderForRecipients } from './recipients';
import { messageTo } from './types';
import type { Draft, Result, SendOutcome, SendRequest } from './types';
import { languageChooser } from '../../rules/translations';

/**
 * Accepts a request: renders each message for each recipient, then stores all of it in the ledger in one transaction. A request whose key was answered before
 * gets that answer again.
 * Throws `validation_error`, `approval_needed` (batches), `send_failed` (single sends), `idempotency_key_reused`, `idempotency_in_progress` and `rate_limited`.
 */
export async function acceptSend(ctx: Context, request: SendRequest): Promise<SendOutcome> {
  const units = request.messages.reduce((sum, message) => sum + recipientsOf(message).length, 0);
  refuseTooMany(ctx, request, units);
  requireApproved(ctx, request, units);
  const { idempotency } = request;
  if (!idempotency) return accept(ctx, request, units, null);
  const key = new AnswerKey(ctx, request.endpoint, idempotency.key);
  const answer = request.endpoint === 'smtp' ? acceptFirst : lookFirst;
  return withRateHeaders(ctx, () => oneAtATime(key.id, idempotency.fingerprint, () => answer(ctx, request, units, key)));
}

async function lookFirst(ctx: Context, request: SendRequest, units: number, key: AnswerKey): Promise<Accepted> {
  return (await answered(ctx, request, key)) ?? accept(ctx, request, units, key);
}

/**
 * Accepts without a lookup before: every message of SMTP has a key, and few come again. The transaction finds the stored answer of one that does; what is
 * refused now may have been accepted before.
 */
async function acceptFirst(ctx: Context, request: SendRequest, units: number, key: AnswerKey): Promise<Accepted> {
  try {
    return await accept(ctx, request, units, key);
  } catch (refusal) {
    const earlier = await answered(ctx, request, key);
    if (!earlier) throw refusal;
    return earlier;
  }
}

/** Does for a request, one after another, what makes e-mails of it. What a message is after each step: CONTRIBUTING.md, The way of a message. */
async function accept(ctx: Context, request: SendRequest, units: number, answerKey: AnswerKey | null): Promise<Accepted> {
  const began = performance.now();
  const rendered = await prepareForGroup(ctx, async () => {
    const made = await renderAll(ctx, request, units);
    await refuseTooFast(ctx, units);
    await storeContents(ctx, made);
    return made;
  });
  const accepted = await commitInGroup({ ctx, request, drafts: rendered, units, answerKey });
  countAccepted(request, accepted, began);
  wakePumps(ctx, accepted);
  return accepted;
}

/** Renders each message for each recipient. Throws what refuses the request as a whole. */
async function renderAll(ctx: Context, request: SendRequest, units: number): Promise<readonly Result<Draft>[]> {
  const yieldWhenDue = yielder();
  await checkContents(ctx, request, yieldWhenDue);
  if (request.endpoint === 'batch') await refuseTooFast(ctx, units);
  const drafts = await resolveContentAndSender(ctx, request, yieldWhenDue);
  const known = await lookUpRecipients(ctx, drafts);
  const rendered = await renderForRecipients(ctx, drafts, known, yieldWhenDue);
  const failure = failureOfAll(request, rendered);
  if (failure) throw failure;
  return rendered;
}

/** A request that could be accepted. */
export interface CheckedSend {
  /** Its messages with their contents, except those that would fail alone. */
  readonly drafts: readonly Draft[];
  /** Recipients, each of which gets a message unless they are skipped. */
  readonly recipients: readonly string[];
}

/** Checks that a request could be accepted now, and accepts nothing. Throws as `acceptSend`. */
export async function checkSend(ctx: Context, request: SendRequest): Promise<CheckedSend> {
  const recipients = request.messages.flatMap((message) => recipientsOf(message).map(({ email }) => email));
  refuseTooMany(ctx, request, recipients.length);
  const rendered = await renderAll(ctx, request, recipients.length);
  return { drafts: rendered.flatMap((each) => ('ok' in each ? [each.ok] : [])), recipients };
}

function refuseTooMany(ctx: Context, { endpoint }: SendRequest, units: number): void {
  const burst = limitOf(ctx.core.config, ctx.project, 'sendBurst');
  if (units <= burst) return;
  throw invalid(endpoint === 'batch' ? 'messages' : 'to', 'too_big', `One request can send at most ${burst} messages`);
}

// A batch that was approved is kept with its approval. In test mode nothing leaves.
function requireApproved({ project, testMode }: Context, { endpoint, keep }: SendRequest, units: number): void {
  if (endpoint !== 'batch' || keep || testMode || !lacksApproval(project, units)) return;
  throw new AppError('approval_needed', neededWords(project, units, 'sendBatch'));
}

function countAccepted({ endpoint }: SendRequest, { emails }: Accepted, began: number): void {
  metrics.acceptSeconds.observe({ endpoint }, (performance.now() - began) / 1_000);
  metrics.accepted.inc({ kind: 'transactional' }, emails.length);
}

/** Starts what the outbox wants, and wakes the pumps of the messages. A process that is lost before this is made up for by the sweeps. */
function wakePumps({ core }: Context, { emails, intents }: Accepted): void {
  if (intents.length > 0) startNow(core, intents);
  const waiting = emails.filter(({ dueAt, scheduledFor }) => dueAt && !scheduledFor);
  for (const shard of new Set(waiting.map((email) => email.shard))) wakeDelivery(core, shard);
}

interface TrialSent {
  readonly id: string;
  readonly to: string;
  readonly status: 'sent' | 'queued' | 'scheduled';
  /** Placeholders that resolved to nothing, where there are any. */
  readonly unresolvedPlaceholders?: readonly string[];
}

/** A message in each language; the first one is that of the default. */
export interface TrialsSent extends TrialSent {
  readonly languages?: readonly (Omit<TrialSent, 'to'> & { readonly language: string | null })[];
}

type Trial = Omit<Parameters<typeof messageTo>[1], 'isTrial'>;

/**
 * Sends a message by which its author tries out a content, also to an address that unsubscribed; its reader does not become a contact. Throws `send_failed`,
 * `rate_limited`, 422 at `to` for a suppressed address, and `invalid_state` for one that is skipped for another reason.
 */
async function acceptTrial(ctx: Context, to: string, trial: Trial): Promise<TrialSent> {
  const message = messageTo(to, { ...trial, isTrial: true });
  const { reply } = await acceptSend(ctx, { endpoint: 'send', messages: [message], idempotency: null });
  const [result] = reply.results;
  if (result && 'id' in result) return result;
  const reason = result && 'skipped' in result ? result.skipped : 'unknown';
  if (reason === 'suppressed') throw invalid('to', 'invalid_string', 'This address is suppressed; see GET /v1/suppressions/check');
  throw invalidState(`Nothing was sent: this address is skipped (${reason})`);
}

interface Tried {
  /** The languages that the content has variants in. */
  readonly languages: readonly string[];
  /** The one to send, `default`, or `all`; that of the reader's contact if it is absent. */
  readonly language?: string | undefined;
}

/** Tries out a content in the language that is asked for, or in all. Throws 422 at `language` for one that has no variant, and as `acceptTrial`. */
export async function acceptTrials(ctx: Context, to: string, trial: Trial, { languages, language }: Tried): Promise<TrialsSent> {
  if (language === undefined) return acceptTrial(ctx, to, trial);
  if (language === 'default') return acceptTrial(ctx, to, { ...trial, locale: null });
  if (language !== 'all') {
    if (languageChooser(languages)(language) === null) throw invalid('language', 'not_found', 'No variant exists for this language');
    return acceptTrial(ctx, to, { ...trial, locale: language });
  }
  const sent = await acceptTrial(ctx, to, { ...trial, locale: null });
  const all: NonNullable<TrialsSent['languages']>[number][] = [ofLanguage(null, sent)];
  for (const locale of languages) all.push(ofLanguage(locale, await acceptTrial(ctx, to, { ...trial, locale })));
  return { ...sent, languages: all };
}

const ofLanguage = (language: string | null, { to: _to, ...sent }: TrialSent) => ({ language, ...sent });
