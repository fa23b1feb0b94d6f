/** Languages that are offered first; any other tag can be typed. */
export const OFFERED = [
  'ar',
  'da',
  'de',
  'en',
  'es',
  'fa',
  'fi',
  'fr',
  'he',
  'it',
  'ja',
  'ko',
  'nl',
  'nb',
  'pl',
  'pt',
  'pt-BR',
  'sv',
  'tr',
  'uk',
  'zh',
];

/** Returns a tag in its canonical form; null for what is none. */
export function canonicalTag(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text.trim())[0] ?? null;
  } catch {
    return null;
  }
}

/** Returns the English name of a language. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Returns the English name of a content's language; null is the default content. */
export const contentName = (language: string | null): string => (language === null ? 'Default' : languageName(language));
