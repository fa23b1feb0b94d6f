import MarkdownIt from 'markdown-it';
import { escapeMarkup } from '../../src/message/template';

/** A heading with what is below it, up to the next one. */
export interface Section {
  readonly level: number;
  readonly heading: string;
  readonly anchor: string;
  /** Without markup. */
  readonly text: string;
}

/** A page as it is served. */
export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
}

/** Returns the served address of a link in a page; null if its target is not served. */
export type LinkOf = (href: string) => string | null;

interface Rendering {
  readonly linkOf: LinkOf;
}

const markdown = new MarkdownIt({ html: false, linkify: true });
type Token = ReturnType<typeof markdown.parse>[number];

const { rules } = markdown.renderer;
const ofEnv = (env: unknown): Rendering => env as Rendering;

/** Returns the name of a heading in links, as GitHub makes it. `names` says how often each was met. */
function nameOf(heading: string, names: Map<string, number>): string {
  const name = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const before = names.get(name) ?? 0;
  names.set(name, before + 1);
  return before === 0 ? name : `${name}-${before}`;
}

const plainOf = ({ children, content }: Token): string =>
  children ? children.map((child) => (child.type === 'softbreak' ? ' ' : child.content)).join('') : content;

/** Gives headings their names, and returns the sections that they begin. */
function sectionsOf(tokens: readonly Token[]): readonly Section[] {
  const names = new Map<string, number>();
  const sections: { level: number; heading: string; anchor: string; texts: string[] }[] = [];
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token.type === 'heading_open' && next) {
      const heading = plainOf(next);
      const anchor = nameOf(heading, names);
      token.attrSet('id', anchor);
      sections.push({ level: Number(token.tag.slice(1)), heading, anchor, texts: [] });
    } else if ((token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') || token.type === 'fence')
      sections.at(-1)?.texts.push(plainOf(token));
  }
  return sections.map(({ texts, ...section }) => ({ ...section, text: texts.join(' ').replaceAll(/\s+/g, ' ').trim() }));
}

/** A link to what is not served is its text. */
rules.link_open = (tokens, index, options, env, self) => {
  const token = tokens[index];
  const href = ofEnv(env).linkOf(String(token?.attrGet('href') ?? ''));
  if (href !== null) token?.attrSet('href', href);
  else
    for (const end of [token, tokens.slice(index).find(({ type }) => type === 'link_close')])
      if (end) Object.assign(end, { tag: 'span', attrs: null });
  return self.renderToken(tokens, index, options);
};

/** Pictures are not served with the guides: what they show is said. */
rules.image = (tokens, index) => escapeMarkup(tokens[index]?.content ?? '');

/** The page's policy blocks styles in attributes. */
for (const cell of ['th_open', 'td_open'] as const) {
  rules[cell] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    if (/right/.test(String(token?.attrGet('style')))) token?.attrSet('class', 'number');
    if (token) token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'style');
    return self.renderToken(tokens, index, options);
  };
}

/** The languages that show one example next to each other, by the name of their blocks. */
const NAMES: Readonly<Record<string, string>> = { sh: 'curl', ts: 'TypeScript', python: 'Python' };
const isExample = (token: Token | undefined): boolean => token?.type === 'fence' && token.info.trim() in NAMES;
const isOther = (token: Token | undefined, neighbor: Token | undefined): boolean =>
  isExample(token) && isExample(neighbor) && token?.info !== neighbor?.info;

const blockOf = (language: string, content: string): string =>
  `<div class="block"${language && ` data-language="${escapeMarkup(language)}"`}><pre tabindex="0"><code>${escapeMarkup(content)}</code></pre></div>\n`;

/** Adjacent blocks of different languages are one example; the script of the page turns it into tabs. */
rules.fence = (tokens, index) => {
  const { info = '', content = '' } = tokens[index] ?? {};
  const language = info.trim();
  const follows = isOther(tokens[index - 1], tokens[index]);
  const continues = isOther(tokens[index], tokens[index + 1]);
  if (!follows && !continues) return blockOf(language, content);
  const block = blockOf(NAMES[language] ?? language, content);
  return `${follows ? '' : '<div class="example">\n'}${block}${continues ? '' : '</div>\n'}`;
};

/** Renders a page of the documentation. What it holds of HTML is text. */
export function rendered(text: string, linkOf: LinkOf): Rendered {
  const env = { linkOf } satisfies Rendering;
  const tokens = markdown.parse(text, env);
  const sections = sectionsOf(tokens);
  const html = markdown.renderer.render(tokens, markdown.options, env);
  return { title: /^# (.+)$/m.exec(text)?.[1] ?? '', html, sections };
}
