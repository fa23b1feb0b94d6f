import { parsedUrl } from '../../src/rules/parsed-url';

const WEB: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Characters that a header and every client take as they are. */
const PLAIN = /^[\x21-\x7e]+$/;

/** Returns where to send a reader for a signed link: as its author wrote it wherever a header can carry that. Null for what is not of the web. */
export function locationOf(url: string): string | null {
  const target = parsedUrl(url);
  if (!target || !WEB.has(target.protocol)) return null;
  return PLAIN.test(url) ? url : target.href;
}
