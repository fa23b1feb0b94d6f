import type { AnyBulkWriteOperation, Document, UpdateFilter } from 'mongodb';
import type { ClientSession } from 'mongoose';
import type { EmailEvent } from '../events';
import type { Suppresses } from '../../rules/bounce-class';
import type { Policy } from '../../rules/policy-refusal';
import { sameRows } from '../../platform/mongo';
import { contentGoing } from './content';
import { WIRE_INDEX } from './indexes';
import { EmailModel } from './model';
import type { RowEvents } from './history';
import type { Email } from './model';
import type { Attempt, MailTransport } from './parts';

const emails = () => EmailModel.collection;

/** The outcome of a message in one attempt, as the ledger and the event log record it. */
export interface Outcome {
  /** The message after this attempt: `attempt` is the one with this outcome. */
  readonly email: Email;
  readonly set: Partial<Email> & RowEvents;
  readonly events: readonly EmailEvent[];
  /** Whether the address is suppressed, and the bounce counted in the reputation. */
  readonly suppresses: Suppresses;
  readonly accepted: boolean;
  /** The rule for senders that the provider says is not met. */
  readonly policy?: Policy;
}

/** Messages that an attempt is about to begin. */
export interface Claim {
  readonly ids: readonly string[];
  /** The projects of the messages. */
  readonly projectIds: readonly string[];
  readonly attempt: Attempt;
  /** Only what is due by then. */
  readonly now: Date;
  /** The messages by their transport, where the operator has several. */
  readonly over?: readonly ClaimedOver[];
}

/** Messages of a claim that take one transport. */
export interface ClaimedOver {
  readonly transport: MailTransport;
  readonly ids: readonly string[];
}

type Statement = Extract<AnyBulkWriteOperation, { readonly updateMany: unknown }>;

/**
 * Returns the statements of a claim, one for each transport: it takes each message only if it still waits and is due, so a cancelled one, one that another pump
 * took, and one that was tried and deferred since it was found are omitted.
 */
const claimsOf = ({ ids: all, projectIds, attempt, now, over }: Claim): readonly Statement[] =>
  (over ?? [{ ids: all }]).map(({ ids, ...by }) => ({
    updateMany: {
      filter: { _id: { $in: [...ids] as never[] }, projectId: { $in: [...projectIds] }, status: 'queued', dueAt: { $lte: now } },
      update: { $set: { status: 'sending', attempt, ...by }, $unset: { dueAt: '' }, $inc: { attempts: 1 } },
      hint: '_id_',
    },
  }));

/**
 * Marks messages as being on the wire. Resolves to the ids that are ours. `sending` without a record is what a lost worker leaves: at most one message per
 * connection.
 */
export async function claim(next: Claim): Promise<ReadonlySet<string>> {
  const matched = await write(claimsOf(next));
  return matched === next.ids.length ? new Set(next.ids) : claimed(next);
}

/** Resolves to what an attempt has claimed: asked after a claim whose answer was lost, or which took a part only. */
export async function claimed({ projectIds, attempt: { id, worker } }: Claim): Promise<ReadonlySet<string>> {
  const ours = { 'attempt.worker': worker, 'attempt.id': id, status: 'sending', projectId: { $in: [...projectIds] } };
  const rows = await emails()
    .find(ours, { projection: { _id: 1 }, hint: WIRE_INDEX })
    .toArray();
  return new Set(rows.map(({ _id }) => _id));
}

/** Notes that a message goes over another transport, as nothing of it reached the last one. Resolves to whether it is still this attempt's. */
export async function moveToTransport({ _id, projectId, attempt }: Email, name: string): Promise<boolean> {
  const ours = { _id: _id as never, projectId, 'attempt.id': attempt?.id, status: 'sending' };
  return (await emails().updateOne(ours, { $set: { 'transport.name': name } })).matchedCount === 1;
}

/**
 * Records the outcomes of messages, those with the same outcome in one statement. A message that was taken over after our lease is settled
 * unless it has begun again. Resolves to the number of messages that were still ours.
 */
export async function settle(given: readonly Outcome[], session?: ClientSession): Promise<number> {
  const alike = sameOutcomes(given.map(withContentGoing));
  const settled = await write(alike.map(settlementOf), session);
  return settled < given.length ? settled + (await settleEngaged(alike, session)) : settled;
}

/**
 * Records the outcomes of messages and claims the next ones in one command: both wait for the same journal, and a lane can continue only
 * once its record is stored anyway. Repeated after a failure, the result is the same. Resolves to the claimed ids, and to the number of
 * messages known to be settled by it.
 */
export async function settleAndClaim(
  given: readonly Outcome[],
  next: Claim,
): Promise<{ readonly settled: number; readonly claimed: ReadonlySet<string> }> {
  const alike = sameOutcomes(given.map(withContentGoing));
  const matched = await write([...alike.map(settlementOf), ...claimsOf(next)]);
  if (matched === given.length + next.ids.length) return { settled: given.length, claimed: new Set(next.ids) };
  const ours = await claimed(next);
  return { settled: Math.max(0, matched - ours.size) + (await settleEngaged(alike)), claimed: ours };
}

