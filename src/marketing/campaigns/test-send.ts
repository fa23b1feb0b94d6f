import type { Variant } from '../../contracts/campaign';
import { invalid } from '../../platform/core';
import type { Context } from '../../platform/core';
import { acceptTrials } from '../../sending/accept';
import type { TrialsSent } from '../../sending/accept';
import { readCampaign } from './drafts';
import { feedOfTest } from './feed';
import type { Campaign } from './model';

/** A test of a campaign: where it goes, in which language, and with which subject of an A/B test. */
interface TestSend {
  readonly to: string;
  readonly language?: string | undefined;
  readonly abSubject?: Variant | undefined;
}

/** Returns a campaign with the subjects of one variant. Throws 422 at `abSubject` for the second one of a campaign that has only one. */
function asVariant(campaign: Campaign, variant: Variant): Campaign {
  const { abSubjectB, variants } = campaign;
  if (variant === 'a') return campaign;
  if (abSubjectB === null) throw invalid('abSubject', 'invalid_combination', 'The campaign has one subject');
  const translated = Object.entries(variants ?? {}).map(([language, each]) => [
    language,
    { ...each, subject: each.abSubjectB ?? each.subject },
  ]);
  return {
    ...campaign,
    subject: abSubjectB,
    ...(variants && { variants: Object.fromEntries(translated) as NonNullable<typeof variants> }),
  };
}

/**
 * Sends the current content to one address, its subject prefixed with `[Test] `. The address is no recipient of the campaign and counts in none of its
 * counters. Throws `not_found`, and what `asVariant`, `feedOfTest` and `acceptTrials` throw.
 */
export async function testSendCampaign(ctx: Context, id: string, { to, language, abSubject = 'a' }: TestSend): Promise<TrialsSent> {
  const campaign = asVariant(await readCampaign(ctx, id), abSubject);
  const { subject, body, previewText, fromEmail, fromName, replyTo, variants = null } = campaign;
  const feed = await feedOfTest(ctx, campaign);
  const trial = {
    subject,
    html: body,
    text: null,
    previewText,
    templateId: null,
    variants,
    variables: feed ? { feed } : {},
    from: fromEmail,
    fromName,
    replyTo,
    type: 'marketing' as const,
  };
  return acceptTrials(ctx, to, trial, { languages: Object.keys(variants ?? {}), language });
}
