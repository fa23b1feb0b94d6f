import { parsedUrl } from '../parsed-url';

/** A link as its author wrote it: whole, and the texts between its placeholders. */
interface Written {
  readonly text: string;
  readonly fixed: readonly string[];
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const UNSAFE = /^(javascript|data|vbscript|file|blob)$/i;
/** Stands for the value of a placeholder. */
const VALUE = 'x';

function webFault(written: string, hasValues: boolean): string | null {
  const url = parsedUrl(written);
  if (!url) return 'is not a URL';
  // A value may bring the rest of the name.
  return hasValues || /[.:]/.test(url.hostname) || url.hostname === 'localhost' ? null : 'has no full host name';
}

/** Returns what is wrong with the form of a link, or null. What placeholders bring is taken as right. */
export function linkFault(link: Written): string | null {
  const {
    text,
    fixed: [first = ''],
  } = link;
  if (text === '' || text === '#') return 'leads nowhere';
  if (first === '' || first.startsWith('#')) return null;
  const scheme = SCHEME.exec(first)?.[1]?.toLowerCase();
  return scheme === undefined ? 'does not begin with https://' : faultByScheme(scheme, link);
}

function faultByScheme(scheme: string, { text, fixed }: Written): string | null {
  const hasValues = fixed.length > 1;
  if (scheme === 'http' || scheme === 'https') return webFault(fixed.join(VALUE), hasValues);
  if (scheme === 'mailto') return hasValues || text.includes('@') ? null : 'names no address';
  return UNSAFE.test(scheme) ? 'has a scheme that is removed from mail' : null;
}

/** Returns whether a link can be fetched as it is written. */
export const isFetched = ({ text, fixed }: Written): boolean => fixed.length === 1 && /^https?:/i.test(text);
