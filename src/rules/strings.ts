import { languageChooser } from './translations';

/** A project's own short texts: by key, and by language (BCP 47) within it. The text of `default` is for all other languages. */
export type Strings = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The key for all languages that have no text of their own. */
export const ANY_LANGUAGE = 'default';

/** The form of a key: `greeting`, `footer.thanks`. */
export const STRING_KEY = /^[A-Za-z][\w.-]{0,99}$/;

/** The ways to read a string in a template: `t "greeting"`. `[t]` is the same helper, and a bare `true` is a key as well. */
const READS = /\bt(?:\s+|\]\s*)(?:["']([A-Za-z][\w.-]{0,99})["']|(true|false|null|undefined)\b)/g;

/** Returns whether templates may read strings of their project. Also true for what only looks like it. */
export const mayReadStrings = (templates: readonly (string | null | undefined)[]): boolean =>
  templates.some((template) => (template ?? '').search(READS) >= 0);

/** Returns those of a project's strings that templates may read; null if there are none. What only looks like a helper is among them: that costs room alone. */
export function stringsIn(strings: Strings | null, templates: readonly (string | null | undefined)[]): Strings | null {
  if (strings === null) return null;
  const keys = new Set(templates.flatMap((template) => [...(template ?? '').matchAll(READS)].map(([, key, word = '']) => key ?? word)));
  const used = [...keys].sort().flatMap((key) => {
    const texts = Object.hasOwn(strings, key) ? strings[key] : undefined;
    return texts ? [[key, texts] as const] : [];
  });
  return used.length === 0 ? null : Object.fromEntries(used);
}

/** Returns the text of a key for a locale, along `de-AT`, `de` and the default; undefined if it has none. */
export type ReadString = (key: string, locale: string | null) => string | undefined;

/** Returns what reads strings. Each locale is looked up once for a key. */
export function stringReader(strings: Strings): ReadString {
  const byKey = new Map(
    Object.entries(strings).map(([key, texts]) => {
      const languages = Object.keys(texts).filter((language) => language !== ANY_LANGUAGE);
      return [key, { texts, languageFor: languageChooser(languages) }];
    }),
  );
  return (key, locale) => {
    const found = byKey.get(key);
    return found?.texts[found.languageFor(locale) ?? ANY_LANGUAGE];
  };
}

/** Lists the languages in which at least one of the keys has a text of its own. */
export function languagesOf(strings: Strings | null, keys: Iterable<string>): readonly string[] {
  const languages = new Set([...keys].flatMap((key) => (strings && Object.hasOwn(strings, key) ? Object.keys(strings[key] ?? {}) : [])));
  languages.delete(ANY_LANGUAGE);
  return [...languages];
}

/** Lists the keys that have no text of their own in a language, from `de-AT` to `de`; for null, those that do not exist. */
export function keysWithout(strings: Strings | null, keys: Iterable<string>, language: string | null): readonly string[] {
  const hasText = (key: string): boolean => {
    const texts = strings && Object.hasOwn(strings, key) ? strings[key] : undefined;
    if (!texts || language === null) return texts !== undefined;
    return languageChooser(Object.keys(texts).filter((each) => each !== ANY_LANGUAGE))(language) !== null;
  };
  return [...new Set(keys)].filter((key) => !hasText(key)).sort();
}
