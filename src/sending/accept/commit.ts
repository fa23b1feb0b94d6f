import type { ClientSession } from 'mongoose';
import { addUsage, monthOf } from '../../records/billing';
import { createMissing } from '../../audience/contacts';
import type { NewContact } from '../../audience/contacts';
import { perCore, sendFailed } from '../../platform/core';
import type { AppError, Context, RateState } from '../../platform/core';
import type { StartIntent } from '../../contracts/processes';
import { HELD_AT_ONCE, insertEmails, isTimely } from '../../records/emails';
import type { Email } from '../../records/emails';
import { emit, listeningOf, meetReferences } from '../../records/events';
import type { NewEvent } from '../../records/events';
import { storeAnswers, storedAnswers } from '../../platform/idempotency';
import type { AnswerKey, IdempotencyRow } from '../../platform/idempotency';
import { withinLimit } from '../../platform/async';
import { Batcher } from '../../platform/batch';
import { databaseNow, inTransaction } from '../../platform/mongo';
import { want } from '../../platform/outbox';
import { acceptanceEvents, decide, schedulingEvents, tooFast } from './admit';
import { usageOf, draw, lastKnownRate, putBack } from './limits';
import type { RunningUsage, Drawn } from './limits';
import { PersonLimits } from './person-limits';
import type { Draft, Result, SendReply, SendRequest } from './types';
import { domainOf } from '../../platform/addresses';
import { sendersIn, unverifiedText } from '../domains';
import type { Senders } from '../domains';

/** A request on its way into the ledger, with its messages rendered. */
export interface Pending {
  readonly ctx: Context;
  readonly request: SendRequest;
  readonly drafts: readonly Result<Draft>[];
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

export type Decision = { readonly accepted: Accepted } | { readonly refused: AppError };

/** Messages in one transaction at most: it must stay short, and below the size of one oplog entry. */
const GROUP_MESSAGES = 2_000;
/** Maximum number of characters of content and values in one transaction of several requests: the database aborts a transaction of some hundred MiB. */
const GROUP_CHARACTERS = 32 * 1_048_576;

/** The longest wait of a group for requests that are about to join it, in milliseconds. A group of twice the size costs little more. */
const GATHER_MS = 40;

/** A group without an answer for this long fails, and the next one starts. */
const COMMIT_MS = 20_000;

/**
 * Requests of one project that arrive while a transaction of that project runs commit together in the next one: a transaction for each request would cost
 * many times as much.
 */
const groupsOf = perCore(
  () =>
    new Batcher(commitWithin, {
      keys: ({ ctx }) => [ctx.projectId],
      most: 1,
      gatherMs: GATHER_MS,
      // One that may refuse in the transaction goes alone: it must not undo the requests of others.
      size: (pending) => (pending.request.keep ? 1 : Math.max(pending.units / GROUP_MESSAGES, charactersOf(pending) / GROUP_CHARACTERS)),
    }),
);

async function commitWithin(group: readonly Pending[]): Promise<ReadonlyMap<Pending, Decision>> {
  const decisions = await withinLimit(COMMIT_MS, () => commitGroup(group));
  return new Map(group.map((pending, index) => [pending, decisions[index] as Decision]));
}

/** Prepares a request. A group of its project may wait for it. */
export const prepareForGroup = <T>(ctx: Context, prepare: () => Promise<T>): Promise<T> => groupsOf(ctx.core).make(ctx.projectId, prepare);

/** Resolves when the request is committed; rejects with the request's refusal, or with the failure of its group. */
export async function commitInGroup(pending: Pending): Promise<Accepted> {
  const decision = (await groupsOf(pending.ctx.core).add(pending)).get(pending) as Decision;
  if ('refused' in decision) throw decision.refused;
  return decision.accepted;
}

function charactersOf({ drafts }: Pending): number {
  let sum = 0;
  for (const draft of drafts) {
    if ('failed' in draft) continue;
    const { recipients, contentId, source } = draft.ok;
    for (const { values } of recipients) sum += values.length;
    if (contentId === null) sum += ((source.html?.length ?? 0) + (source.text?.length ?? 0)) * recipients.length;
  }
  return sum;
}

/** Sums up the requests of a group while they are decided one after another. */
export class Tally {
  readonly emails: Email[] = [];
  readonly contacts: { readonly contact: NewContact; readonly testMode: boolean }[] = [];
  readonly skips: NewEvent[] = [];
  readonly answers: IdempotencyRow[] = [];
  readonly intents: StartIntent[] = [];
  readonly amount = { messages: 0, credits: 0 };

  constructor(
    readonly now: Date,
    readonly rate: Drawn,
    readonly usage: RunningUsage,
    /** Null where no limit holds for any of the messages. */
    readonly limits: PersonLimits | null,
  ) {}

