import type { ClientSession } from 'mongoose';
import type { Context } from '../core';
import { AnswerKey } from './answer-key';
import { keyReused, oneAtATime, storeAnswers, storedAnswers } from './service';
import type { IdempotencyKey } from './service';

/** A request that is done once for its key. `operation` names the endpoint and what its path names. */
export interface OnceRequest extends IdempotencyKey {
  readonly operation: string;
}

/** Stores the answer for the key, in the transaction of what was done. Throws, so that nothing of it is done, when the key has an answer by then. */
export type Keep<T> = (session: ClientSession, done: T) => Promise<void>;

/** An answer, and whether it is the stored one of an earlier request. */
export interface Answered<A> {
  readonly answer: A;
  readonly replay: boolean;
}

/** Another process was faster with the same key. */
class AnsweredBefore extends Error {
  override readonly name = 'AnsweredBefore';
}

const keyOf = (ctx: Context, { operation, key }: OnceRequest): AnswerKey => new AnswerKey(ctx, operation, key);

/** Resolves to the stored answer to the same key and body, or null. */
export async function earlierAnswer<A>(ctx: Context, request: OnceRequest): Promise<A | null> {
  const key = keyOf(ctx, request);
  const row = (await storedAnswers([key.id])).get(key.id);
  return row?.fingerprint === request.fingerprint ? (JSON.parse(key.open(row.answer)) as A) : null;
}

/** Resolves to the same; throws `idempotency_key_reused` where the key came with another body. */
async function earlierOrRefused<A>(ctx: Context, request: OnceRequest): Promise<A | null> {
  const key = keyOf(ctx, request);
  const row = (await storedAnswers([key.id])).get(key.id);
  if (!row) return null;
  if (row.fingerprint !== request.fingerprint) throw keyReused();
  return JSON.parse(key.open(row.answer)) as A;
}

/**
 * Does what a request asks for, once for its key: `work` calls `keep` in the transaction that does it, and nothing else may refuse the repetition
 * to the answer of the first time. Without a key it is simply done. Throws what `work` throws, `idempotency_key_reused` and `idempotency_in_progress`.
 *
 * | killed            | found                     | happens                                    |
 * |-------------------|---------------------------|--------------------------------------------|
 * | before the commit | nothing                   | a retry does it                            |
 * | after it          | what was done, the answer | a retry is answered from the stored answer |
 */
export async function answerOnce<T, A>(
  ctx: Context,
  request: OnceRequest | null,
  present: (done: T) => A,
  work: (keep: Keep<T>) => Promise<T>,
): Promise<Answered<A>> {
  if (!request) return { answer: present(await work(() => Promise.resolve())), replay: false };
  const key = keyOf(ctx, request);
  const _id = key.id;
  const { fingerprint } = request;
  const keep: Keep<T> = async (session, done) => {
    if ((await storedAnswers([_id], session)).has(_id)) throw new AnsweredBefore();
    await storeAnswers(session, [{ _id, fingerprint, answer: key.seal(JSON.stringify(present(done))), createdAt: new Date() }]);
  };
  return oneAtATime(_id, fingerprint, async () => {
    const earlier = await earlierOrRefused<A>(ctx, request);
    if (earlier) return { answer: earlier, replay: true };
    try {
      return { answer: present(await work(keep)), replay: false };
    } catch (refusal) {
      const meanwhile = await earlierOrRefused<A>(ctx, request);
      if (!meanwhile) throw refusal;
      return { answer: meanwhile, replay: true };
    }
  });
}
