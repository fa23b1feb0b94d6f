import { invalidState } from '../../platform/core';
import type { Context } from '../../platform/core';
import { languageChooser, missingIn } from '../../rules/translations';
import { missingStrings, namedString } from '../../sending/translations';
import { audiencePage } from './audience';
import type { AudiencePage } from './audience';
import { readCampaign } from './drafts';

/** Locales that are listed at most, those of most recipients first. */
const MOST_LOCALES = 100;

/** A language of a campaign: null for the default content. */
interface CoveredLanguage {
  readonly language: string | null;
  readonly recipients: number;
  /** Members that the default has, and the variant lacks, and strings of the project without a text in it; for the default, strings that do not exist. */
  readonly missing: readonly string[];
}

/** Which recipients of a campaign get which language. */
export interface Coverage {
  readonly campaignId: string;
  readonly recipients: number;
  readonly languages: readonly CoveredLanguage[];
  /** The locales of the recipients, and the language that each gets. */
  readonly locales: readonly { readonly locale: string | null; readonly recipients: number; readonly language: string | null }[];
  readonly asOf: Date;
}

/** Counts which recipients a send would reach now in which language. Throws `not_found`, and `invalid_state` unless it is a draft or scheduled. */
export async function readCoverage(ctx: Context, id: string): Promise<Coverage> {
  const campaign = await readCampaign(ctx, id);
  const { status, variants } = campaign;
  if (status !== 'draft' && status !== 'scheduled')
    throw invalidState(`Only a draft or a scheduled campaign has language coverage; this one is ${status}`);
  const asOf = new Date();
  const counted = new Map<string | null, number>();
  for (let after: string | null = ''; after !== null;) {
    const { members, next }: AudiencePage = await audiencePage(ctx.project, campaign, asOf, after, { locale: 1 });
    for (const { locale = null } of members) counted.set(locale, (counted.get(locale) ?? 0) + 1);
    after = next;
  }
  const languageFor = languageChooser(Object.keys(variants ?? {}));
  const locales = [...counted]
    .map(([locale, recipients]) => ({ locale, recipients, language: languageFor(locale) }))
    .sort((one, other) => other.recipients - one.recipients);
  const recipientsIn = (wanted: string | null): number =>
    locales.reduce((sum, { language, recipients }) => sum + (language === wanted ? recipients : 0), 0);
  const strings = await missingStrings(ctx, campaign);
  const untranslated = (language: string | null): readonly string[] =>
    language === null ? strings.absent : [...strings.absentIn(language), ...strings.lackingIn(language)].sort();
  const languages = [null, ...Object.keys(variants ?? {})].map((language) => ({
    language,
    recipients: recipientsIn(language),
    missing: [...(language === null ? [] : missingIn(campaign, variants?.[language])), ...untranslated(language).map(namedString)],
  }));
  const recipients = languages.reduce((sum, each) => sum + each.recipients, 0);
  return { campaignId: id, recipients, languages, locales: locales.slice(0, MOST_LOCALES), asOf };
}
