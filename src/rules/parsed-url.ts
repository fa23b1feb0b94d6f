/** Parses an absolute URL; null for what is none. (`URL.canParse` refuses letters such as ü on Node 20 once it is called often.) */
export function parsedUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
