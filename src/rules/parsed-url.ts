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
