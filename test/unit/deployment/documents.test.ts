import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { rendered } from '../../../api/guides/markdown';

const ROOT = path.join(__dirname, '../../..');
const DECISIONS = 'docs/decisions';
const INDEX = 'README.md';

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const filesIn = (folder: string): string[] => readdirSync(path.join(ROOT, folder), { recursive: true }).map(String).sort();

const PAGES = [
  ...readdirSync(ROOT).filter((file) => file.endsWith('.md')),
  ...filesIn('docs').flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : [])),
  ...readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
];
const DECISION_FILES = filesIn(DECISIONS).filter((file) => file !== INDEX);

const FENCED = /^```.*\n[^]*?^```$/gm;
const PATH = /`((?:src|packages|test|api|workflows|activities|worker|console|bench|clients|deploy|docs|\.ci|\.github)\/[^\s`]*)`/g;
/** `<room>` stands for any name, and `*` for any part of one. */
const PLACEHOLDER = /<[a-z]+>|\*/g;

/** Whether a path leads to a file or a folder; one with placeholders, to at least one. */
function isThere(written: string): boolean {
  const [fixed = ''] = written.split(PLACEHOLDER);
  if (fixed === written) return existsSync(path.join(ROOT, written));
  const folder = fixed.slice(0, fixed.lastIndexOf('/'));
  const pattern = new RegExp(
    `^${written
      .replace(/\/$/, '')
      .replaceAll('.', String.raw`\.`)
      .replaceAll(PLACEHOLDER, '[^/]+')}$`,
  );
  return filesIn(folder).some((file) => pattern.test(`${folder}/${file}`));
}

/** Whether a link leads to a file that exists and, with an anchor, to a heading of it. */
function leadsSomewhere(page: string, href: string): boolean {
  const [file = '', anchor = ''] = href.split('#');
  const target = file === '' ? page : path.join(path.dirname(page), file);
  if (!existsSync(path.join(ROOT, target))) return false;
  return anchor === '' || rendered(read(target), (link) => link).html.includes(` id="${anchor}"`);
}

describe('the documents', () => {
  test('name paths that exist', () => {
    const missing = PAGES.flatMap((page) =>
      [...read(page).replaceAll(FENCED, '').matchAll(PATH)].flatMap(([, written = '']) =>
        isThere(written) ? [] : [`${page}: ${written}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  test('link to files and headings that exist', () => {
    const broken = PAGES.flatMap((page) => {
      const { html } = rendered(read(page), (href) => href);
      const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href).filter((href) => !/^[a-z]+:/.test(href));
      return links.filter((href) => !leadsSomewhere(page, href)).map((href) => `${page}: ${href}`);
    });
    expect(broken).toEqual([]);
  });

  test('are all in the index', () => {
    const index = read('docs/README.md');
    const pages = readdirSync(path.join(ROOT, 'docs')).filter((file) => file.endsWith('.md') && file !== INDEX);
    expect(pages.filter((file) => !index.includes(`](${file})`))).toEqual([]);
  });
});

test('each promise names a test, by words that are in it', () => {
  const rows = read('docs/design/promises.md').match(/^\| .+ \|$/gm) ?? [];
  const promises = rows.filter((row) => !/^\| (promise |-)/.test(row));
  const missing = promises.filter((row) => {
    const [, file = '', words = ''] = /\| `((?:packages\/[a-z]+\/)?test\/[^`]+)`: (.+?) +\|$/.exec(row) ?? [];
    return words === '' || !read(file).includes(words);
  });
  expect(promises.length).toBeGreaterThan(90);
  expect(missing).toEqual([]);
});

describe('the decisions', () => {
  const HEAD = /^# (\d{4}) (.+)\n\nStatus: (accepted|(accepted; superseded in part|superseded) by \[\d{4}\]\(\d{4}-[a-z0-9-]+\.md\))\n\n/;

  test('begin with their number, their title and their status', () => {
    expect(DECISION_FILES.filter((file) => HEAD.exec(read(`${DECISIONS}/${file}`))?.[1] !== file.slice(0, 4))).toEqual([]);
  });

  test('are listed with title and status, in their order', () => {
    const rows = DECISION_FILES.map((file) => {
      const [, number = '', title = '', status = ''] = HEAD.exec(read(`${DECISIONS}/${file}`)) ?? [];
      return `- [${number}](${file}) ${title}${status === 'accepted' ? '' : ` (${status})`}`;
    });
    expect(
      read(`${DECISIONS}/${INDEX}`)
        .split('\n')
        .filter((line) => line.startsWith('- ')),
    ).toEqual(rows);
  });
});
