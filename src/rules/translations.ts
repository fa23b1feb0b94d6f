import { lookUp } from './languages';

/** A content in one language: what replaces the default's. */
export interface Translation {
  readonly subject: string;
  /** HTML. */
  readonly body: string;
  /** Absent or null for none. */
  readonly previewText?: string | null | undefined;
  /** Absent or null for the default's. */
  readonly fromName?: string | null | undefined;
  /** The second subject of an A/B test; absent or null where both groups get `subject`. */
  readonly abSubjectB?: string | null | undefined;
  /** The editor's design that the HTML comes from, which is never sent; stored as JSON text, except in the graph of an automation. */
  readonly bodyBlocks?: unknown;
}

/** The variants of a content by language (BCP 47, in the canonical form). */
export type Translations = Readonly<Record<string, Translation>>;

/** Changes of variants by language: each is replaced as a whole, null removes it, and all others stay. */
export type TranslationChanges<T = Translation> = Readonly<Record<string, T | null>>;

/** Returns variants with the changes; all are removed by null, and none is changed by undefined. */
export function withChanges<T>(
  variants: Readonly<Record<string, T>> | null | undefined,
  changes: TranslationChanges<T> | null | undefined,
): Readonly<Record<string, T>> {
  if (changes === null) return {};
  const changed: TranslationChanges<T> = { ...variants, ...changes };
  return Object.fromEntries(
    Object.entries(changed).flatMap(([language, variant]): [string, T][] => (variant === null ? [] : [[language, variant]])),
  );
}

export const MOST_LANGUAGES = 30;
/** All variants of a content are one document with it. */
const MOST_CHARACTERS = 3 * 1_048_576;

const charactersOf = (value: unknown): number => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length;

/** Returns why variants are too large to be stored, designs included; null if they are not. */
export function excessOf(variants: Readonly<Record<string, unknown>>): string | null {
  const given = Object.values(variants).filter((variant) => variant !== null);
  if (given.length > MOST_LANGUAGES) return `At most ${MOST_LANGUAGES} languages`;
  const characters = given
    .flatMap((variant): unknown[] => Object.values(Object(variant) as object))
    .reduce<number>((sum, value) => sum + charactersOf(value), 0);
  return characters > MOST_CHARACTERS ? 'At most 3 MiB for all languages together' : null;
}

/** Contacts have few locales: each is looked up once. */
const MOST_LOCALES = 1_000;

/** Returns what finds the variant for a locale, from `de-AT` to `de`; null for the default. */
export function languageChooser(languages: readonly string[]): (locale: string | null) => string | null {
  const byTag = new Map(languages.map((language) => [language.toLowerCase(), language]));
  const known = new Map<string, string | null>();
  return (locale) => {
    if (locale === null) return null;
    let language = known.get(locale);
    if (language === undefined) {
      language = lookUp(canonical(locale), (range) => byTag.get(range) ?? null);
      if (known.size < MOST_LOCALES) known.set(locale, language);
    }
    return language;
  };
}

/** Returns a tag with today's name of its language: `iw` is Hebrew too. */
function canonical(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale.replaceAll('_', '-'))[0] ?? locale;
  } catch {
    return locale;
  }
}

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']);

/** Returns the direction in which a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const { script } = new Intl.Locale(language).maximize();
  return script !== undefined && RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
}

/** Lists the members that the default has a text in, and a variant lacks. The name of the sender may be the same in all languages. */
export const missingIn = (
  content: Pick<Translation, 'previewText' | 'abSubjectB'>,
  variant: Pick<Translation, 'previewText' | 'abSubjectB'> | undefined,
): readonly string[] => (['previewText', 'abSubjectB'] as const).filter((member) => content[member] && !variant?.[member]);
