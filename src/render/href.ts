import { decodeEntities } from './entities';
import { escapeMarkup } from './escape';

const SAFE_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);
// eslint-disable-next-line no-control-regex -- browsers ignore exactly these around a URL
const AROUND = /^[\u0000-\u0020]+|[\u0000-\u0020]+$/g;
const INSIDE = /[\t\n\r]+/g;
// eslint-disable-next-line no-control-regex -- the same
const IGNORED = /[\u0000-\u0020]/;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const PLAINLY_WEB = /^https?:\/\//;

/** The URL that a browser makes of an attribute as written (WHATWG URL, "remove leading and trailing", "remove tab or newline"). */
export function urlOf(attribute: string): string {
  const decoded = decodeEntities(attribute);
  return IGNORED.test(decoded) ? decoded.replace(AROUND, '').replace(INSIDE, '') : decoded;
}

/** The scheme in lower case, or null for a relative URL. */
export function schemeOf(url: string): string | null {
  return SCHEME.exec(url)?.[1]?.toLowerCase() ?? null;
}

export function isSafeScheme(scheme: string): boolean {
  return SAFE_SCHEMES.has(scheme);
}

export function isWebUrl(url: string): boolean {
  if (PLAINLY_WEB.test(url)) return true;
  const scheme = schemeOf(url);
  return scheme === 'http' || scheme === 'https';
}

export interface HrefPlace {
  readonly trackable: boolean;
  readonly quoted: boolean;
}

/** What a rendering does with the links that are to count clicks. */
export interface Tracker {
  /** False when no link is replaced in this rendering. */
  readonly isTracking: boolean;
  /** Answers what to put in place of a URL, or null to let it be. */
  tracked(url: string): string | null;
}

/** An `href` as it goes out: `#` for an unsafe scheme, the counting link for a trackable one, else the very same text. */
export function rewriteHref(attribute: string, { trackable, quoted }: HrefPlace, tracker: Tracker): string {
  const isTracked = trackable && tracker.isTracking;
  if (!isTracked && PLAINLY_WEB.test(attribute)) return attribute;
  const url = urlOf(attribute);
  const scheme = schemeOf(url);
  if (scheme === null) return attribute;
  const instead = !isSafeScheme(scheme) ? '#' : isTracked && isWebUrl(url) ? tracker.tracked(url) : null;
  if (instead === null) return attribute;
  return quoted ? escapeMarkup(instead) : `"${escapeMarkup(instead)}"`;
}