/** Removes the content of a message that is over, where its sender wants it so: one write for both, so that no crash comes between. */
function withContentGoing(outcome: Outcome): Outcome {
  const { email, set } = outcome;
  const going = set.status === undefined || set.status === 'queued' ? null : contentGoing(email);
  return going === null ? outcome : { ...outcome, set: { ...set, ...going } };
}

const attemptOf = ({ email }: Outcome): string => email.attempt?.id ?? '';

/** Finds the outcomes of messages that no other worker has begun since. */
export async function notBegunAgain(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
  const attempts = outcomes.map((outcome) => ({
    _id: outcome.email._id,
    projectId: outcome.email.projectId,
    'attempt.id': attemptOf(outcome),
  }));
  const rows = await emails()
    .find({ $or: attempts }, { projection: { _id: 1 } })
    .toArray();
  const ids = new Set(rows.map(({ _id }) => _id));
  return outcomes.filter(({ email }) => ids.has(email._id));
}

type SameOutcome = readonly [Outcome, ...Outcome[]];

/** Resolves to how many rows the statements matched. */
export async function write(statements: readonly AnyBulkWriteOperation[], session?: ClientSession): Promise<number> {
  if (statements.length === 0) return 0;
  return (await emails().bulkWrite([...statements], { ordered: false, ...(session && { session }) })).matchedCount;
}

const unsettled = (same: SameOutcome): Document => ({
  ...sameRows(same.map(({ email }) => email)),
  'attempt.id': { $in: [...new Set(same.map(attemptOf))] },
  status: { $in: ['sending', 'queued'] },
});

// An open or a click that was recorded before the delivery raises the status that the delivery brings: such messages are few, and dearer
// to write.
const settlementOf = (same: SameOutcome): Statement => ({
  updateMany: {
    filter: { ...unsettled(same), ...(same[0].set.sentAt && { openedAt: null }) },
    update: updateOf(same[0].set),
    hint: '_id_',
  },
});

function settleEngaged(alike: readonly SameOutcome[], session?: ClientSession): Promise<number> {
  const sent = alike.filter(([{ set }]) => set.sentAt);
  return write(
    sent.map((same) => ({
      updateMany: { filter: { ...unsettled(same), openedAt: { $ne: null } }, update: raisedUpdateOf(same[0].set), hint: '_id_' },
    })),
    session,
  );
}

/** Returns an update: nulls are omitted from a row. */
export function updateOf(set: Outcome['set']): UpdateFilter<Document> {
  const unsaid = Object.keys(set).filter((name) => set[name as keyof Outcome['set']] === null);
  if (!set.dueAt) unsaid.push('dueAt');
  const said = Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null));
  return { $set: said, ...(unsaid.length > 0 && { $unset: Object.fromEntries(unsaid.map((name) => [name, ''])) }) };
}

function raisedUpdateOf({ status, ...rest }: Outcome['set']): Document[] {
  const literals = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, { $literal: value }]));
  const raised = { $cond: [{ $gt: ['$clickedAt', null] }, 'clicked', 'opened'] };
  return [{ $set: { ...literals, status: status === 'sent' || status === 'delivered' ? raised : status } }, { $unset: 'dueAt' }];
}

const INSTANTS = ['sentAt', 'deliveredAt', 'bouncedAt'] as const;

// Dates all by the last of them: it differs from their own instants by milliseconds, and no message is sent before it was accepted.
function atTheLatest(same: SameOutcome): SameOutcome {
  const [first, ...others] = same;
  const latest = INSTANTS.flatMap((name) => {
    const times = same.flatMap(({ set }) => set[name]?.getTime() ?? []);
    return times.length > 0 ? [[name, new Date(Math.max(...times))] as const] : [];
  });
  return [{ ...first, set: { ...first.set, ...Object.fromEntries(latest) } }, ...others];
}

/** Groups messages of one flush with the same outcome. */
function sameOutcomes(outcomes: readonly Outcome[]): readonly SameOutcome[] {
  const groups = new Map<string, [Outcome, ...Outcome[]]>();
  for (const outcome of outcomes) {
    const { sentAt, deliveredAt, bouncedAt, ...rest } = outcome.set;
    // What happened within a second counts as one instant, so that each stays in its hour and its day.
    const key = JSON.stringify([rest, sentAt ? Math.floor(sentAt.getTime() / 1000) : 0, deliveredAt ? 1 : 0, bouncedAt ? 1 : 0]);
    const group = groups.get(key);
    if (group) group.push(outcome);
    else groups.set(key, [outcome]);
  }
  return [...groups.values()].map(atTheLatest);
}
