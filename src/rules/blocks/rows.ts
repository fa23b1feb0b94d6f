import type {
  Align,
  Block,
  BlockKind,
  ButtonBlock,
  ColumnsBlock,
  ConditionBlock,
  DesignStyle,
  DividerBlock,
  FieldTest,
  FooterBlock,
  HeadingBlock,
  ImageBlock,
  RepeatBlock,
  SocialBlock,
  TextBlock,
  Line,
  Marks,
  Span,
} from './model';
import { LINE_COLOR, QUIET, familyOf, inkFor } from './style';
import { escaped, isSource, linkIn, literal, pathIn, placeholder, isLink, translation } from './syntax';
import type { Names } from './syntax';

/** The surroundings of a block that is written. */
export interface Place {
  readonly style: Required<DesignStyle>;
  /** Pixels between the edges. */
  readonly width: number;
  /** Pixels between an edge and what is written. */
  readonly side: number;
  readonly names: Names;
  /** Whether a dark screen changes the colors: not where the design set the color behind them. */
  readonly adapts: boolean;
}

const PADDING = 12;
const GAP = 16;
const SIZES = { 1: [28, 36], 2: [22, 30], 3: [18, 26] } as const;
const TABLE = '<table role="presentation" border="0" cellpadding="0" cellspacing="0"';

const inkOf = ({ names, style, adapts }: Place, color = style.color): Ink => ({ names, color, adapts });

/** Writes the style of letters: each cell has its own, as Outlook hands none down. */
const letters = ({ style }: Place, size: number, height: number, color: string): string =>
  `font-family:${familyOf(style.font)};font-size:${size}px;line-height:${height}px;color:${color}`;

interface Box {
  readonly align?: Align;
  readonly background?: string;
  readonly padding?: number;
}

interface Cell {
  readonly html: string;
  readonly box: Box;
  readonly css?: string;
  readonly kind?: string;
  readonly side?: number;
}

/** Writes a row with one cell. */
function row({ html, box: { align, background, padding = PADDING }, css = '', kind = '', side }: Cell, place: Place): string {
  const edges = `padding:${padding}px ${side ?? place.side}px`;
  const behind = background === undefined ? '' : `;background-color:${background}`;
  const color = background === undefined ? '' : ` bgcolor="${background}"`;
  const sided = align === undefined ? '' : ` align="${align}"`;
  const aligned = align === undefined ? '' : `;text-align:${align}`;
  return `<tr><td${kind}${sided}${color} style="${edges}${behind}${aligned}${css && `;${css}`}">${html}</td></tr>\n`;
}

/** Returns the place within a block, which may have a color behind it. */
const on = (place: Place, { background }: Box): Place => (background === undefined ? place : { ...place, adapts: false });

function text(block: TextBlock, around: Place): string {
  const place = on(around, block);
  const { size = 16, color } = block;
  const css = `${letters(place, size, Math.round(size * 1.5), color ?? place.style.text)};word-break:break-word`;
  const kind = themed('text', place.adapts && color === undefined);
  return row({ html: linesHtml(block.lines, inkOf(place)), box: block, css, kind }, place);
}

function heading(block: HeadingBlock, around: Place): string {
  const place = on(around, block);
  const [size, height] = SIZES[block.level];
  const css = letters(place, size, height, block.color ?? place.style.text);
  const tag = `h${block.level}`;
  const adapts = themed('text', place.adapts && block.color === undefined);
  const html = `<${tag}${adapts} style="margin:0;${css};font-weight:bold">${spansHtml(block.spans, inkOf(place))}</${tag}>`;
  return row({ html, box: block }, place);
}

