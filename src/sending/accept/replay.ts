import { AppError, rateHeaders } from '../../platform/core';
import type { Context, RateState } from '../../platform/core';
import { AnswerKey, keyReused, storedAnswer } from '../../platform/idempotency';
import type { IdempotencyRow } from '../../platform/idempotency';
import type { Accepted, Decision } from './commit';
import { rateState } from './rate';
import type { SendOutcome, SendReply, SendRequest } from './types';

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
