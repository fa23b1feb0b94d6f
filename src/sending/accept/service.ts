import type { Context, RateState } from '../../platform/core';
import { wakeDelivery, wakeDeliveryBy } from '../../platform/wake-ups';
import type { Email } from '../../records/emails';
import { AppError, invalid, rateHeaders } from '../../platform/core';
import { AnswerKey, oneAtATime, storedAnswers } from '../../platform/idempotency';
import { metrics } from '../../platform/metrics';
import { databaseNow } from '../../platform/mongo';
import { startNow } from '../../platform/outbox';
import { replay, replayed } from './commit';
import { recipientsOf } from './copies';
import type { Accepted } from './commit';
import { commit } from './group-commit';
import { RateBucketModel } from './models';
import type { RateBucket } from './models';
import { prepare } from './prepare';
import { Bucket } from './rate';
import type { SendOutcome, SendRequest } from './types';

export type { SendMessage, SendOutcome, SendRequest } from './types';

/**
 * Accepts a request: renders each message for each recipient, then stores all of it in the ledger in one transaction.
 * Throws `validation_error`, `send_failed` (single sends), `idempotency_key_reused`, `idempotency_in_progress` and `rate_limited`.
 */
export async function acceptSend(ctx: Context, request: SendRequest): Promise<SendOutcome> {
  const units = request.messages.reduce((sum, message) => sum + recipientsOf(message).length, 0);
  const burst = ctx.core.config.SEND_RATE_BURST;
  if (units > burst) {
    throw invalid(
      request.endpoint === 'batch' ? 'messages' : 'to',
      'too_big',
      `More than ${burst} messages in one request can never be sent`,
    );
  }
  const { idempotency } = request;
  if (!idempotency) return accept(ctx, request, units, null);
  const key = new AnswerKey(ctx, request.endpoint, idempotency.key);
  return withRateHeaders(ctx, () =>
    oneAtATime(key.id, idempotency.fingerprint, async () => (await answered(ctx, request, key)) ?? accept(ctx, request, units, key)),
  );
}

/** Resolves to the stored answer of an earlier request with the same key and body, or null. */
export async function replaySend(
  ctx: Context,
  { endpoint, idempotency }: Pick<SendRequest, 'endpoint' | 'idempotency'>,
): Promise<SendOutcome | null> {
  if (!idempotency) return null;
  const key = new AnswerKey(ctx, endpoint, idempotency.key);
  const row = (await storedAnswers([key.id])).get(key.id);
  return row?.fingerprint === idempotency.fingerprint ? replayed(row, key, await bucketState(ctx)) : null;
}

/** Adds the state of the bucket to a 409 as well (docs/sending.md, Rate limit). */
async function withRateHeaders<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError && error.code.startsWith('idempotency_'))) throw error;
    const headers = { ...error.headers, ...rateHeaders(await bucketState(ctx)) };
    throw new AppError(error.code, error.message, error.details, { headers });
  }
}

async function bucketState(ctx: Context): Promise<RateState> {
  const row = await RateBucketModel.findById(ctx.projectId).lean<RateBucket>();
  return new Bucket(ctx.core.config, ctx.project, row, await databaseNow()).state();
}

async function accept(ctx: Context, request: SendRequest, units: number, answerKey: AnswerKey | null): Promise<Accepted> {
  const began = performance.now();
  const prepared = await prepare(ctx, request);
  const [only] = prepared;
  if (request.endpoint === 'send' && only && 'failed' in only) throw only.failed;
  const accepted = await commit({ ctx, request, prepared, units, answerKey });
  metrics.acceptSeconds.observe({ endpoint: request.endpoint }, (performance.now() - began) / 1_000);
  metrics.accepted.inc({ kind: 'transactional' }, accepted.emails.length);
  if (accepted.intents.length > 0) startNow(ctx.core, accepted.intents);
  wakePumps(ctx, accepted.emails);
  return accepted;
}

function wakePumps({ core }: Context, emails: readonly Email[]): void {
  const waiting = emails.filter(({ dueAt }) => dueAt);
  for (const shard of new Set(waiting.filter(({ scheduledFor }) => !scheduledFor).map((email) => email.shard))) wakeDelivery(core, shard);
  for (const { shard, scheduledFor } of waiting) if (scheduledFor) wakeDeliveryBy(core, shard, scheduledFor);
}

/** Resolves to the stored answer of an earlier request, without taking rate units. */
async function answered(ctx: Context, request: SendRequest, key: AnswerKey): Promise<Accepted | null> {
  const row = (await storedAnswers([key.id])).get(key.id);
  if (!row) return null;
  const outcome = replay(row, key, request, await bucketState(ctx));
  if ('refused' in outcome) throw outcome.refused;
  return outcome.accepted;
}
