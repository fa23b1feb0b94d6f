const WEB: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Characters that a header and every client take as they are. */
const PLAIN = /^[\x21-\x7e]+$/;

/** Returns where to send a reader for a signed link: as its author wrote it wherever a header can carry that. Null for what is not of the web. */
export function locationOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  if (!WEB.has(protocol)) return null;
  return PLAIN.test(url) ? url : href;
}
