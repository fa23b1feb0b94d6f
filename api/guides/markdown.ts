import MarkdownIt from 'markdown-it';
import { escapeMarkup } from '../../src/message/template';

/** A page as it is served. */
export interface Rendered {
  readonly title: string;
  readonly html: string;
}

/** Returns the served address of a link in a page; null if its target is not served. */
export type LinkOf = (href: string) => string | null;

interface Rendering {
  readonly linkOf: LinkOf;
  /** Number of headings met, by their name. */
  readonly names: Map<string, number>;
}

const markdown = new MarkdownIt({ html: false, linkify: true });
const { rules } = markdown.renderer;
const ofEnv = (env: unknown): Rendering => env as Rendering;

/** Returns the name of a heading in links, as GitHub derives it. */
function nameOf(heading: string, names: Map<string, number>): string {
  const name = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const before = names.get(name) ?? 0;
  names.set(name, before + 1);
  return before === 0 ? name : `${name}-${before}`;
}

rules.heading_open = (tokens, index, options, env, self) => {
  const text = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
  tokens[index]?.attrSet('id', nameOf(text, ofEnv(env).names));
  return self.renderToken(tokens, index, options);
};

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

rules.fence = (tokens, index) => {
  const { info = '', content = '' } = tokens[index] ?? {};
  const language = info.trim();
  return `<pre${language === '' ? '' : ` data-language="${escapeMarkup(language)}"`} tabindex="0"><code>${escapeMarkup(content)}</code></pre>\n`;
};

/** Renders a page of the documentation. What it holds of HTML is text. */
export function rendered(text: string, linkOf: LinkOf): Rendered {
  const env = { linkOf, names: new Map() } satisfies Rendering;
  return { title: /^# (.+)$/m.exec(text)?.[1] ?? '', html: markdown.render(text, env) };
}
