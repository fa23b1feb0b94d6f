import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { footerHtml, footerText, pixelHtml, previewBlock } from './decoration';
import { escapeMarkup } from './escape';
import { compileLeaves } from './evaluate';
import type { Write } from './evaluate';
import { flatten } from './flat';
import { holeSafety } from './holes';
import { tokenizeHtml } from './html';
import { fixedTexts } from './leaves';
import type { Leaf } from './leaves';
import { CACHE_LIMIT_BYTES } from './limits';
import { decorateHtml, planLinks } from './links';
import { mergedReads, noReads, parseTemplate } from './parse';
import type { Reads } from './parse';
import { deriveText, htmlToText } from './plain-text';
import { RenderState } from './state';
import { TemplateSyntaxError } from './types';
import type { CompiledContent, ContentSource, FixedTexts, Rendered, SystemValues, TemplateFault, TemplateField } from './types';
import { resolveValues } from './values';

/** Changes whenever the same content and values give another output. */
export const RENDERER_VERSION = '1';

/** What a compiled content takes, as measured: for itself, for each character of its source (encoded for mail, too), and for each leaf compiled. */
const CONTENT_BYTES = 4_096;
const CHARACTER_BYTES = 8;
const NOTHING: readonly string[] = [];
const LEAF_BYTES = 300;
/** Working through rendered HTML, against one look-up. */
const STEPS_PER_TOKEN = 8;
const OWN_URLS = ['unsubscribeUrl', 'viewInBrowserUrl'] as const;
const LINE_BREAKERS = /[\p{Cc}\u2028\u2029]/gu;

/** Where blocks leave nothing, the breaks around them meet. */
function tidy(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes('\n\n\n') ? trimmed.replace(/\n{3,}/g, '\n\n') : trimmed;
}

interface Part {
  readonly write: Write;
  readonly fixed: readonly string[];
}

interface HtmlPart extends Part {
  /** True when links and decoration are part of `write`. */
  readonly isPlanned: boolean;
}

interface Parts {
  readonly subject: Write;
  readonly preview: Write | null;
  /** Null when the HTML is made of the text. */
  readonly html: HtmlPart | null;
  /** Null when the text has to be made of each rendered HTML. */
  readonly text: Part | null;
}

interface Compiled {
  readonly content: CompiledContent;
  readonly leafCount: number;
}

const oneLine = (text: string) => text.replace(LINE_BREAKERS, ' ');

const partOf = (leaves: readonly Leaf[]): Part => ({ write: compileLeaves(leaves), fixed: fixedTexts(leaves) });

function compileHtml(leaves: readonly Leaf[], wantsText: boolean): { html: HtmlPart; text: Part | null; leafCount: number } {
  const flat = flatten(leaves);
  const tokens = tokenizeHtml(flat.html);
  const safety = holeSafety(flat, tokens);
  const planned = safety.links ? planLinks(flat, tokens) : null;
  const textLeaves = wantsText && safety.text ? deriveText(flat, tokens) : null;
  const derived = textLeaves && partOf(textLeaves);
  return {
    html: planned ? { ...partOf(planned), isPlanned: true } : { write: compileLeaves(leaves), fixed: NOTHING, isPlanned: false },
    text: derived && { ...derived, write: (state) => tidy(state.derived(derived.write)) },
    leafCount: (planned ?? leaves).length + (textLeaves?.length ?? 0),
  };
}

interface ParsedContent {
  readonly fields: ReadonlyMap<TemplateField, readonly Leaf[]>;
  readonly reads: Reads;
  /** What of the platform's values html and text read. */
  readonly system: ReadonlySet<string>;
}

/** Parses all fields before it gives up, so that all faults are told at once. */
function parseContent(source: ContentSource): ParsedContent {
  const faults: TemplateFault[] = [];
  const fields = new Map<TemplateField, readonly Leaf[]>();
  const body = noReads();
  const envelope = noReads();
  for (const field of ['subject', 'html', 'text', 'previewText'] as const) {
    const template = source[field];
    if (template === null || template === undefined) continue;
    const reads = field === 'html' || field === 'text' ? body : envelope;
    const parsed = parseTemplate(template, field === 'html' ? 'escaped' : 'raw', reads);
    fields.set(field, parsed.leaves);
    faults.push(...parsed.faults.map((fault) => ({ field, ...fault })));
  }
  if (faults.length > 0) throw new TemplateSyntaxError(faults);
  return { fields, reads: mergedReads(body, envelope), system: body.system };
}

