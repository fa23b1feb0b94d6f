import type { Context } from '../../platform/core';
import { invalid, invalidState } from '../../platform/core';
import { acceptSend } from './accept';
import type { SendMessage } from './types';

export interface TrialSent {
  readonly id: string;
  readonly to: string;
  readonly status: 'sent' | 'queued' | 'scheduled';
  /** Placeholders that resolved to nothing, where there are any. */
  readonly unresolvedPlaceholders?: readonly string[];
}

/** The members that a trial sets itself; all others are as with any message to one address. */
type Trial = Omit<SendMessage, 'to' | 'toMany' | 'isTrial' | 'headers' | 'attachments' | 'sendAt' | 'createContact'>;

/**
 * Sends a message by which its author tries out a content, also to an address that unsubscribed; its reader does not become a contact. Throws `send_failed`,
 * `rate_limited`, 422 at `to` for a suppressed address, and `invalid_state` for one that is skipped for another reason.
 */
export async function acceptTrial(ctx: Context, to: string, trial: Trial): Promise<TrialSent> {
  const message: SendMessage = {
    ...trial,
    to: [{ email: to, name: null }],
    toMany: false,
    isTrial: true,
    headers: null,
    attachments: [],
    sendAt: null,
    createContact: false,
  };
  const { reply } = await acceptSend(ctx, { endpoint: 'send', messages: [message], idempotency: null });
  const [result] = reply.results;
  if (result && 'id' in result) return result;
  const reason = result && 'skipped' in result ? result.skipped : 'unknown';
  if (reason === 'suppressed') throw invalid('to', 'invalid_string', 'This address is suppressed; see GET /v1/suppressions/check');
  throw invalidState(`Nothing was sent: this address is skipped (${reason})`);
}
