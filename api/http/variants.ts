import { z } from 'zod';
import { PATTERNS } from './patterns';
import { RawJson, storedJson } from '../../src/platform/core';
import { isLanguageTag } from '../../src/rules/languages';
import { MOST_LANGUAGES, excessOf } from '../../src/rules/translations';
import type { Translations } from '../../src/rules/translations';
import { design } from './design';
import { keyed } from './keys-and-repeats';
import { canonicalTags, languagesOnce } from './language-tags';
import { added, bodyText, extended, fault, locale, optionalText, personName, previewText, subject, textsOf } from './pieces';

const text = {
  subject,
  body: bodyText.meta({ description: 'HTML with placeholders' }),
  previewText: previewText.nullable().optional().meta({ description: 'The preview text; absent or null for none' }),
  fromName: personName.nullable().optional().meta({ description: "The name of the sender; absent or null for the default's" }),
  bodyBlocks: design.nullable().optional().meta({ description: "The visual editor's design: stored as given, never sent" }),
};

const Variant = z.strictObject(text).meta({ id: 'ContentVariantInput', description: 'The content in one language' });

const CampaignVariant = Variant.extend({
  abSubjectB: subject.nullable().optional().meta({ description: 'The second subject, if the campaign is an A/B test' }),
}).meta({ id: 'CampaignVariantInput', description: 'The content of a campaign in one language' });

/** Returns a variant with its design as it is stored. */
const stored = <V extends { readonly bodyBlocks?: unknown }>({ bodyBlocks = null, ...variant }: V) => ({
  ...variant,
  ...(bodyBlocks !== null && { bodyBlocks: storedJson(bodyBlocks) }),
});

/** Far more than there are languages to remove. */
const MOST_CHANGES = 1_000;

/** Returns the schema of variants of a content by language, with each tag in its canonical form. */
const byLanguage = <T extends z.ZodType<object | null>>(variant: T, most: number) =>
  keyed(variant, {
    most,
    what: 'languages',
    check: (languages, ctx, given) => {
      const excess = excessOf(given);
      if (excess === null) languagesOnce(languages, ctx);
      else fault(ctx, 'too_big', excess);
    },
  })
    .transform(canonicalTags)
    .meta({ propertyNames: { pattern: PATTERNS.locale } });

const CHOSEN = 'the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default';

const NONE = `An extension of this implementation: ${CHOSEN}; null for none`;
const CHANGES = `An extension of this implementation: ${CHOSEN}. Languages that are not given stay; null removes one, or all`;

const given = <T extends z.ZodType<object>>(variant: T) =>
  extended(byLanguage(variant, MOST_LANGUAGES).meta({ maxProperties: MOST_LANGUAGES }).nullable().optional(), NONE);
const changed = <T extends z.ZodType<object>>(variant: T) =>
  extended(byLanguage(variant.nullable(), MOST_CHANGES).nullable().optional(), CHANGES);

/** In the graph of an automation, which is stored as given. */
export const graphVariants = given(Variant);
export const variants = given(Variant.transform(stored));
export const variantChanges = changed(Variant.transform(stored));
/** Variants of a campaign may compare subjects, too. */
export const campaignVariants = given(CampaignVariant.transform(stored));
export const campaignVariantChanges = changed(CampaignVariant.transform(stored));

const shown = {
  subject: z.string(),
  body: z.string(),
  previewText: optionalText.optional(),
  fromName: optionalText.optional(),
  bodyBlocks: design.optional().meta({ description: 'Present if it has a design' }),
};

const byTag = <T extends z.ZodType>(variant: T) =>
  added(z.record(z.string(), variant).optional(), 'present if there are variants, by language (BCP 47)');

export const ShownVariants = byTag(z.object(shown).meta({ id: 'ContentVariant', description: 'A content in one language' }));
export const ShownCampaignVariants = byTag(
  z
    .object({ ...shown, abSubjectB: optionalText.optional() })
    .meta({ id: 'CampaignVariant', description: 'The content of a campaign in one language' }),
);

const TEXTS = ['subject', 'body', 'previewText', 'abSubjectB'] as const;

/** Picks the variants of a raw body, with their texts of an accepted length; none where there are too many. */
export function variantTexts(body: unknown): Translations {
  const { variants: raw } = Object(body) as { readonly variants?: unknown };
  if (typeof raw !== 'object' || raw === null || excessOf(raw as Readonly<Record<string, unknown>>) !== null) return {};
  const entries = Object.entries(raw).filter(([tag, variant]) => variant !== null && isLanguageTag(tag));
  return Object.fromEntries(entries.map(([tag, variant]) => [tag, { subject: '', body: '', ...textsOf(variant, TEXTS) }]));
}

/** Returns variants with their designs as they were given. */
export const shownVariants = (variants: Translations) =>
  Object.fromEntries(
    Object.entries(variants).map(([language, { bodyBlocks, ...variant }]) => [
      language,
      { ...variant, ...(typeof bodyBlocks === 'string' && { bodyBlocks: new RawJson(bodyBlocks) }) },
    ]),
  );

/** The language of a test send. */
export const testLanguage = added(
  z.union([z.enum(['default', 'all']), locale]).optional(),
  'the language to send (BCP 47), `default`, or `all` for one message in each language. Without it, the address gets what a contact of its locale gets',
);
