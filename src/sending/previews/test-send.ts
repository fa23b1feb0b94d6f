import type { Context } from '../../platform/core';
import { acceptTrial } from '../accept';
import type { TrialSent } from '../accept';
import { getTemplate } from '../templates';

export interface TestSend {
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Sends the current content of a template to one address, its subject prefixed with `[Test] `. Throws `not_found`, and what `acceptTrial`
 * throws.
 */
export async function testSendTemplate(ctx: Context, id: string, { to, variables }: TestSend): Promise<TrialSent> {
  const { subject } = await getTemplate(ctx, id);
  return acceptTrial(ctx, to, {
    subject: `[Test] ${subject}`,
    html: null,
    text: null,
    templateId: id,
    variables,
    from: null,
    fromName: null,
    replyTo: null,
    type: null,
  });
}
