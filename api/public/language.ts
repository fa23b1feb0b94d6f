import type { Request } from 'express';
import { PAGE_TEXTS } from './page-texts';
import type { Language } from './page-texts';

const SPOKEN = Object.keys(PAGE_TEXTS) as Language[];

const isSpoken = (tag: string): tag is Language => Object.hasOwn(PAGE_TEXTS, tag);

/** Returns the language of a tag (RFC 5646) as RFC 4647 3.4 looks it up: shorter and shorter, from its end. Null for one that no page is written in. */
function lookedUp(tag: string): Language | null {
  const subtags = tag.trim().toLowerCase().split(/[-_]/);
  for (; subtags.length > 0; subtags.pop()) {
    const range = subtags.join('-');
    if (isSpoken(range)) return range;
  }
  return null;
}

/** Returns the language of a page: the reader's own where it is known, else what the browser asks for, else English. */
export function languageOf(req: Request, locale: string | null): Language {
  const own = locale === null ? null : lookedUp(locale);
  if (own !== null) return own;
  const asked = req.acceptsLanguages(SPOKEN);
  return asked !== false && isSpoken(asked) ? asked : 'en';
}
