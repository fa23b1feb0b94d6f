import type { Library } from '../guides/library';

const SCHEME = 'lettermill://guides/';
const MARKDOWN = 'text/markdown';

/** Returns the guides as resources, in the order of their index. */
export const resourcesOf = ({ groups }: Library) =>
  groups.flatMap(([, listed]) =>
    listed.map(({ guide: { name, title }, about }) => ({
      uri: `${SCHEME}${name}`,
      name,
      title,
      mimeType: MARKDOWN,
      ...(about !== '' && { description: about }),
    })),
  );

/** Returns a guide in Markdown; null if there is none. */
export function resourceAt(
  { guides }: Library,
  uri: string,
): { readonly uri: string; readonly mimeType: string; readonly text: string } | null {
  const guide = uri.startsWith(SCHEME) ? guides.get(uri.slice(SCHEME.length)) : undefined;
  return guide ? { uri, mimeType: MARKDOWN, text: guide.source } : null;
}
