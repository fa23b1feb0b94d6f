import { LRUCache } from 'lru-cache';
import type { ClientSession } from 'mongoose';
import { addUsage, monthOf } from '../../records/billing';
import { createMissing } from '../../audience/contacts';
import type { NewContact } from '../../audience/contacts';
import type { AppError, Context, RateState } from '../../platform/core';
import type { StartIntent } from '../../contracts/processes';
import { insertEmails, minutesOf } from '../../records/emails';
import type { Email } from '../../records/emails';
import { emit, emitQueued } from '../../records/events';
import { keyReused, storeAnswers, storedAnswers } from '../../platform/idempotency';
import type { AnswerKey, IdempotencyRow } from '../../platform/idempotency';
import { databaseNow, inTransaction, perDatabase } from '../../platform/mongo';
import { want } from '../../platform/outbox';
import { rateLimited } from '../../platform/core';
import { personName } from '../../rules/person-name';
import { answerOf } from './answer';
import { skipReason } from './decide';
import type { RunningUsage } from './decide';
import { acceptanceEvents, creditsOf, emailRow } from './email-row';
import { RateBucketModel } from './models';
import type { RateBucket } from './models';
import { Bucket } from './rate';
import { usageOf } from './usage';
import type { Entry, Prepared, PreparedMessage, PreparedRecipient, Recipient, SendReply, SendRequest, SendResult } from './types';

/** A prepared request on its way into the ledger. */
export interface Pending {
  readonly ctx: Context;
  readonly request: SendRequest;
  readonly prepared: readonly Prepared[];
  /** Messages asked for, each of which takes a unit of the rate. */
  readonly units: number;
  /** The row that keeps the answer. */
  readonly answerKey: AnswerKey | null;
}

export interface Accepted {
  readonly reply: SendReply;
  readonly rate: RateState;
  /** Messages due now and scheduled ones. */
  readonly emails: readonly Email[];
  readonly intents: readonly StartIntent[];
}

export type Outcome = { readonly accepted: Accepted } | { readonly refused: AppError };

/** Sums up the requests of a group while they are decided one after another. */
class Tally {
  readonly emails: Email[] = [];
  readonly contacts: { readonly contact: NewContact; readonly testMode: boolean }[] = [];
  readonly answers: IdempotencyRow[] = [];
  readonly intents: StartIntent[] = [];
  readonly amount = { messages: 0, credits: 0 };

  constructor(
    readonly now: Date,
    readonly bucket: Bucket,
    readonly usage: RunningUsage,
  ) {}

  bucketRow(projectId: string): RateBucket {
    return { _id: projectId, units: this.bucket.units, at: this.bucket.at };
  }
}

/**
 * Takes a group of requests of one project into the ledger in one transaction: rate units, credits, contacts, e-mails, events, wanted workflows and
 * the stored answers. All of it is there or nothing is, so a crash or a retry at any moment sends nothing twice and charges nothing twice.
 *
 * | killed                | found                    | happens                                                        |
 * |-----------------------|--------------------------|----------------------------------------------------------------|
 * | before the commit     | nothing                  | the caller has no answer; a retry starts anew                  |
 * | after it, no answer   | e-mails and the answer   | a retry with the key is answered from the row; the sweep wakes |
 * | after the answer      | the same, pump not woken | the sweep wakes the pump, and starts what the outbox holds     |
 */
export async function commitGroup(group: readonly Pending[]): Promise<readonly Outcome[]> {
  const { outcomes, bucket } = await inTransaction((session) => take(session, group));
  lastKnown().set(bucket._id, bucket);
  return outcomes;
}

interface Taken {
  readonly outcomes: readonly Outcome[];
  readonly bucket: RateBucket;
}

/** The bucket as this process wrote it last: unless another process has written it since, it need not be read. */
const lastKnown = perDatabase(() => new LRUCache<string, RateBucket>({ max: 10_000 }));

async function take(session: ClientSession, group: readonly Pending[]): Promise<Taken> {
  const [{ ctx }] = group as readonly [Pending, ...Pending[]];
  const [now, shared] = [new Date(), await databaseNow()];
  const month = monthOf(now);
  const ids = group.flatMap(({ answerKey }) => answerKey?.id ?? []);
  const answered = await storedAnswers(ids, session);
  const usage = await usageOf(session, ctx, month);
  const decideFrom = (row: RateBucket | null): { tally: Tally; outcomes: readonly Outcome[] } => {
    const tally = new Tally(now, new Bucket(ctx.core.config, ctx.project, row, shared), { ...usage, categories: { ...usage.categories } });
    const answers = new Map(answered);
    return { tally, outcomes: group.map((pending) => decide(pending, tally, answers)) };
  };
  const known = lastKnown().get(ctx.projectId) ?? null;
  const expected = decideFrom(known);
  if (known && (await replaceBucket(session, known, expected.tally.bucketRow(ctx.projectId)))) {
    return finish(session, expected.tally, expected.outcomes, ctx.projectId, month);
  }
  const decided = decideFrom(await RateBucketModel.collection.findOne<RateBucket>({ _id: ctx.projectId } as never, { session }));
  const { units, at } = decided.tally.bucketRow(ctx.projectId);
  await RateBucketModel.collection.updateOne({ _id: ctx.projectId } as never, { $set: { units, at } }, { session, upsert: true });
  return finish(session, decided.tally, decided.outcomes, ctx.projectId, month);
}

