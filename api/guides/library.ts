import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { rendered } from './markdown';
import type { LinkOf, Rendered } from './markdown';

export const GUIDES = '/docs/guides';

/** Next to the code, in a checkout and in the output of `npm run build`. Pages in its folders are for contributors and are not served. */
const FOLDER = path.join(__dirname, '../../docs');
const PAGE = /^([a-z-]+)\.md(#.*)?$/;
const ELSEWHERE = /^https?:\/\//;

export interface Guide extends Rendered {
  readonly name: string;
}

/** The guides, in the groups of their contents. */
export interface Library {
  readonly groups: readonly (readonly [title: string, guides: readonly Guide[]])[];
  readonly guides: ReadonlyMap<string, Guide>;
}

/** Returns the served address of a link in a page; null if its target is not served. */
const linkOf =
  (names: ReadonlySet<string>): LinkOf =>
  (href) => {
    if (href.startsWith('#') || ELSEWHERE.test(href)) return href;
    const [, name = '', anchor = ''] = PAGE.exec(href) ?? [];
    return names.has(name) ? `${GUIDES}/${name}${anchor}` : null;
  };

function grouped(guides: ReadonlyMap<string, Guide>): Library['groups'] {
  const listed = new Set(CONTENTS.flatMap(([, names]) => names));
  const others = [...guides.keys()].filter((name) => !listed.has(name));
  return [...CONTENTS, ['More', others] as const]
    .map(([title, names]) => [title, names.flatMap((name) => guides.get(name) ?? [])] as const)
    .filter(([, found]) => found.length > 0);
}

/** The guides in the order in which they are listed. What is in the folder and not here comes last. */
export const CONTENTS: readonly (readonly [group: string, names: readonly string[]])[] = [
  ['Begin', ['how-it-works', 'quickstart', 'console', 'errors', 'promises']],
  ['Messages', ['sending', 'templates', 'rendering', 'delivery', 'tracking', 'domains', 'inbound', 'receiving']],
  ['People', ['contacts', 'import-export', 'segments', 'conditions', 'suppressions', 'verify', 'erasure', 'retention']],
  ['Campaigns and automations', ['campaigns', 'automations', 'events', 'webhooks', 'stats']],
  ['Account', ['billing']],
  ['Operating', ['operating', 'configuration', 'metrics', 'tracing', 'runbook', 'durability', 'performance']],
];

/** Returns all guides, rendered. */
export function readLibrary(): Library {
  const names = readdirSync(FOLDER).flatMap((file) => PAGE.exec(file)?.[1] ?? []);
  const links = linkOf(new Set(names));
  const guides = new Map(
    names.sort().map((name) => [name, { name, ...rendered(readFileSync(path.join(FOLDER, `${name}.md`), 'utf8'), links) }]),
  );
  return { guides, groups: grouped(guides) };
}
