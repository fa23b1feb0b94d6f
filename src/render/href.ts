import { decodeEntities } from './entities';
import { escapeMarkup } from './escape';

const SAFE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);
// eslint-disable-next-line no-control-regex -- browsers ignore exactly these around a URL
const AROUND = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;
const INSIDE = /[\t\n\r]+/g;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

/** The URL that a browser makes of an attribute as written (WHATWG URL, "remove leading and trailing", "remove tab or newline"). */
export function urlOf(attribute: string): string {
  return decodeEntities(attribute).replace(AROUND, '').replace(INSIDE, '');
}

/** The scheme in lower case, or null for a relative URL. */
export function schemeOf(url: string): string | null {
  return SCHEME.exec(url)?.[1]?.toLowerCase() ?? null;
}

export function isSafeScheme(scheme: string): boolean {
  return SAFE_SCHEMES.has(scheme);
}

export interface HrefPlace {
  readonly trackable: boolean;
  readonly quoted: boolean;
}

/** Answers what to put in place of a URL that is to count clicks, or null to let it be. */
export interface Tracker {
  tracked(url: string): string | null;
}

/** An `href` as it goes out: `#` for an unsafe scheme, the counting link for a trackable one, else the very same text. */
export function rewriteHref(attribute: string, { trackable, quoted }: HrefPlace, tracker: Tracker): string {
  const url = urlOf(attribute);
  const scheme = schemeOf(url);
  if (scheme === null) return attribute;
  const isWeb = scheme === 'http' || scheme === 'https';
  const instead = !isSafeScheme(scheme) ? '#' : trackable && isWeb ? tracker.tracked(url) : null;
  if (instead === null) return attribute;
  return quoted ? escapeMarkup(instead) : `"${escapeMarkup(instead)}"`;
}
