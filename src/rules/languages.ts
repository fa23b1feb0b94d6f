/** The languages that the platform's own words to recipients are written in: public pages and the footer of marketing mail. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'nl', 'it', 'pt', 'pl'] as const;

export type Language = (typeof LANGUAGES)[number];

export const isLanguage = (tag: string): tag is Language => (LANGUAGES as readonly string[]).includes(tag);

/** Returns the language that a tag (RFC 5646) asks for, looked up as RFC 4647 section 3.4 describes; null where it is none of ours. */
export function languageOfTag(tag: string): Language | null {
  const subtags = tag.trim().toLowerCase().split(/[-_]/);
  for (; subtags.length > 0; subtags.pop()) {
    const range = subtags.join('-');
    if (isLanguage(range)) return range;
  }
  return null;
}
