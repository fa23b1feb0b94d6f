import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The languages that pages of the documentation speak, by the name of their blocks. */
export const LANGUAGES = ['sh', 'ts', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

const DOCS = path.join(__dirname, '../../../docs');
const FENCED = /^```(\w+)\n([\s\S]*?)^```$/gm;

interface Block {
  readonly language: string;
  /** `page.md:line` */
  readonly place: string;
  readonly code: string;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(path.join(DOCS, page), 'utf8');
  return [...text.matchAll(FENCED)].map(({ 1: language = '', 2: code = '', index }) => ({
    language,
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    code,
  }));
}

const SETUP_PAGE = 'quickstart.md';

/** The blocks of one language, behind those that set it up. */
function inOrder(page: string, language: Language): readonly Block[] {
  const own = blocksOf(page).filter((block) => block.language === language);
  const setup = blocksOf(SETUP_PAGE).find((block) => block.language === language);
  return page === SETUP_PAGE || !setup ? own : [setup, ...own];
}

interface Form {
  readonly extension: string;
  readonly before: string;
  readonly reach: (place: string) => string;
}

const FORMS: Readonly<Record<Language, Form>> = {
  sh: {
    extension: 'sh',
    before: `set -euo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n`,
    reach: (place) => `echo 'reached ${place}' >&2`,
  },
  ts: { extension: 'mts', before: '', reach: (place) => `console.error('reached ${place}');` },
  python: { extension: 'py', before: 'import sys\n', reach: (place) => `print('reached ${place}', file=sys.stderr)` },
};

interface Script {
  readonly extension: string;
  readonly code: string;
  readonly places: readonly string[];
}

/** The blocks of one language of a page as one program, which says on stderr which of them it has reached. */
export function scriptOf(page: string, language: Language): Script {
  const { extension, before, reach } = FORMS[language];
  const blocks = inOrder(page, language);
  const code = blocks.map((block) => `${reach(block.place)}\n${block.code}`).join('\n');
  return { extension, code: before + code, places: blocks.map(({ place }) => place) };
}
