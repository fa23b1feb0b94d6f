import { GUIDES, relinked } from './library';
import type { Library } from './library';

const SUMMARY =
  'An open e-mail platform: transactional messages, campaigns and automations over a JSON API, with durable execution on Temporal.';
const A_GUIDE = new RegExp(`^${GUIDES}/([a-z-]+)`);

/** Returns the index of the guides for language models (llmstxt.org): each link leads to a page in Markdown. */
export function llmsIndex({ index }: Library, publicUrl: string): string {
  const absolute = (href: string): string => (href.startsWith('/') ? publicUrl + href.replace(A_GUIDE, `${GUIDES}/$1.md`) : href);
  return relinked(index, absolute).replace(/^# .+$/m, `# Lettermill\n\n> ${SUMMARY}`);
}

/** Returns all guides as one text, in the order of the index. */
export const llmsFull = ({ groups }: Library): string =>
  groups.flatMap(([, listed]) => listed.map(({ guide }) => guide.source.trimEnd())).join('\n\n---\n\n') + '\n';
