import { rateHeaders } from '../../src/platform/core';
import type { SendOutcome } from '../../src/sending/accept';
import { REPLAY_MARK } from '../http/once';

/** Returns the headers of an answer: the state of the send rate, and the mark of a replay (docs/sending.md, Idempotency). */
export const outcomeHeaders = ({ reply, rate }: SendOutcome): Readonly<Record<string, string>> => ({
  ...rateHeaders(rate),
  ...(reply.replay && { [REPLAY_MARK]: 'true' }),
});
