import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { perCore } from '../../src/platform/core';
import type { Core } from '../../src/platform/core';
import { rendered } from './markdown';
import type { LinkOf, Rendered } from './markdown';

export const GUIDES = '/docs/guides';

/** Next to the code, in a checkout and in what `npm run build` makes. Pages in its folders are for contributors and are not served. */
const FOLDER = path.join(__dirname, '../../docs');
const INDEX = 'README.md';
const PAGE = /^([a-z-]+)\.md(#.*)?$/;
const ELSEWHERE = /^(https?|mailto):/;

export interface Guide extends Rendered {
  readonly name: string;
  /** The page in Markdown. Links to what is not served are text. */
  readonly source: string;
}

/** A guide in the index, with what the index says about it. */
export interface Listed {
  readonly guide: Guide;
  readonly about: string;
}

export interface Library {
  /** The index in Markdown. */
  readonly index: string;
  /** The guides in the groups and the order of the index. */
  readonly groups: readonly (readonly [title: string, guides: readonly Listed[]])[];
  readonly guides: ReadonlyMap<string, Guide>;
}

/** Returns the function that says where a link of a page leads here; null for what is not served. */
const linksAmong =
  (names: ReadonlySet<string>): LinkOf =>
  (href) => {
    if (href.startsWith('#') || ELSEWHERE.test(href)) return href;
    if (href === 'openapi.json') return '/v1/openapi.json';
    const [, name = '', anchor = ''] = PAGE.exec(href) ?? [];
    return names.has(name) ? `${GUIDES}/${name}${anchor}` : null;
  };

const OUTSIDE_BLOCKS = /^(```[^]*?^```$)|\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/gm;

/** Returns Markdown with links as `linkTo` has them. A link without a target becomes its text; code blocks stay. */
export const relinked = (text: string, linkTo: LinkOf): string =>
  text.replaceAll(OUTSIDE_BLOCKS, (whole, block: string | undefined, label: string, href: string) => {
    if (block !== undefined) return whole;
    const target = linkTo(href);
    return target === null ? label : `[${label}](${target})`;
  });

const HEADING = /^(?:## (.+)|(.+):)$/;
const ITEM = /^- (.+?)(?:: (.+))?$/;
const LINK = /\[[^\]]+\]\(([a-z-]+)\.md\)/g;

/** Returns the guides that a line of the index links to. */
function listedOn(line: string, guides: ReadonlyMap<string, Guide>): readonly Listed[] {
  const [, item = '', about = ''] = ITEM.exec(line) ?? [];
  return [...item.matchAll(LINK)].flatMap(([, name = '']) => {
    const guide = guides.get(name);
    return guide ? [{ guide, about }] : [];
  });
}

/** Reads the groups out of the index: its headings, the lines that end in a colon, and the links below. */
function grouped(index: string, guides: ReadonlyMap<string, Guide>): Library['groups'] {
  const groups: [string, Listed[]][] = [];
  for (const line of index.split('\n')) {
    const [, heading, introduction] = HEADING.exec(line) ?? [];
    const title = heading ?? introduction;
    if (title !== undefined) groups.push([title, []]);
    groups.at(-1)?.[1].push(...listedOn(line, guides));
  }
  return groups.filter(([, listed]) => listed.length > 0);
}

/** Returns all guides, rendered. */
export function readLibrary(): Library {
  const read = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');
  const names = readdirSync(FOLDER).flatMap((file) => PAGE.exec(file)?.[1] ?? []);
  const linkOf = linksAmong(new Set(names));
  const served: LinkOf = (href) => (linkOf(href) === null ? null : href);
  const guideOf = (name: string): Guide => {
    const text = read(`${name}.md`);
    return { name, source: relinked(text, served), ...rendered(text, linkOf) };
  };
  const guides = new Map(names.sort().map((name) => [name, guideOf(name)]));
  const index = read(INDEX);
  return { index: relinked(index, linkOf), guides, groups: grouped(index, guides) };
}

/** Returns the guides, which are read when they are first asked for. */
export const libraryOf = perCore<Library, Pick<Core, 'config'>>(readLibrary);
