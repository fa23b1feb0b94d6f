/** The names of a topic: its own, and those by language (BCP 47). */
interface Named {
  readonly name: string;
  readonly names: Readonly<Record<string, string>>;
}

/** Returns a topic's name in the nearest language that it has one in: `de-AT`, then `de`, then its own name. */
export function topicName({ name, names }: Named, locale: string | null): string {
  const byTag = new Map(Object.entries(names).map(([tag, text]) => [tag.toLowerCase(), text]));
  for (const subtags = locale?.toLowerCase().split(/[-_]/) ?? []; subtags.length > 0; subtags.pop()) {
    const found = byTag.get(subtags.join('-'));
    if (found !== undefined) return found;
  }
  return name;
}
