import type { Context } from '../../platform/core';
import { invalidState } from '../../platform/core';
import { acceptSend } from '../../sending/accept';
import type { SendMessage } from '../../sending/accept';
import { readCampaign } from './drafts';

export interface TestSent {
  readonly id: string;
  readonly to: string;
  readonly status: 'sent' | 'queued' | 'scheduled';
  /** Placeholders that resolved to nothing, where there are any. */
  readonly unresolvedPlaceholders?: readonly string[];
}

/**
 * Sends the current content to one address, its subject prefixed with `[Test] `. The address is no recipient of the campaign and counts in none of its
 * counters. Throws `not_found`, `send_failed`, `rate_limited`, and `invalid_state` for an address that is skipped.
 */
export async function testSendCampaign(ctx: Context, id: string, to: string): Promise<TestSent> {
  const { subject, body, previewText, fromEmail, fromName, replyTo } = await readCampaign(ctx, id);
  const message: SendMessage = {
    to: [{ email: to, name: null }],
    toMany: false,
    subject: `[Test] ${subject}`,
    html: body,
    text: null,
    previewText,
    templateId: null,
    variables: {},
    from: fromEmail,
    fromName,
    replyTo,
    headers: null,
    attachments: [],
    sendAt: null,
    createContact: false,
    type: 'marketing',
  };
  const { reply } = await acceptSend(ctx, { endpoint: 'send', messages: [message], idempotency: null, isTrial: true });
  const [result] = reply.results;
  if (result && 'id' in result) return result;
  throw invalidState(`Nothing was sent: this address is skipped (${result && 'skipped' in result ? result.skipped : 'unknown'})`);
}
