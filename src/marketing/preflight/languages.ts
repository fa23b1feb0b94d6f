import type { ContactFields } from '../../message/template';
import { fine, found, listed } from '../../rules/preflight/finding';
import type { Finding } from '../../rules/preflight/finding';
import { languageChooser, missingIn } from '../../rules/translations';
import { namedString } from '../../sending/translations';
import type { StringGaps } from '../../sending/translations';
import type { Campaign } from '../campaigns';

/** A smaller part of the sample is not worth a variant of its own. */
const LEAST_SHARE = 0.05;

const primary = (locale: string): string => locale.toLowerCase().split(/[-_]/)[0] ?? locale;

/** Lists the languages that part of the readers have and the campaign does not, with their share. The default's is not known, so the most frequent one is left out. */
function withoutVariant(campaign: Campaign, readers: readonly ContactFields[]): readonly string[] {
  const languageFor = languageChooser(Object.keys(campaign.variants ?? {}));
  const counted = new Map<string, number>();
  for (const { locale } of readers) {
    if (locale !== null && languageFor(locale) === null) counted.set(primary(locale), (counted.get(primary(locale)) ?? 0) + 1);
  }
  const [, ...others] = [...counted].sort(([, one], [, other]) => other - one);
  return others
    .filter(([, count]) => count / readers.length >= LEAST_SHARE)
    .map(([language, count]) => `${language}: ${Math.round((count / readers.length) * 100)} %`);
}

/** Checks that the strings read by the content for a language exist. Returns no finding if they all do. */
export function checkStrings(strings: StringGaps, language: string | null): readonly Finding[] {
  const absent = strings.absentIn(language);
  if (absent.length === 0) return [];
  const how = 'Add the translations, or give a fallback: {{t "greeting" | "Hello"}}.';
  return [
    found(
      'block',
      'translations',
      'The message reads translations that do not exist.',
      how,
      listed(absent.map((key) => `{{${namedString(key)}}}`)),
    ),
  ];
}

/** Checks the variants of a campaign, and the languages of its strings, against its default and a sample of its audience; nothing for a campaign in one language. */
export function checkLanguages(campaign: Campaign, readers: readonly ContactFields[], strings: StringGaps): readonly Finding[] {
  const { variants } = campaign;
  const lacking = strings.languages.flatMap((language) => {
    const variant = variants?.[language];
    const missing = [...(variant ? missingIn(campaign, variant) : []), ...strings.lackingIn(language).map(namedString)];
    return missing.length === 0 ? [] : [`${language}: ${missing.join(', ')}`];
  });
  if (lacking.length > 0)
    return [
      found('warn', 'languages', 'Languages lack texts that the default has.', 'Write the texts in these languages too.', listed(lacking)),
    ];
  if (!variants) return [];
  const uncovered = withoutVariant(campaign, readers);
  if (uncovered.length > 0) {
    const how = 'Add these languages, or let these contacts get the default.';
    return [found('warn', 'languages', 'Part of the audience has a language without a variant.', how, listed(uncovered))];
  }
  return [fine('languages', 'Each language has all texts that the default has.', listed(Object.keys(variants), ', '))];
}
