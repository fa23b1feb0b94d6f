import { AppError, rateHeaders, newId } from '../../platform/core';
import type { Context, RateState } from '../../platform/core';
import { AnswerKey, keyReused, storedAnswer } from '../../platform/idempotency';
import type { IdempotencyRow } from '../../platform/idempotency';
import type { Accepted, Decision } from './commit';
import { rateState } from './limits';
import type { SendOutcome, SendReply, SendRequest, Draft, PreparedRecipient, Recipient, SendMessage } from './types';
import { messageIdOf } from '../../records/emails';
import type { Copied } from '../../records/emails';

/** Resolves to the stored answer of an earlier request with the same key and body, or null. */
export async function replaySend(
  ctx: Context,
  { endpoint, idempotency }: Pick<SendRequest, 'endpoint' | 'idempotency'>,
): Promise<SendOutcome | null> {
  if (!idempotency) return null;
  const key = new AnswerKey(ctx, endpoint, idempotency.key);
  const row = await storedAnswer(key.id);
  return row?.fingerprint === idempotency.fingerprint ? replayed(row, key, await rateState(ctx)) : null;
}

/** Resolves to the stored answer of an earlier request, without taking rate units. */
export async function answered(ctx: Context, request: SendRequest, key: AnswerKey): Promise<Accepted | null> {
  const row = await storedAnswer(key.id);
  if (!row) return null;
  const decision = answerAgain(row, key, request, await rateState(ctx));
  if ('refused' in decision) throw decision.refused;
  return decision.accepted;
}

/** Returns the stored answer, or 409 when the key came with another body. */
export function answerAgain(row: IdempotencyRow, key: AnswerKey, request: SendRequest, rate: RateState): Decision {
  if (row.fingerprint !== request.idempotency?.fingerprint) {
    return { refused: keyReused() };
  }
  return { accepted: replayed(row, key, rate) };
}

const replayed = ({ answer }: IdempotencyRow, key: AnswerKey, rate: RateState): Accepted => ({
  reply: { ...(JSON.parse(key.open(answer)) as SendReply), replay: true },
  rate,
  emails: [],
  intents: [],
});

/** Adds the state of the bucket to a 409 as well (docs/sending.md, Rate limit). */
export async function withRateHeaders<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError && error.code.startsWith('idempotency_'))) throw error;
    const headers = { ...error.headers, ...rateHeaders(await rateState(ctx)) };
    throw new AppError(error.code, error.message, error.details, { headers });
  }
}

const NO_ONE: readonly Recipient[] = [];

export const isCopied = ({ cc, bcc }: Pick<SendMessage, 'cc' | 'bcc'>): boolean => Boolean(cc ?? bcc);

/** Lists all recipients of a message; an address may occur more than once. */
export const recipientsOf = ({ to, cc, bcc }: Pick<SendMessage, 'to' | 'cc' | 'bcc'>): readonly Recipient[] =>
  (cc ?? bcc) ? [...to, ...(cc ?? NO_ONE), ...(bcc ?? NO_ONE)] : to;

/** Removes repeated addresses: each keeps its first place and name. */
export function onlyOnce(list: readonly Recipient[]): Iterable<Recipient> {
  if (list.length === 1) return list;
  const once = new Map<string, Recipient>();
  for (const one of list) {
    const before = once.get(one.email);
    if (!before || (!before.name && one.name)) once.set(one.email, one);
  }
  return once.values();
}

/**
 * Joins the messages for each recipient into one: `to` and `cc` see each other, and all read the first one's text. A `cc` or `bcc` does not
 * become a contact.
 */
export function asOneMessage(
  { message, fromEmail }: Pick<Draft, 'message' | 'fromEmail'>,
  rendered: readonly PreparedRecipient[],
  known: ReadonlyMap<string, { readonly contactId: string }>,
): readonly PreparedRecipient[] {
  const [first] = rendered;
  if (!isCopied(message) || !first) return rendered;
  const [to, cc] = [message.to, message.cc ?? NO_ONE];
  // Not derived from an e-mail's id: recipients of copies could recognize each other's reports by it.
  const messageId = messageIdOf(newId('msg'), fromEmail);
  const people = [...new Set([...to, ...cc].flatMap(({ email }) => known.get(email)?.contactId ?? []))];
  const shown = { to: headerOf(to), cc: headerOf(cc) };
  const asOf = (email: string): Copied['as'] => (isIn(to, email) ? 'to' : isIn(cc, email) ? 'cc' : 'bcc');
  return rendered.map((each) => {
    const as = asOf(each.email);
    const copied: Copied = { as, ...shown, people, words: first.contactId };
    return { ...each, createsContact: as === 'to' && each.createsContact, copied, messageId };
  });
}

const isIn = (list: readonly Recipient[], email: string): boolean => list.some((one) => one.email === email);

const headerOf = (list: readonly Recipient[]): Copied['to'] => [...onlyOnce(list)].map(({ email, name }) => ({ address: email, name }));
