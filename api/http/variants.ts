import { z } from 'zod';
import { PATTERNS } from './patterns';
import { MEBIBYTE, bodyText, extended, fault, locale, optionalText, personName, previewText, subject } from './pieces';

const MOST_VARIANTS = 30;
/** All variants of a content are one document with it. */
const MOST_CHARACTERS = 3 * MEBIBYTE;

const text = {
  subject,
  body: bodyText.meta({ description: 'HTML with placeholders' }),
  previewText: previewText.nullable().optional().meta({ description: 'The preview text; absent or null for none' }),
  fromName: personName.nullable().optional().meta({ description: "The name of the sender; absent or null for the default's" }),
};

const Variant = z.strictObject(text);

const sizeOf = (variant: object): number =>
  Object.values(variant).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

/** Returns the schema of variants of a content by language, with each tag in its canonical form. */
const byLanguage = <T extends z.ZodType<object>>(variant: T) =>
  z
    .record(z.string(), variant)
    .transform((given, ctx) => {
      const entries = Object.entries(given);
      if (entries.length > MOST_VARIANTS) return fault(ctx, 'too_big', `At most ${MOST_VARIANTS} languages`);
      if (entries.reduce((sum, [, each]) => sum + sizeOf(each), 0) > MOST_CHARACTERS)
        return fault(ctx, 'too_big', 'At most 3 MiB for all languages together');
      const kept: Record<string, z.output<T>> = {};
      for (const [tag, each] of entries) {
        if (!locale.safeParse(tag).success) {
          fault(ctx, 'invalid_string', 'Not a BCP 47 language tag', [tag]);
          continue;
        }
        const language = Intl.getCanonicalLocales(tag)[0] ?? tag;
        if (Object.hasOwn(kept, language)) fault(ctx, 'invalid_combination', `The same language as \`${language}\``, [tag]);
        kept[language] = each;
      }
      return entries.length === 0 ? null : kept;
    })
    .meta({ propertyNames: { pattern: PATTERNS.locale }, maxProperties: MOST_VARIANTS });

const CHOSEN = 'the content in other languages. A contact gets the variant of its `locale`, from `de-AT` to `de`, or the default';

export const variants = extended(
  byLanguage(Variant).nullable().optional(),
  `An extension of this implementation: ${CHOSEN}; null for none`,
);

/** Variants of a campaign may compare subjects, too. */
export const campaignVariants = extended(
  byLanguage(
    Variant.extend({
      abSubjectB: subject.nullable().optional().meta({ description: 'The second subject, if the campaign is an A/B test' }),
    }).meta({ id: 'CampaignVariantInput', description: 'The content of a campaign in one language' }),
  )
    .nullable()
    .optional(),
  `An extension of this implementation: ${CHOSEN}; null for none`,
);

const shown = { subject: z.string(), body: z.string(), previewText: optionalText.optional(), fromName: optionalText.optional() };

const byTag = <T extends z.ZodType>(variant: T) =>
  extended(
    z.record(z.string(), variant).optional(),
    'An extension of this implementation: present if there are variants, by language (BCP 47)',
  );

export const ShownVariants = byTag(z.object(shown).meta({ id: 'ContentVariant', description: 'A content in one language' }));
export const ShownCampaignVariants = byTag(
  z
    .object({ ...shown, abSubjectB: optionalText.optional() })
    .meta({ id: 'CampaignVariant', description: 'The content of a campaign in one language' }),
);

/** The language of a test send. */
export const testLanguage = extended(
  z.union([z.enum(['default', 'all']), locale]).optional(),
  'An extension of this implementation: the language to send (BCP 47), `default`, or `all` for one message in each language. Without it, the address gets what a contact of its locale gets',
);