function image(block: ImageBlock, place: Place): string {
  if (block.src === '' || !isSource(block.src)) return '';
  const side = block.full ? 0 : place.side;
  const most = place.width - 2 * side;
  const width = Math.min(block.width ?? most, most);
  const css = `display:inline-block;width:100%;max-width:${width}px;height:auto;border:0;vertical-align:middle`;
  const picture = `<img src="${linkIn(block.src, place.names)}" alt="${escaped(block.alt)}" width="${width}" style="${css}">`;
  const linked = block.link ? `<a href="${hrefOf(block.link, place.names)}" style="text-decoration:none">${picture}</a>` : picture;
  const box = { ...block, padding: block.padding ?? (block.full ? 0 : PADDING) };
  return row({ html: linked, box, side, css: `font-family:${familyOf(place.style.font)};font-size:14px` }, place);
}

function button(block: ButtonBlock, around: Place): string {
  const place = on(around, block);
  const { style, names } = place;
  const color = block.color ?? style.color;
  const corner = `border-radius:${style.radius}px`;
  const ink = inkFor(color);
  const css = `display:${block.full ? 'block' : 'inline-block'};padding:12px 24px;${corner};${letters(place, 16, 24, ink)};font-weight:bold;text-decoration:none`;
  const label = spansHtml(block.label, { names, color: ink, adapts: false });
  const link = `<a href="${hrefOf(block.link, names)}" style="${css}">${label}</a>`;
  // Outlook leaves the padding of a link out: the cell has it there.
  const cell = `<td align="center" bgcolor="${color}" style="${corner};background-color:${color};mso-padding-alt:12px 24px">${link}</td>`;
  const width = block.full ? ' width="100%"' : '';
  const side = block.align === undefined ? '' : ` align="${block.align}"`;
  const centered = block.align === 'center' ? ';margin:0 auto' : '';
  const html = `${TABLE}${width}${side} style="border-collapse:separate${centered}"><tr>${cell}</tr></table>`;
  return row({ html, box: block }, place);
}

/** Writes columns in one line where there is room: without a media query, for mail programs that know none. */
function columns(block: ColumnsBlock, around: Place): string {
  const place = on(around, block);
  const count = block.columns.length;
  const room = place.width - 2 * place.side - GAP * (count - 1);
  const shares = block.shares?.length === count ? block.shares : block.columns.map(() => 100 / count);
  const widths = shares.map((share) => Math.floor((room * share) / 100));
  const cells = block.columns.map((blocks, at) => {
    const width = widths[at] ?? 0;
    const inner = rows(blocks, { ...place, width, side: 0 });
    const gap = at === 0 ? '' : `</td><td width="${GAP}"></td>`;
    const opened = `<!--[if mso]>${gap}<td width="${width}" valign="top"><![endif]-->`;
    const margin = at === count - 1 ? '' : `margin-right:${GAP}px;`;
    const css = `display:inline-block;${margin}width:100%;max-width:${width}px;vertical-align:top;font-size:16px`;
    return `${opened}<div class="lm-col" style="${css}">${TABLE} width="100%">\n${inner}</table></div>`;
  });
  const outlook = `<!--[if mso]>${TABLE} width="100%"><tr><![endif]-->`;
  const html = `${outlook}${cells.join('')}<!--[if mso]></td></tr></table><![endif]-->`;
  // Spaces between blocks of a line have a width, which no letters have not.
  return row({ html, box: block, css: 'font-size:0;line-height:0' }, place);
}

function divider(block: DividerBlock, place: Place): string {
  const line = `border-top:1px solid ${block.color ?? LINE_COLOR};font-size:0;line-height:0`;
  const kind = themed('line', place.adapts && block.color === undefined);
  return row({ html: `${TABLE} width="100%"><tr><td${kind} style="${line}">&nbsp;</td></tr></table>`, box: block }, place);
}

function social(block: SocialBlock, around: Place): string {
  const place = on(around, block);
  const { names, style, adapts } = place;
  const css = `color:${style.color};text-decoration:none;font-weight:bold;white-space:nowrap`;
  const links = block.links.map(
    ({ name, link }) => `<a href="${hrefOf(link, names)}"${themed('link', adapts)} style="${css}">${escaped(name)}</a>`,
  );
  const html = links.join(' &nbsp;&middot;&nbsp; ');
  return row({ html, box: { align: 'center', ...block }, css: letters(place, 14, 22, style.text), kind: themed('quiet', adapts) }, place);
}

