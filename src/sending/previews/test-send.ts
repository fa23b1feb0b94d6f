import type { Context } from '../../platform/core';
import { invalidState } from '../../platform/core';
import { acceptSend } from '../accept';
import type { SendMessage } from '../accept';
import { getTemplate } from '../templates';

export interface TestSend {
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface TestSent {
  readonly id: string;
  readonly to: string;
  readonly status: 'sent' | 'queued' | 'scheduled';
  /** The placeholders that left nothing, where there are any. */
  readonly unresolvedPlaceholders?: readonly string[];
}

/**
 * Sends a template as it stands to one address, its subject prefixed with `[Test] `; its reader does not become a contact.
 * Throws `not_found`, `send_failed`, `rate_limited`, and `invalid_state` for an address that is skipped.
 */
export async function testSendTemplate(ctx: Context, id: string, { to, variables }: TestSend): Promise<TestSent> {
  const { subject } = await getTemplate(ctx, id);
  const message: SendMessage = {
    to: [{ email: to, name: null }],
    toMany: false,
    subject: `[Test] ${subject}`,
    html: null,
    text: null,
    templateId: id,
    variables,
    from: null,
    fromName: null,
    replyTo: null,
    headers: null,
    attachments: [],
    sendAt: null,
    createContact: false,
    type: null,
  };
  const { reply } = await acceptSend(ctx, { endpoint: 'send', messages: [message], idempotency: null, isTrial: true });
  const [result] = reply.results;
  if (result && 'id' in result) return result;
  throw invalidState(`Nothing was sent: this address is skipped (${result && 'skipped' in result ? result.skipped : 'unknown'})`);
}
