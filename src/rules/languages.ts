/** The languages that the platform's own words to recipients are written in: public pages and the footer of marketing mail. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'it', 'pt', 'pl'] as const;

export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (tag: string): tag is Language => (LANGUAGES as readonly string[]).includes(tag);

const LONGEST_TAG = 64;

/** Returns whether a text is a language tag (BCP 47). */
export function isLanguageTag(text: string): boolean {
  try {
    return text.length <= LONGEST_TAG && new Intl.Locale(text).language !== '';
  } catch {
    return false;
  }
}

/** Returns the first range of a tag (RFC 5646) for which `of` has an answer, from the most specific one, as RFC 4647 section 3.4 looks it up; null for none. */
export function lookUp<T>(tag: string, of: (range: string) => T | null): T | null {
  const subtags = tag.trim().toLowerCase().split(/[-_]/);
  for (; subtags.length > 0; subtags.pop()) {
    const found = of(subtags.join('-'));
    if (found !== null) return found;
  }
  return null;
}

/** Returns the language that a tag asks for; null where it is none of ours. */
export const languageOfTag = (tag: string): Language | null => lookUp(tag, (range) => (isLanguage(range) ? range : null));

/** Returns a text in the first of some languages that it is written in; null where it is in none of them. */
export function textIn(texts: Readonly<Record<string, string>>, tags: readonly string[]): string | null {
  const byTag = new Map(Object.entries(texts).map(([tag, text]) => [tag.toLowerCase(), text]));
  for (const tag of tags) {
    const text = lookUp(tag, (range) => byTag.get(range) ?? null);
    if (text !== null) return text;
  }
  return null;
}
