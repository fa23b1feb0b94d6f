import { createHash } from 'node:crypto';
import type { Context } from '../context';
import { wakeDelivery } from '../wakes/service';
import { AppError, invalid } from '../errors';
import { startNow } from '../outbox/service';
import { rateHeaders, replay } from './commit';
import type { Accepted } from './commit';
import { commit } from './group-commit';
import { IdempotencyModel, RateBucketModel } from './models';
import type { IdempotencyRow, RateBucket } from './models';
import { prepare } from './prepare';
import { Bucket } from './rate';
import type { RateState, SendReply, SendRequest } from './types';

export { rateHeaders } from './commit';
export type { SendMessage, SendReply, SendRequest } from './types';

/** How long a second request waits for the first one of its key. */
const IN_PROGRESS_MS = 10_000;

interface Running {
  readonly fingerprint: string;
  readonly done: Promise<unknown>;
}

const running = new Map<string, Running>();

/**
 * Accepts a request: renders each message for each recipient, then takes all of it into the ledger in one transaction.
 * Throws `validation_error`, `send_failed` (single sends), `idempotency_key_reused`, `idempotency_in_progress` and `rate_limited`.
 */
export async function acceptSend(ctx: Context, request: SendRequest): Promise<{ readonly reply: SendReply; readonly rate: RateState }> {
  const units = request.messages.reduce((sum, { to }) => sum + to.length, 0);
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
  const id = createHash('sha256')
    .update([ctx.projectId, ctx.testMode ? 'test' : 'live', request.endpoint, idempotency.key].join('\0'))
    .digest('base64url');
  return withRateHeaders(ctx, () =>
    oneAtATime(id, idempotency.fingerprint, async () => (await answered(ctx, request, id)) ?? accept(ctx, request, units, id)),
  );
}

/** A 409 tells the state of the bucket too (docs/sending.md, Rate limit). */
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
  return new Bucket(ctx.core.config, ctx.project, row, new Date()).state();
}

async function accept(ctx: Context, request: SendRequest, units: number, idempotencyId: string | null): Promise<Accepted> {
  const prepared = await prepare(ctx, request);
  const [only] = prepared;
  if (request.endpoint === 'send' && only && 'failed' in only) throw only.failed;
  const accepted = await commit({ ctx, request, prepared, units, idempotencyId });
  if (accepted.intents.length > 0) startNow(ctx.core, accepted.intents);
  for (const shard of new Set(accepted.emails.filter(({ dueAt, scheduledFor }) => dueAt && !scheduledFor).map((email) => email.shard))) {
    wakeDelivery(ctx.core, shard);
  }
  return accepted;
}

/** The stored answer of an earlier request; it takes nothing from the rate. */
async function answered(ctx: Context, request: SendRequest, id: string): Promise<Accepted | null> {
  const row = await IdempotencyModel.findById(id).lean<IdempotencyRow>();
  if (!row) return null;
  const outcome = replay(row, request, await bucketState(ctx));
  if ('refused' in outcome) throw outcome.refused;
  return outcome.accepted;
}

/**
 * Lets requests of one key through one after another within this process; between processes the transaction decides: the later one
 * finds the answer of the earlier one.
 */
async function oneAtATime<T>(id: string, fingerprint: string, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + IN_PROGRESS_MS;
  for (let first = running.get(id); first; first = running.get(id)) {
    if (first.fingerprint !== fingerprint) throw new AppError('idempotency_key_reused', 'This Idempotency-Key is in use with another body');
    if (!(await settlesBefore(first.done, deadline))) {
      throw new AppError('idempotency_in_progress', 'The first request with this Idempotency-Key is still running', [], {
        headers: { 'Retry-After': '1' },
      });
    }
  }
  const done = work();
  running.set(id, { fingerprint, done: done.catch(() => undefined) });
  try {
    return await done;
  } finally {
    running.delete(id);
  }
}

async function settlesBefore(done: Promise<unknown>, deadline: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, deadline - Date.now()));
  });
  const settled = await Promise.race([done.then(() => true as const), late]);
  clearTimeout(timer);
  return settled;
}