function compileParts(fields: ReadonlyMap<TemplateField, readonly Leaf[]>): { parts: Parts; leafCount: number } {
  const [html, text, preview] = (['html', 'text', 'previewText'] as const).map((field) => fields.get(field));
  const body = html ? compileHtml(html, !text) : { html: null, text: null, leafCount: 0 };
  const counts = [...fields].map(([field, leaves]) => (field === 'html' ? body.leafCount : leaves.length));
  return {
    parts: {
      subject: compileLeaves(fields.get('subject') ?? []),
      preview: preview ? compileLeaves(preview) : null,
      html: body.html,
      text: text ? partOf(text) : body.text,
    },
    leafCount: counts.reduce((sum, count) => sum + count, 0),
  };
}

function renderParts(parts: Parts, fixed: FixedTexts, state: RenderState, hasFooter: boolean): Rendered {
  const { system, decoration } = state;
  const subject = oneLine(parts.subject(state));
  state.top = parts.preview ? previewBlock(oneLine(parts.preview(state)).trim()) : '';
  state.bottom =
    (hasFooter ? footerHtml(system.unsubscribeUrl) : '') + (decoration.pixelUrl === null ? '' : pixelHtml(decoration.pixelUrl));
  const { html, text } = parts.html
    ? renderHtml(parts.html, parts.text?.write ?? null, state)
    : renderText(parts.text?.write ?? null, state);
  return { subject, html, text: hasFooter ? text + footerText(system.unsubscribeUrl) : text, fixed };
}

function renderText(write: Write | null, state: RenderState): { html: string; text: string } {
  const text = write?.(state) ?? '';
  return { html: `${state.top}<pre>${escapeMarkup(text)}</pre>${state.bottom}`, text };
}

function renderHtml({ write, isPlanned }: HtmlPart, writeText: Write | null, state: RenderState): { html: string; text: string } {
  const written = write(state);
  if (isPlanned && writeText) return { html: written, text: writeText(state) };
  const tokens = tokenizeHtml(written);
  state.spend(tokens.length * STEPS_PER_TOKEN);
  return {
    html: isPlanned ? written : decorateHtml(written, tokens, state),
    text: writeText ? writeText(state) : htmlToText(written, tokens),
  };
}

function compile(source: ContentSource): Compiled {
  const { fields, reads, system: used } = parseContent(source);
  const usesUnsubscribeUrl = used.has('unsubscribeUrl');
  const ownUrls = (system: SystemValues): string[] => OWN_URLS.filter((name) => used.has(name)).map((name) => system[name]);
  const { parts, leafCount } = compileParts(fields);
  const fixed = { html: parts.html?.fixed ?? NOTHING, text: parts.text?.fixed ?? NOTHING };
  const content: CompiledContent = {
    placeholders: [...reads.names].sort(),
    dataKeys: reads.dataKeys,
    usesUnsubscribeUrl,
    valuesFor: (variables, contact) => resolveValues(reads, variables, contact),
    render: (values, system, decoration) =>
      renderParts(
        parts,
        fixed,
        new RenderState(values, system, decoration, ownUrls(system)),
        decoration.unsubscribeFooter && !usesUnsubscribeUrl,
      ),
  };
  return { content, leafCount };
}

const cache = new LRUCache<string, CompiledContent>({ maxSize: CACHE_LIMIT_BYTES });

/** What was asked for last: of a batch, most messages say the same. */
let last: { readonly source: ContentSource; readonly content: CompiledContent } | null = null;

/** Whether two contents are the same texts. */
export const isSameContent = (a: ContentSource, b: ContentSource): boolean =>
  a.subject === b.subject && a.html === b.html && a.text === b.text && (a.previewText ?? null) === (b.previewText ?? null);

function fieldsOf({ subject, html, text, previewText }: ContentSource): readonly (string | null)[] {
  return [subject, html, text, previewText ?? null];
}

/**
 * Compiles a content, once as long as it stays among the recently used: the same source answers the same object.
 * Throws TemplateSyntaxError with the faults of all fields.
 */
export function compileContent(source: ContentSource): CompiledContent {
  if (last === null || !isSameContent(last.source, source)) last = { source, content: compileOnce(source) };
  return last.content;
}

function compileOnce(source: ContentSource): CompiledContent {
  const fields = fieldsOf(source);
  const lengths = fields.map((field) => field?.length ?? -1).join();
  const key = hash('sha256', `${lengths}|${fields.join('')}`, 'base64');
  const known = cache.get(key);
  if (known) return known;
  const { content, leafCount } = compile(source);
  const characters = fields.reduce((sum, field) => sum + (field?.length ?? 0), 0);
  cache.set(key, content, { size: CONTENT_BYTES + characters * CHARACTER_BYTES + leafCount * LEAF_BYTES });
  return content;
}
