import { getTranslations, putTranslations } from '../../src/sending/translations';
import type { StoredStrings } from '../../src/sending/translations';
import { endpoint, extensions } from '../http/endpoint';
import { z } from 'zod';
import { ANY_LANGUAGE, STRING_KEY } from '../../src/rules/strings';
import type { Strings } from '../../src/rules/strings';
import { canonicalTags, languagesOnce } from '../http/language-tags';
import { keyed } from '../http/keys-and-repeats';
import { PATTERNS } from '../http/patterns';
import { count, fault, timestamp } from '../http/pieces';

const MOST_KEYS = 1_000;
const MOST_LANGUAGES = 100;
const LONGEST = 2_000;
/** All of them are one document. */
const MOST_CHARACTERS = 1_000_000;

const KEYS = 'The texts by key, as in `{{t "greeting"}}`, and within a key by language (BCP 47); `default` is for all other languages';

const text = z.string().min(1).max(LONGEST);
const texts = keyed(text, {
  most: MOST_LANGUAGES,
  what: 'languages',
  check: (languages, ctx) => {
    languagesOnce(languages, ctx, [ANY_LANGUAGE]);
    if (!languages.includes(ANY_LANGUAGE)) fault(ctx, 'invalid_combination', 'Required: the text for all other languages', [ANY_LANGUAGE]);
  },
}).transform(canonicalTags);

const translations = keyed(texts, {
  most: MOST_KEYS,
  what: 'keys',
  check: (keys, ctx, given) => {
    if (JSON.stringify(given).length > MOST_CHARACTERS) return fault(ctx, 'too_big', 'At most 1,000,000 characters in all');
    for (const key of keys)
      if (!STRING_KEY.test(key))
        fault(ctx, 'invalid_string', 'A key is a letter, and up to 99 letters, digits, dots, underscores and hyphens', [key]);
  },
})
  .transform((given): Strings => given)
  .meta({
    description: `${KEYS}. Replaces all of them`,
    propertyNames: { pattern: STRING_KEY.source },
    maxProperties: MOST_KEYS,
    additionalProperties: {
      type: 'object',
      properties: { default: { type: 'string', minLength: 1, maxLength: LONGEST, description: 'The text for all other languages' } },
      required: [ANY_LANGUAGE],
      additionalProperties: { type: 'string', minLength: 1, maxLength: LONGEST },
      propertyNames: { anyOf: [{ const: ANY_LANGUAGE }, { pattern: PATTERNS.locale }] },
      maxProperties: MOST_LANGUAGES,
    },
  });

const PutTranslations = z.strictObject({
  translations,
  version: z
    .int()
    .min(0)
    .optional()
    .meta({ description: 'The version that you read. If another change came first, the answer is 409 `conflict`. Default: not checked' }),
});

const Translations = z
  .object({
    translations: z.record(z.string(), z.record(z.string(), z.string())).meta({ description: KEYS }),
    version: count.meta({ description: 'Counts the changes; 0 before the first' }),
    updatedAt: timestamp.nullable().meta({ description: 'When they last changed; null if never' }),
  })
  .meta({ id: 'Translations', description: "A project's own short texts by language, which mail reads with `{{t}}`" });

const toTranslations = ({ strings, ...stored }: StoredStrings) => ({ translations: strings, ...stored });

export const translationExtensions = extensions('Extensions', [
  endpoint('GET /v1/translations', {
    operationId: 'getTranslations',
    summary: "Get the project's translations",
    response: Translations,
    handle: async ({ ctx }) => toTranslations(await getTranslations(ctx)),
  }),
  endpoint('PUT /v1/translations', {
    operationId: 'replaceTranslations',
    summary: "Replace the project's translations",
    description: 'Messages that were accepted before, and campaigns that were launched or scheduled before, keep the earlier texts.',
    request: { body: PutTranslations },
    response: Translations,
    errors: ['conflict'],
    audit: () => ['translations.update', null],
    handle: async ({ ctx, body }) => toTranslations(await putTranslations(ctx, body.translations, body.version)),
  }),
]);
