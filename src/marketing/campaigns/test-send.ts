import type { Context } from '../../platform/core';
import { acceptTrial } from '../../sending/accept';
import type { TrialSent } from '../../sending/accept';
import { readCampaign } from './drafts';
import { feedOfTest } from './feed';

/**
 * Sends the current content to one address, its subject prefixed with `[Test] `. The address is no recipient of the campaign and counts in none of its
 * counters. Throws `not_found`, and what `feedOfTest` and `acceptTrial` throw.
 */
export async function testSendCampaign(ctx: Context, id: string, to: string): Promise<TrialSent> {
  const campaign = await readCampaign(ctx, id);
  const { subject, body, previewText, fromEmail, fromName, replyTo } = campaign;
  const feed = await feedOfTest(ctx, campaign);
  return acceptTrial(ctx, to, {
    subject: `[Test] ${subject}`,
    html: body,
    text: null,
    previewText,
    templateId: null,
    variables: feed ? { feed } : {},
    from: fromEmail,
    fromName,
    replyTo,
    type: 'marketing',
  });
}
