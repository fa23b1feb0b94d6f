import type { Request } from 'express';
import { LANGUAGES, isLanguage, languageOfTag } from '../../src/rules/languages';
import type { Language } from '../../src/rules/languages';

/** Returns the language of a page: the reader's own where it is known, else what the browser asks for, else English. */
export function languageOf(req: Request, locale: string | null): Language {
  const own = locale === null ? null : languageOfTag(locale);
  if (own !== null) return own;
  const asked = req.acceptsLanguages([...LANGUAGES]);
  return asked !== false && isLanguage(asked) ? asked : 'en';
}
