import type { Context } from '../../src/platform/core';
import { answerOnce, earlierAnswer } from '../../src/platform/idempotency';
import type { Keep, OnceRequest } from '../../src/platform/idempotency';
import { Reply, reply } from './answers';
import type { Status } from './answers';

type Replayable<A> = A & { readonly replay?: true };

export const REPLAY_MARK = 'X-Idempotent-Replay';

/** Returns whether an answer repeats an earlier one. */
export const isReplay = (answer: unknown): boolean => answer instanceof Reply && REPLAY_MARK in answer.headers;

/** Sets both marks of a replay together. */
export const replayed = <A extends object>(status: Status, answer: A): Reply<Replayable<A>> =>
  reply(status, { ...answer, replay: true as const }, { [REPLAY_MARK]: 'true' });

/** Resolves to the answer to a request that is done once for its `Idempotency-Key`. `work` passes `keep` on to where it is done. */
export async function answeredOnce<T, A extends object>(
  ctx: Context,
  idempotency: OnceRequest | null,
  { status, present }: { readonly status: Status; readonly present: (done: T) => A },
  work: (keep: Keep<T>) => Promise<T>,
): Promise<Reply<Replayable<A>>> {
  const done = await answerOnce(ctx, idempotency, present, work);
  return done.replay ? replayed(status, done.answer) : reply(status, done.answer);
}

/** Resolves to the stored answer, for a body that was good once and is refused by now. */
export async function storedReply<A extends object>(
  ctx: Context,
  idempotency: OnceRequest,
  status: Status,
): Promise<Reply<Replayable<A>> | null> {
  const answer = await earlierAnswer<A>(ctx, idempotency);
  return answer && replayed(status, answer);
}