function footer(block: FooterBlock, around: Place): string {
  const place = on(around, block);
  const { names, adapts } = place;
  const color = QUIET;
  const link = (url: string, label: string | undefined): readonly string[] =>
    label === undefined || label === ''
      ? []
      : [
          `<a href="${placeholder(url, names)}"${themed('quiet', adapts)} style="color:${color};text-decoration:underline">${escaped(label)}</a>`,
        ];
  const links = [
    ...link('unsubscribeUrl', block.unsubscribe),
    ...link('preferencesUrl', block.preferences),
    ...link('viewInBrowserUrl', block.browser),
  ];
  const words = linesHtml(block.lines, inkOf(place, color));
  const html = `${words}${links.length === 0 ? '' : `<p style="margin:12px 0 0">${links.join(' &middot; ')}</p>`}`;
  const css = letters(place, 13, 20, color);
  return row({ html, box: { align: 'center', ...block }, css, kind: themed('quiet', adapts) }, place);
}

const repeat = ({ field, name, blocks }: RepeatBlock, place: Place): string =>
  `{{#each ${pathIn(field, place.names)} as |${name}|}}\n${rows(blocks, { ...place, names: [...place.names, name] })}{{/each}}\n`;

const COMPARISONS = { equals: 'eq', differs: 'ne', greater: 'gt', less: 'lt' } as const;

function testOf({ field, operator, value = '' }: FieldTest, names: Names): string {
  const path = pathIn(field, names);
  if (operator === 'present') return path;
  return operator === 'absent' ? `(not ${path})` : `(${COMPARISONS[operator]} ${path} ${literal(value)})`;
}

function condition({ match, tests, blocks, otherwise = [] }: ConditionBlock, place: Place): string {
  const each = tests.map((test) => testOf(test, place.names));
  const whole = each.length === 1 ? each[0] : `(${match === 'all' ? 'and' : 'or'} ${each.join(' ')})`;
  const instead = otherwise.length === 0 ? '' : `{{else}}\n${rows(otherwise, place)}`;
  return `{{#if ${whole}}}\n${rows(blocks, place)}${instead}{{/if}}\n`;
}

type Writers = { readonly [Kind in BlockKind]: (block: Extract<Block, { readonly kind: Kind }>, place: Place) => string };

const WRITERS: Writers = {
  text,
  heading,
  image,
  button,
  columns,
  divider,
  social,
  footer,
  repeat,
  condition,
  spacer: ({ height }) => `<tr><td height="${height}" style="height:${height}px;line-height:${height}px;font-size:0">&nbsp;</td></tr>\n`,
  html: ({ html }, place) => row({ html, box: { padding: 0 } }, place),
};

/** Writes blocks as rows of a table. */
export const rows = (blocks: readonly Block[], place: Place): string =>
  blocks.map((block) => (WRITERS[block.kind] as (block: Block, place: Place) => string)(block, place)).join('');

/** The surroundings of text that is written. */
interface Ink {
  readonly names: Names;
  /** The color of links. */
  readonly color: string;
  /** Whether a dark screen changes the colors. */
  readonly adapts: boolean;
}

/** Writes the class of what a dark screen shows in other colors. */
const themed = (name: string, adapts: boolean): string => (adapts ? ` class="lm-${name}"` : '');

/** Writes a link for an attribute; one that leads nowhere stays on the page. */
const hrefOf = (link: string, names: Names): string => (link === '' || !isLink(link) ? '#' : linkIn(link, names));

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

const spanHtml = (span: Span, ink: Ink): string => marked(written(span, ink.names), span, ink);

const spansHtml = (spans: readonly Span[], ink: Ink): string => spans.map((span) => spanHtml(span, ink)).join('');

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

function linesHtml(lines: readonly Line[], ink: Ink): string {
  const groups = grouped(lines);
  return groups.map((group, at) => groupHtml(group, at === groups.length - 1, ink)).join('');
}