async function replaceBucket(session: ClientSession, known: RateBucket, { units, at }: RateBucket): Promise<boolean> {
  const { matchedCount } = await RateBucketModel.collection.updateOne(known as never, { $set: { units, at } }, { session });
  return matchedCount === 1;
}

async function finish(
  session: ClientSession,
  tally: Tally,
  outcomes: readonly Outcome[],
  projectId: string,
  month: string,
): Promise<Taken> {
  await write(session, tally, projectId, month);
  return { outcomes, bucket: tally.bucketRow(projectId) };
}

function decide(pending: Pending, tally: Tally, answered: Map<string, IdempotencyRow>): Outcome {
  const { ctx, request, units, answerKey } = pending;
  const row = answerKey && answered.get(answerKey.id);
  if (row) return replay(row, answerKey, request, tally.bucket.state());
  if (!tally.bucket.take(units)) return { refused: tooFast(tally.bucket, units) };
  const emails: Email[] = [];
  const entries = pending.prepared.map((prepared) =>
    'failed' in prepared ? prepared.failed : recipientsOf(ctx, prepared.ok, tally, emails),
  );
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
    answered.set(answerKey.id, stored);
    tally.answers.push(stored);
  }
  return { accepted: { reply, rate: tally.bucket.state(), emails, intents } };
}

/** Returns the stored answer, or 409 when the key came with another body. */
export function replay(row: IdempotencyRow, key: AnswerKey, request: SendRequest, rate: RateState): Outcome {
  if (row.fingerprint !== request.idempotency?.fingerprint) {
    return { refused: keyReused() };
  }
  return { accepted: replayed(row, key, rate) };
}

export const replayed = ({ answer }: IdempotencyRow, key: AnswerKey, rate: RateState): Accepted => ({
  reply: { ...(JSON.parse(key.open(answer)) as SendReply), replay: true },
  rate,
  emails: [],
  intents: [],
});

function tooFast(bucket: Bucket, units: number): AppError {
  const seconds = bucket.secondsUntil(units);
  return rateLimited(`The project's send rate is used up; ${units} messages fit in ${seconds} s`, bucket.state(), seconds);
}

function recipientsOf(ctx: Context, prepared: PreparedMessage, tally: Tally, emails: Email[]): Entry {
  const byAddress = new Map<string, SendResult>();
  for (const recipient of prepared.recipients) byAddress.set(recipient.email, admit(ctx, prepared, recipient, tally, emails));
  const resultsOf = (list: readonly Recipient[]) => list.map(({ email }) => byAddress.get(email) as SendResult);
  const { to, cc, bcc } = prepared.draft.message;
  return { results: resultsOf(to), ...(cc && { cc: resultsOf(cc) }), ...(bcc && { bcc: resultsOf(bcc) }) };
}

function admit(ctx: Context, prepared: PreparedMessage, recipient: PreparedRecipient, tally: Tally, emails: Email[]): SendResult {
  const { email: to } = recipient;
  const credits = creditsOf(prepared.draft.message);
  const skipped = skipReason(ctx, recipient, tally.usage, credits);
  if (skipped) return { to, skipped };
  const email = emailRow(ctx, prepared, recipient, tally.now);
  emails.push(email);
  tally.emails.push(email);
  if (email.charge) charge(tally, email.charge.credits);
  if (recipient.createsContact) tally.contacts.push({ contact: newContact(ctx, recipient), testMode: ctx.testMode });
  const status = email.scheduledFor ? 'scheduled' : ctx.testMode ? 'sent' : 'queued';
  const { unresolved } = recipient;
  return { id: email._id, to, status, ...(unresolved.length > 0 && { unresolvedPlaceholders: unresolved }) };
}

function charge({ usage, amount }: Tally, credits: number): void {
  usage.used += 1;
  usage.credits += credits;
  usage.categories.transactional += 1;
  amount.messages += 1;
  amount.credits += credits;
}

const newContact = (ctx: Context, recipient: PreparedRecipient): NewContact => ({
  _id: recipient.contactId,
  projectId: ctx.projectId,
  email: recipient.email,
  ...personName(recipient.name),
  subscribed: true,
});

async function write(session: ClientSession, tally: Tally, projectId: string, month: string): Promise<void> {
  const { now, emails, contacts, answers, intents, amount } = tally;
  const created = await createMissing(session, contacts, now);
  await insertEmails(session, emails);
  const events = emails.flatMap(acceptanceEvents);
  await emit(session, [...created, ...events.filter(({ testMode }) => testMode)]);
  await emitQueued(
    session,
    events.filter(({ testMode }) => !testMode),
  );
  await addUsage(session, projectId, month, 'transactional', amount);
  await storeAnswers(session, answers);
  await want(session, intents);
}
