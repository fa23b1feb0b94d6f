import type { Line, Marks, Span } from './model';
import { escaped, isLink, linkIn, placeholder, translation } from './syntax';
import type { Names } from './syntax';

/** The surroundings of text that is written. */
export interface Ink {
  readonly names: Names;
  /** The color of links. */
  readonly color: string;
  /** Whether a dark screen changes the colors. */
  readonly adapts: boolean;
}

/** Writes the class of what a dark screen shows in other colors. */
export const themed = (name: string, adapts: boolean): string => (adapts ? ` class="lm-${name}"` : '');

/** Writes a link for an attribute; one that leads nowhere stays on the page. */
export const hrefOf = (link: string, names: Names): string => (link === '' || !isLink(link) ? '#' : linkIn(link, names));

const marked = (html: string, { bold, italic, link }: Marks, { names, color, adapts }: Ink): string => {
  const strong = bold ? `<strong>${html}</strong>` : html;
  const leaning = italic ? `<em>${strong}</em>` : strong;
  if (link === undefined) return leaning;
  return `<a href="${hrefOf(link, names)}"${themed('link', adapts)} style="color:${color};text-decoration:underline">${leaning}</a>`;
};

function written(span: Span, names: Names): string {
  if ('text' in span) return escaped(span.text).replaceAll(/\r?\n/g, '<br>');
  return 'field' in span ? placeholder(span.field, names, span.fallback) : translation(span.translation, span.fallback);
}

/** Writes a piece of text, or the placeholder of a field or a translation. */
const spanHtml = (span: Span, ink: Ink): string => marked(written(span, ink.names), span, ink);

export const spansHtml = (spans: readonly Span[], ink: Ink): string => spans.map((span) => spanHtml(span, ink)).join('');

interface Group {
  readonly list: Line['list'];
  readonly lines: readonly Line[];
}

// Items of one list that follow each other belong together; each other line is alone.
const grouped = (lines: readonly Line[]): readonly Group[] =>
  lines.reduce<readonly Group[]>((groups, line) => {
    const last = groups.at(-1);
    if (line.list === undefined || last?.list !== line.list) return [...groups, { list: line.list, lines: [line] }];
    return [...groups.slice(0, -1), { list: last.list, lines: [...last.lines, line] }];
  }, []);

function groupHtml({ list, lines }: Group, isLast: boolean, ink: Ink): string {
  const margin = isLast ? '0' : '0 0 12px';
  const texts = lines.map(({ spans }) => spansHtml(spans, ink) || '&nbsp;');
  if (list === undefined) return `<p style="margin:${margin}">${texts.join('')}</p>`;
  const tag = list === 'bullet' ? 'ul' : 'ol';
  const items = texts.map((text) => `<li style="margin:0 0 4px">${text}</li>`).join('');
  return `<${tag} style="margin:${margin};padding:0 0 0 24px">${items}</${tag}>`;
}

/** Writes paragraphs and lists. */
export function linesHtml(lines: readonly Line[], ink: Ink): string {
  const groups = grouped(lines);
  return groups.map((group, at) => groupHtml(group, at === groups.length - 1, ink)).join('');
}
