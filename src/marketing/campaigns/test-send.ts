import type { Context } from '../../platform/core';
import { acceptTrials } from '../../sending/accept';
import type { TrialsSent } from '../../sending/accept';
import { readCampaign } from './drafts';
import { feedOfTest } from './feed';

/** A test of a campaign: where it goes, and in which language. */
interface TestSend {
  readonly to: string;
  readonly language?: string | undefined;
}

/**
 * Sends the current content to one address, its subject prefixed with `[Test] `. The address is no recipient of the campaign and counts in none of its
 * counters. Throws `not_found`, and what `feedOfTest` and `acceptTrials` throw.
 */
export async function testSendCampaign(ctx: Context, id: string, { to, language }: TestSend): Promise<TrialsSent> {
  const campaign = await readCampaign(ctx, id);
  const { subject, body, previewText, fromEmail, fromName, replyTo, variants = null } = campaign;
  const feed = await feedOfTest(ctx, campaign);
  const trial = {
    ...{ subject, html: body, text: null, previewText, templateId: null, variants, variables: feed ? { feed } : {} },
    ...{ from: fromEmail, fromName, replyTo, type: 'marketing' as const },
  };
  return acceptTrials(ctx, to, trial, { languages: Object.keys(variants ?? {}), language });
}
