import { directed } from '../../message/template';
import type { Campaign } from '../campaigns';

/** A campaign as those get it who read one of its languages; null for the default. */
export interface CampaignContentIn {
  readonly language: string | null;
  readonly campaign: Campaign;
}

/** Lists the contents of a campaign: the default, and each variant as the only content. */
export function contentsOf({ variants, ...campaign }: Campaign): readonly CampaignContentIn[] {
  const others = Object.entries(variants ?? {}).map(([language, { subject, body, previewText = null, fromName, abSubjectB = null }]) => ({
    language,
    campaign: { ...campaign, subject, body: directed(body, language), previewText, abSubjectB, fromName: fromName ?? campaign.fromName },
  }));
  return [{ language: null, campaign }, ...others];
}
