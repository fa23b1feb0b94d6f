import { isLink, isLiteral, isPath, isTranslationKey } from './model.ts';
import type { Line, Marks, Span } from './model.ts';

/** Returns the name of a field within text. */
const fieldLabel = (field: string, fallback: string | undefined): string => (fallback ? `${field} | ${fallback}` : field);

/** The value of a field or a translation, that text shows as a chip. */
export type Chip = { readonly fallback?: string } & ({ readonly field: string } | { readonly translation: string });

/** Returns how a chip is written in a subject or in HTML. */
export const placeholderOf = (chip: Chip): string => {
  const name = 'field' in chip ? chip.field : `t "${chip.translation}"`;
  return chip.fallback ? `{{${name} | "${chip.fallback}"}}` : `{{${name}}}`;
};

export function chipOf(chip: Chip): HTMLElement {
  const element = document.createElement('span');
  element.contentEditable = 'false';
  element.className = 'field-chip';
  const name = 'field' in chip ? chip.field : chip.translation;
  element.dataset['field' in chip ? 'field' : 'translation'] = name;
  if (chip.fallback) element.dataset['fallback'] = chip.fallback;
  element.textContent = fieldLabel('field' in chip ? name : `Translation: ${name}`, chip.fallback);
  return element;
}

/** Reads the chip that an element is; null for any other. */
function chipIn({ dataset: { field, translation, fallback } }: HTMLElement): Chip | null {
  const shared = fallback ? { fallback } : {};
  if (field !== undefined) return { field, ...shared };
  return translation === undefined ? null : { translation, ...shared };
}

function textNodes(text: string): readonly Node[] {
  return text.split('\n').flatMap((part, at) => [...(at > 0 ? [document.createElement('br')] : []), document.createTextNode(part)]);
}

function wrapped(nodes: readonly Node[], tag: 'strong' | 'em' | 'a'): HTMLElement {
  const element = document.createElement(tag);
  element.append(...nodes);
  return element;
}

function nodesOf(span: Span): readonly Node[] {
  const plain = 'text' in span ? textNodes(span.text) : [chipOf(span)];
  const strong = span.bold ? [wrapped(plain, 'strong')] : plain;
  const leaning = span.italic ? [wrapped(strong, 'em')] : strong;
  if (span.link === undefined) return leaning;
  const link = wrapped(leaning, 'a');
  link.dataset['link'] = span.link;
  // Without an address the browser takes it for no link; it leads nowhere while it is edited.
  link.setAttribute('href', '#');
  return [link];
}

const spansInto = (parent: HTMLElement, spans: readonly Span[]): HTMLElement => {
  parent.append(...spans.flatMap(nodesOf));
  if (parent.childNodes.length === 0 && parent.tagName !== 'DIV') parent.append(document.createElement('br'));
  return parent;
};

const EMPTY: readonly Line[] = [{ spans: [] }];
const TAGS = { bullet: 'ul', number: 'ol' } as const;

/** Draws lines: paragraphs, and lists with their items. */
export function drawLines(root: HTMLElement, lines: readonly Line[]): void {
  root.replaceChildren();
  for (const { list, spans } of lines.length > 0 ? lines : EMPTY) {
    if (list === undefined) root.append(spansInto(document.createElement('p'), spans));
    else {
      const last = root.lastElementChild;
      const parent = last?.tagName.toLowerCase() === TAGS[list] ? last : document.createElement(TAGS[list]);
      root.append(parent);
      parent.append(spansInto(document.createElement('li'), spans));
    }
  }
}

export function drawSpans(root: HTMLElement, spans: readonly Span[]): void {
  root.replaceChildren();
  spansInto(root, spans);
}

const BOLD = new Set(['B', 'STRONG']);
const ITALIC = new Set(['I', 'EM']);

function marksOf(element: HTMLElement, around: Marks): Marks {
  if (BOLD.has(element.tagName)) return { ...around, bold: true };
  if (ITALIC.has(element.tagName)) return { ...around, italic: true };
  const link = element.tagName === 'A' ? element.dataset['link'] : undefined;
  return link !== undefined && isLink(link) ? { ...around, link } : around;
}

