import type { Context } from '../../../platform/core';
import { acceptSend } from '../../../sending/accept';
import type { SendMessage, SendOutcome } from '../../../sending/accept';
import type { Submitted } from './message';

type SendResult = SendOutcome['reply']['results'][number];

/** The outcome of a submitted message. */
export interface Submission {
  /** In the order of the recipients. */
  readonly emailIds: readonly string[];
  /** The text of the 250. */
  readonly reply: string;
}

/** The keys of a request decide alone: a program that comes again writes a new date and new boundaries. */
const SAME = 'smtp';

const addressed = (message: Submitted['message'], to: readonly string[]): SendMessage => ({
  ...message,
  to: to.map((email) => ({ email, name: null })),
  toMany: true,
});

/**
 * Accepts a message as `POST /v1/send` does, an e-mail for each recipient. Resolves once all are stored. With a key, each recipient has a key of their own: when
 * some were stored and the others were not, the program comes again with all, and none is stored twice. Throws what `acceptSend` throws.
 *
 * | killed                | found                          | a program that comes again            |
 * |-----------------------|--------------------------------|---------------------------------------|
 * | before a commit       | nothing                        | has the message stored                |
 * | between two of them   | some of the recipients' e-mails | has the others stored                 |
 * | before the 250        | all                            | gets the same ids, and nothing is stored |
 */
export async function submit(ctx: Context, { message, key }: Submitted, recipients: readonly string[]): Promise<Submission> {
  return submissionOf(key === null ? await submitTogether(ctx, message, recipients) : await submitEach(ctx, message, recipients, key));
}

// Without a key all are stored in one transaction, so that none is stored where the answer is a refusal.
async function submitTogether(ctx: Context, message: Submitted['message'], recipients: readonly string[]): Promise<readonly SendResult[]> {
  const { reply } = await acceptSend(ctx, { endpoint: 'smtp', messages: [addressed(message, recipients)], idempotency: null });
  return reply.results;
}

// The first one stores the bytes, which the others share.
async function submitEach(
  ctx: Context,
  message: Submitted['message'],
  [first, ...others]: readonly string[],
  key: string,
): Promise<readonly SendResult[]> {
  const submitTo = async (email: string): Promise<readonly SendResult[]> => {
    const idempotency = { key: `${key}\0${email}`, fingerprint: SAME };
    return (await acceptSend(ctx, { endpoint: 'smtp', messages: [addressed(message, [email])], idempotency })).reply.results;
  };
  if (first === undefined) return [];
  const results = [await submitTo(first), ...(await allOf(others.map(submitTo)))];
  return results.flat();
}

/** Waits for all, also where one fails: nothing of a message is under way once it is answered. */
async function allOf<T>(works: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}

/** A reply is one line of at most 512 characters (RFC 5321 4.5.3.1.5). */
const MOST_NAMED = 10;

function submissionOf(results: readonly SendResult[]): Submission {
  const emailIds = results.flatMap((result) => ('id' in result ? [result.id] : []));
  const skipped = results.flatMap((result) => ('skipped' in result ? [result.skipped] : []));
  const named = emailIds.slice(0, MOST_NAMED).join(' ');
  const more = emailIds.length > MOST_NAMED ? ` and ${emailIds.length - MOST_NAMED} more` : '';
  const left = skipped.length > 0 ? `${skipped.length} skipped: ${[...new Set(skipped)].join(', ')}` : '';
  return { emailIds, reply: `2.0.0 ${[named + more, left].filter(Boolean).join('; ')}` };
}
