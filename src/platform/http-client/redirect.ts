import { resolvedUrl } from '../../rules/parsed-url';

/** More redirects than this are not followed. */
export const MOST_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns where an answer sends its client; null for one that is no redirect. */
export const redirectOf = (status: number | null, location: string | undefined, from: URL): URL | null =>
  status !== null && REDIRECTS.has(status) && location !== undefined ? resolvedUrl(location, from) : null;
