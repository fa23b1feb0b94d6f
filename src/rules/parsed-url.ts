/** Parses an absolute URL; null for what is none. (`URL.canParse` refuses letters such as ü on Node 20 once it is called often.) */
export const parsedUrl = (text: string): URL | null => resolvedUrl(text);

/** Parses a URL that may be relative to another one; null for what is none. */
export function resolvedUrl(text: string, base?: URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** Servers and the proxies before them may decode a path more than once. */
const MOST_DECODINGS = 4;

const decoded = (text: string): string =>
  text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Returns whether a segment names only the same or the parent folder. */
function isDots(segment: string): boolean {
  const parts = segment.split(/[/\\]/).filter((part) => part !== '');
  return parts.length > 0 && parts.every((part) => part === '.' || part === '..');
}

function decodesToDots(segment: string): boolean {
  let text = segment;
  for (let decodings = 0; decodings <= MOST_DECODINGS; decodings++, text = decoded(text)) if (isDots(text)) return true;
  return false;
}

/**
 * Returns whether a segment of a URL's path is `.` or `..` (RFC 3986, 3.3), in any encoding: a client or server removes it together with the segment before, and
 * then the request goes to another path.
 */
export function hasDotSegments(url: string): boolean {
  const [, path = ''] = /^[a-z]+:\/\/[^/\\?#]*([^?#]*)/i.exec(url) ?? [];
  return path.split(/[/\\]/).some(decodesToDots);
}