  /** Adds an accepted message with what it is charged. */
  add(email: Email): void {
    this.emails.push(email);
    if (!email.charge) return;
    const { credits } = email.charge;
    this.usage.used += 1;
    this.usage.credits += credits;
    this.usage.categories.transactional += 1;
    this.amount.messages += 1;
    this.amount.credits += credits;
  }
}

/**
 * Stores a group of requests of one project in the ledger in one transaction: credits, contacts, e-mails, events, wanted workflows and the
 * stored answers. Either all of it is stored or nothing, so a crash or a retry at any moment sends nothing twice and charges nothing twice.
 *
 * | killed                | found                    | happens                                                        |
 * |-----------------------|--------------------------|----------------------------------------------------------------|
 * | before the commit     | nothing                  | the caller has no answer; a retry starts again                 |
 * | after it, no answer   | e-mails and the answer   | a retry with the key is answered from the row; the sweep wakes |
 * | after the answer      | the same, pump not woken | the sweep wakes the pump, and starts what the outbox holds     |
 */
async function commitGroup(group: readonly Pending[]): Promise<readonly Decision[]> {
  const [{ ctx }] = group as readonly [Pending, ...Pending[]];
  const { config } = ctx.core;
  const drawn = await draw(
    config,
    ctx.project,
    group.map(({ units }) => units),
  );
  let left = drawn;
  try {
    const { decisions, rate } = await inTransaction((session) => take(session, group, drawn.again()));
    left = rate;
    return decisions;
  } finally {
    // Not waited for: units that come back late are only late.
    putBack(config, ctx.project, left).catch(() => undefined);
  }
}

/**
 * Throws `rate_limited` when this process knows that the bucket holds too little. A request that is refused so has stored nothing; of what it asks for, no more
 * was done than its other failures need, which come first. What the process does not know is decided as the request commits.
 */
export async function refuseTooFast(ctx: Context, units: number): Promise<void> {
  const known = await lastKnownRate(ctx);
  if (known && units > known.units) throw tooFast(known, units);
}

interface Taken {
  readonly decisions: readonly Decision[];
  readonly rate: Drawn;
}

async function take(session: ClientSession, asked: readonly Pending[], rate: Drawn): Promise<Taken> {
  const group = await withSendersAsOfNow(session, asked);
  const [{ ctx }] = group as readonly [Pending, ...Pending[]];
  const now = new Date();
  const month = monthOf(now);
  const answers = new Map(
    await storedAnswers(
      group.flatMap(({ answerKey }) => answerKey?.id ?? []),
      session,
    ),
  );
  const usage = await usageOf(session, ctx, month, 'transactional');
  const limits = await PersonLimits.read(session, ctx, draftsOf(group), 'transactional', now);
  const tally = new Tally(now, rate, { ...usage, categories: { ...usage.categories } }, limits);
  const decisions = group.map((pending) => decide(pending, tally, answers));
  await write(session, tally, ctx, month);
  for (const [index, pending] of group.entries())
    if ('accepted' in (decisions[index] as Decision)) await pending.request.keep?.(session, draftsOf([pending]));
  return { decisions, rate };
}

const draftsOf = (group: readonly Pending[]): readonly Draft[] =>
  group.flatMap(({ drafts }) => drafts.flatMap((each) => ('ok' in each ? [each.ok] : [])));

/**
 * Fails scheduled messages of a group whose domains were removed since they were looked up: of removing a domain and accepting what is to be sent from it
 * later, one is refused. Mail that goes out at once finds out at its attempt.
 */
async function withSendersAsOfNow(session: ClientSession, group: readonly Pending[]): Promise<readonly Pending[]> {
  const [projectId] = group.filter(hasScheduled).map(({ ctx }) => ctx.projectId);
  if (projectId === undefined) return group;
  await meetReferences(session, projectId);
  const senders = await sendersIn(session, projectId);
  return group.map((pending) =>
    hasScheduled(pending) ? { ...pending, drafts: pending.drafts.map((each) => checked(each, senders)) } : pending,
  );
}

// Test mail needs no domain.
const hasScheduled = ({ ctx, drafts }: Pending): boolean =>
  !ctx.testMode && drafts.some((each) => 'ok' in each && each.ok.recipients.some(({ sendAt }) => sendAt !== null));

function checked(each: Result<Draft>, senders: Senders): Result<Draft> {
  if ('failed' in each) return each;
  const domain = domainOf(each.ok.fromEmail);
  return senders.has(domain) ? each : { failed: sendFailed('unverified_domain', unverifiedText(domain, senders)) };
}

async function write(session: ClientSession, tally: Tally, { projectId }: Context, month: string): Promise<void> {
  const { now, emails, contacts, skips, answers, intents, amount, limits } = tally;
  const created = await createMissing(session, contacts, now);
  const live = emails.filter(({ testMode }) => !testMode);
  const tests = emails.filter(({ testMode }) => testMode);
  // Their rows hold that they were queued where nobody listens.
  const isHeld = isTimely(now, await databaseNow()) && !(await listeningOf(projectId)).hears('email.queued');
  await insertEmails(session, live, isHeld ? HELD_AT_ONCE : {});
  await insertEmails(session, tests);
  await limits?.write();
  const accepted = [...(isHeld ? tests : emails).flatMap(acceptanceEvents), ...emails.flatMap(schedulingEvents)];
  await emit(session, [...created, ...accepted, ...skips]);
  await addUsage(session, projectId, month, 'transactional', amount);
  await storeAnswers(session, answers);
  await want(session, intents);
}