const isLike = (one: Span | undefined, marks: Marks): one is Extract<Span, { readonly text: string }> =>
  one !== undefined && 'text' in one && one.bold === marks.bold && one.italic === marks.italic && one.link === marks.link;

function withText(spans: Span[], text: string, marks: Marks): void {
  const last = spans.at(-1);
  if (text === '') return;
  if (isLike(last, marks)) spans[spans.length - 1] = { ...last, text: last.text + text };
  else spans.push({ text, ...marks });
}

/** A placeholder that somebody typed becomes a field, and `t` with a key a translation. */
const TYPED = /\{\{\s*(?:t\s+["']([\w.-]+)["']|([\w.-]+))\s*(?:\|\s*"([^"\\]*)"\s*)?\}\}/g;

/** Returns the chip of a field's name, or of a translation as `t "greeting"`; null for any other text. */
export function chipNamed(name: string, fallback: string | undefined): Chip | null {
  const [, key] = /^t\s+["']([\w.-]+)["']$/.exec(name) ?? [];
  return typedChip(key, key === undefined ? name : undefined, fallback);
}

function typedChip(translation: string | undefined, field: string | undefined, fallback: string | undefined): Chip | null {
  if (fallback !== undefined && !isLiteral(fallback)) return null;
  const shared = fallback ? { fallback } : {};
  if (translation !== undefined) return isTranslationKey(translation) ? { translation, ...shared } : null;
  return field !== undefined && isPath(field) ? { field, ...shared } : null;
}

function readText(written: string, marks: Marks, spans: Span[]): void {
  const text = written.replaceAll('\u00a0', ' ').replaceAll(/[\u200b\r\n\t]/g, '');
  let from = 0;
  for (const found of text.matchAll(TYPED)) {
    const [whole, translation, field, fallback] = found;
    const chip = typedChip(translation, field, fallback);
    if (!chip) continue;
    withText(spans, text.slice(from, found.index), marks);
    spans.push({ ...chip, ...marks });
    from = found.index + whole.length;
  }
  withText(spans, text.slice(from), marks);
}

function readInline(node: Node, marks: Marks, spans: Span[]): void {
  if (node instanceof Text) readText(node.data, marks, spans);
  if (!(node instanceof HTMLElement)) return;
  const chip = chipIn(node);
  if (chip) spans.push({ ...chip, ...marks });
  else if (node.tagName === 'BR') withText(spans, '\n', marks);
  else for (const child of node.childNodes) readInline(child, marksOf(node, marks), spans);
}

/** Returns a text without the break that keeps an empty line, or the last one, open. */
function trimmed(spans: Span[]): readonly Span[] {
  const last = spans.at(-1);
  if (last === undefined || !('text' in last) || !last.text.endsWith('\n')) return spans;
  const text = last.text.slice(0, -1);
  return text === '' ? spans.slice(0, -1) : [...spans.slice(0, -1), { ...last, text }];
}

export function readSpans(root: Node): readonly Span[] {
  const spans: Span[] = [];
  for (const child of root.childNodes) readInline(child, {}, spans);
  return trimmed(spans);
}

const LISTS: Readonly<Record<string, Line['list']>> = { UL: 'bullet', OL: 'number' };
const PARAGRAPHS = new Set(['P', 'DIV', 'UL', 'OL']);

/** Reads what an editable element shows. */
export function readLines(root: HTMLElement): readonly Line[] {
  const lines: Line[] = [];
  let loose: Node[] = [];
  const finish = (): void => {
    const spans: Span[] = [];
    for (const node of loose) readInline(node, {}, spans);
    if (spans.length > 0) lines.push({ spans: trimmed(spans) });
    loose = [];
  };
  for (const node of root.childNodes) {
    if (!(node instanceof HTMLElement) || !PARAGRAPHS.has(node.tagName)) loose.push(node);
    else {
      finish();
      const list = LISTS[node.tagName];
      if (list === undefined && node.querySelector('p, div, ul, ol')) lines.push(...readLines(node));
      else if (list === undefined) lines.push({ spans: readSpans(node) });
      else for (const item of node.children) lines.push({ list, spans: readSpans(item) });
    }
  }
  finish();
  return lines;
}
