import { AppError } from '../../../src/platform/core';
import { acceptSend, replaySend } from '../../../src/sending/accept';
import type { SendMessage, SendOutcome, SendRequest } from '../../../src/sending/accept';
import { checked } from './operations';
import type { Asker } from '../../http/perform';
import { SEND_BODY_LIMIT } from '../../send/schemas';

/** The limits of operations that send. */
export const SEND_LIMITS = { bodyBytes: SEND_BODY_LIMIT, ownRate: true } as const;

type SendReply = SendOutcome['reply'];
type Entry = SendReply['results'][number];
type Failed = Extract<Entry, { readonly error: unknown }>;

/** Checks a message as `POST /v1/send` does. Several recipients in `to` get one message that shows them all. Throws `validation_error`. */
export function messageFrom(asker: Asker, body: unknown): SendMessage {
  const message = checked('send', asker, { body }).body as SendMessage;
  return message.to.length > 1 ? { ...message, cc: message.cc ?? [] } : message;
}

interface Sending extends Omit<SendRequest, 'messages'> {
  /** Called only if the request was not answered before. */
  readonly messages: () => Promise<readonly SendMessage[]>;
}

/** Accepts messages, once for an idempotency key. */
export async function acceptOnce({ ctx }: Asker, { messages, ...request }: Sending): Promise<SendOutcome> {
  return (await replaySend(ctx, request)) ?? acceptSend(ctx, { ...request, messages: await messages() });
}

/** The outcome of a message, for all its recipients. */
export interface Fate {
  /** The id of its first recipient's copy; null if there is none. */
  readonly id: string | null;
  /** Recipients who get nothing, and why. */
  readonly skipped: readonly { readonly to: string; readonly reason: string }[];
  /** Why there is none, where it failed as a whole. */
  readonly failed: Failed['error'] | null;
}

type Results = Pick<Extract<Entry, { readonly results: unknown }>, 'results' | 'cc' | 'bcc'>;

const fateOf = ({ results, cc = [], bcc = [] }: Results): Fate => {
  const all = [...results, ...cc, ...bcc];
  const first = all.find((each) => 'id' in each);
  return {
    id: first && 'id' in first ? first.id : null,
    skipped: all.flatMap((each) => ('skipped' in each ? [{ to: each.to, reason: each.skipped }] : [])),
    failed: null,
  };
};

/** Returns the outcomes of the messages of a batch, each of whose `to` was a list. */
export const fatesOf = ({ results }: SendReply): readonly Fate[] =>
  results.map((entry) => {
    if ('error' in entry) return { id: null, skipped: [], failed: entry.error };
    return fateOf('results' in entry ? entry : { results: [entry] });
  });

/** Returns the outcome of a single message. */
export const fateOfOne = ({ results, cc, bcc }: SendReply): Fate =>
  fateOf({ results: results as Results['results'], ...(cc && { cc }), ...(bcc && { bcc }) });

const QUOTAS: ReadonlySet<string> = new Set(['free_tier_exceeded', 'plan_quota_exceeded']);

/** Returns why nobody gets a message: that of its first recipient. */
export function refusalOf({ skipped: [first] }: Fate): AppError {
  if (!first) return new AppError('send_failed', 'The message has no recipient');
  const message = `${first.to} gets no mail: ${first.reason}`;
  return new AppError(QUOTAS.has(first.reason) ? 'limit_reached' : 'send_failed', message);
}
