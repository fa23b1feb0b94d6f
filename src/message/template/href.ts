import { textOf } from '../mime';
import type { Pieces } from '../mime';
import { decodeHTMLAttribute } from 'entities';
import { escapeMarkup } from './escape';
import type { TrackedLink } from './types';

/** Schemes that run code or read what is on the reader's machine. */
const UNSAFE_SCHEME = /^(?:javascript|data|vbscript|file|blob):/i;
/** Everything that a scheme has no use for, and that could disguise one. */
const DISGUISE = /[^\x21-\x7e]+/g;
/** Browsers ignore this character, and all before it, around a URL. */
const SPACE = 0x20;
const INSIDE = /[\t\n\r]+/g;
const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;
/** Matches values that need no quotes in an attribute (HTML, "Unquoted attribute value syntax"). */
const FITS_UNQUOTED = /^[^\s"'=<>`]+$/;
const PLAINLY_WEB = /^https?:\/\//;

/** Returns the URL that a browser reads from an attribute as written (WHATWG URL, "remove leading and trailing", "remove tab or newline"). */
export const urlOf = (attribute: string): string => trimmed(decodeHTMLAttribute(attribute)).replace(INSIDE, '');

function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= SPACE) from++;
  while (to > from && text.charCodeAt(to - 1) <= SPACE) to--;
  return text.slice(from, to);
}

/** Returns the scheme in lower case, or null for a relative URL. */
function schemeOf(url: string): string | null {
  return SCHEME.exec(url)?.[1]?.toLowerCase() ?? null;
}

/** Returns whether a URL has a scheme that mail must not contain, even if it is disguised: a mail program may drop what a browser keeps. */
export function isUnsafe(url: string): boolean {
  const end = url.indexOf(':');
  return end > 0 && UNSAFE_SCHEME.test(url.slice(0, end + 1).replace(DISGUISE, ''));
}

/** Returns whether a URL leads to a web server, however its scheme is written. */
export function isWebUrl(url: string): boolean {
  if (PLAINLY_WEB.test(url)) return true;
  const scheme = schemeOf(url);
  return scheme === 'http' || scheme === 'https';
}

export interface HrefPosition {
  readonly trackable: boolean;
  readonly quoted: boolean;
}

/** Replaces links that count clicks in one rendering. */
export interface Tracker {
  /** False when no link is replaced in this rendering. */
  readonly isTracking: boolean;
  /** Returns the replacement of a URL, or null to keep it; `isShared` when it is the same for all recipients. */
  tracked(url: string, isShared: boolean): TrackedLink | null;
}

/** Rewrites an `href`: `#` for an unsafe scheme, the counting link for a trackable one, else the same text. */
export function rewriteHref(attribute: string, { trackable, quoted }: HrefPosition, tracker: Tracker): string {
  const isTracked = trackable && tracker.isTracking;
  if (!isTracked && PLAINLY_WEB.test(attribute)) return attribute;
  const url = urlOf(attribute);
  const instead = isUnsafe(url) ? '#' : isTracked && isWebUrl(url) ? tracker.tracked(url, false) : null;
  return instead === null ? attribute : textOf(attributeOf(instead, quoted));
}

/** Writes a link as the value of an attribute. */
export function attributeOf(link: TrackedLink, quoted: boolean): Pieces {
  if (typeof link !== 'string') return quoted ? link : ['"', ...link, '"'];
  const text = escapeMarkup(link);
  return [quoted || FITS_UNQUOTED.test(text) ? text : `"${text}"`];
}
