import { hash } from 'node:crypto';
import { FixedText, textOf } from '../mime';
import type { Pieces } from '../mime';
import { footerHtml, footerText, footersOf, pixelHtml, previewBlock } from './decoration';
import { escapeMarkup, languageOfValues, resolveValues, withFooterLanguage } from './values';
import { compileLeaves } from './evaluate';
import type { Write } from './evaluate';
import { flatten, holeSafety } from './holes';
import { tokenizeHtml } from './html';
import type { Leaf } from './leaves';
import { decorateHtml, planLinks } from './links';
import { parseTemplate } from './parse';
import { mergedReads, noReads } from './inspect';
import type { Reads } from './inspect';
import { deriveText, htmlToText } from './plain-text';
import { directionOf } from '../../rules/translations';
import { stringReader } from '../../rules/strings';
import type { Strings } from '../../rules/strings';
import { Reused } from './skeleton';
import { RenderState } from './state';
import { tidy } from './text-builder';
import { TemplateSyntaxError } from './types';
import type { CompiledContent, ContentSource, Decoration, SystemValues, TemplateFault, TemplateField, Values, Written } from './types';

/** Changes whenever the same content and values give another output. */
export const RENDERER_VERSION = '4';

/** Measured memory of a compiled content: for itself, for each character of its source (encoded for mail, too), and for each compiled leaf. */
const CONTENT_BYTES = 4_096;
const CHARACTER_BYTES = 8;
const LEAF_BYTES = 300;
/** The cost of processing rendered HTML, in units for each token. */
const STEPS_PER_TOKEN = 8;
/** Dates and numbers of a content whose language is not known are English. */
const DEFAULT_LANGUAGE = 'en';
const OWN_URLS = ['unsubscribeUrl', 'preferencesUrl', 'viewInBrowserUrl'] as const;
const NOTHING: Pieces = [];
const PLAIN: Decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };
const PRE_START = new FixedText('<pre>');
const PRE_END = new FixedText('</pre>');
const PLAIN_LINE = /^[\x20-\x7e]*$/;
const LINE_BREAKERS = /[\p{Cc}\u2028\u2029]/gu;

interface HtmlPart {
  readonly write: Write;
  /** True when links and decoration are part of `write`. */
  readonly isPlanned: boolean;
}

type WriteText = (state: RenderState) => Pieces;

/** Joins the pieces of a message that is alone with its content: they are encoded sooner together. */
const joined = ({ html, text, ...written }: Written): Written => ({ ...written, html: [textOf(html)], text: [textOf(text)] });

interface Parts {
  readonly subject: Write;
  readonly preview: Write | null;
  /** Null when the HTML is made from the text. */
  readonly html: HtmlPart | null;
  /** Null when the text has to be made from each rendered HTML. */
  readonly text: WriteText | null;
}

interface Compiled<Key extends string | null> {
  readonly content: CompiledContent<Key>;
  /** Approximate size in bytes. */
  readonly size: number;
}

const oneLine = (text: string) => (PLAIN_LINE.test(text) ? text : text.replace(LINE_BREAKERS, ' '));

function writeDerived(leaves: readonly Leaf[], once: boolean): WriteText {
  const write = compileLeaves(leaves, once);
  return (state) => tidy(state.derived(write));
}

function compileHtml(
  leaves: readonly Leaf[],
  wantsText: boolean,
  once: boolean,
): { html: HtmlPart; text: WriteText | null; leafCount: number } {
  const flat = flatten(leaves);
  const tokens = tokenizeHtml(flat.html);
  const safety = holeSafety(flat, tokens);
  const planned = safety.links ? planLinks(flat, tokens) : null;
  const textLeaves = wantsText && safety.text ? deriveText(flat, tokens) : null;
  return {
    html: { write: compileLeaves(planned ?? leaves, once), isPlanned: planned !== null },
    text: textLeaves && writeDerived(textLeaves, once),
    leafCount: (planned ?? leaves).length + (textLeaves?.length ?? 0),
  };
}

interface ParsedContent {
  readonly fields: ReadonlyMap<TemplateField, readonly Leaf[]>;
  readonly reads: Reads;
  /** The platform's values that html and text read. */
  readonly system: ReadonlySet<string>;
  /** Variables that the subject or the preview text reads. */
  readonly ownSystem: ReadonlySet<string>;
}

/** Parses all fields before it throws, so that all faults are reported together. */
function parseContent(source: ContentSource, { skeletons }: Reused): ParsedContent {
  const faults: TemplateFault[] = [];
  const fields = new Map<TemplateField, readonly Leaf[]>();
  const body = noReads();
  const envelope = noReads();
  for (const field of ['subject', 'html', 'text', 'previewText'] as const) {
    const template = source[field];
    if (template === null || template === undefined) continue;
    const reads = field === 'html' || field === 'text' ? body : envelope;
    if (source.verbatim) {
      fields.set(field, [{ kind: 'text', text: template }]);
      continue;
    }
    const parsed = parseTemplate(template, field === 'html' ? 'escaped' : 'raw', reads, skeletons);
    fields.set(field, parsed.leaves);
    faults.push(...parsed.faults.map((fault) => ({ field, ...fault })));
  }
  if (faults.length > 0) throw new TemplateSyntaxError(faults);
  return { fields, reads: mergedReads(body, envelope), system: body.system, ownSystem: envelope.system };
}

function compileParts(fields: ReadonlyMap<TemplateField, readonly Leaf[]>, once: boolean): { parts: Parts; leafCount: number } {
  const [html, text, preview] = (['html', 'text', 'previewText'] as const).map((field) => fields.get(field));
  const body = html ? compileHtml(html, !text, once) : { html: null, text: null, leafCount: 0 };
  const counts = [...fields].map(([field, leaves]) => (field === 'html' ? body.leafCount : leaves.length));
  const writeText = text && compileLeaves(text, once);
  return {
    parts: {
      subject: compileLeaves(fields.get('subject') ?? [], once),
      preview: preview ? compileLeaves(preview, once) : null,
      html: body.html,
      text: writeText ? (state) => state.written(writeText) : body.text,
    },
    leafCount: counts.reduce((sum, count) => sum + count, 0),
  };
}

const subjectOf = (parts: Parts, state: RenderState): string => oneLine(textOf(state.written(parts.subject)));

function writeParts(parts: Parts, state: RenderState, footers: ReturnType<typeof footersOf> | null): Written {
  const { system, decoration } = state;
  const footer = footers && footers(languageOfValues(state.values));
  const subject = subjectOf(parts, state);
  if (parts.preview) state.top = previewBlock(oneLine(textOf(state.written(parts.preview))).trim());
  state.bottom = [
    ...(footer ? footerHtml(footer, system) : NOTHING),
    ...(decoration.pixelUrl === null ? NOTHING : pixelHtml(decoration.pixelUrl)),
  ];
  const { html, text } = parts.html ? writeHtml(parts.html, parts.text, state) : writeText(parts.text, state);
  return { subject, html, text: footer ? [...text, ...footerText(footer, system)] : text };
}

function writeText(write: WriteText | null, state: RenderState): { html: Pieces; text: Pieces } {
  const text = write?.(state) ?? NOTHING;
  const escaped = text.map((piece) => (typeof piece === 'string' ? escapeMarkup(piece) : piece.changed('escaped', escapeMarkup)));
  return { html: [...state.top, PRE_START, ...escaped, PRE_END, ...state.bottom], text };
}

/** Renders the HTML. If values can change its structure, the result is tokenized again for each message. */
function writeHtml({ write, isPlanned }: HtmlPart, text: WriteText | null, state: RenderState): { html: Pieces; text: Pieces } {
  const written = state.written(write);
  if (isPlanned && text) return { html: written, text: text(state) };
  const whole = textOf(written);
  const tokens = tokenizeHtml(whole);
  state.spend(tokens.length * STEPS_PER_TOKEN);
  return {
    html: isPlanned ? written : [decorateHtml(whole, tokens, state)],
    text: text ? text(state) : [htmlToText(whole, tokens)],
  };
}

/** Returns what finds a string for the reader's locale; for a reader without one, in the language of the content. */
function stringFinder(strings: Strings, language: string | null): (key: string, values: Values) => string | undefined {
  const read = stringReader(strings);
  return (key, { locale }) => read(key, typeof locale === 'string' ? locale : language);
}

/** Compiles a content; `key` is its `keyOf`, null of a content for one message. Throws TemplateSyntaxError with the faults of all fields. */
export function compile<Key extends string | null>(source: ContentSource, key: Key, reused: Reused): Compiled<Key> {
  const { fields, reads, system: used, ownSystem } = parseContent(source, reused);
  const usesUnsubscribeUrl = used.has('unsubscribeUrl');
  const ownUrls = OWN_URLS.filter((name) => used.has(name));
  const { parts, leafCount } = compileParts(fields, key === null);
  const { constants = null, language = null, strings = null } = source;
  const stringFor = strings && stringFinder(strings, language);
  const isRightToLeft = language !== null && directionOf(language) === 'rtl';
  const footers = usesUnsubscribeUrl ? null : footersOf(source.brand ?? null, isRightToLeft);
  const stateOf = (values: Values, system: SystemValues, decoration: Decoration): RenderState =>
    new RenderState(
      constants ? { ...values, ...constants } : values,
      system,
      decoration,
      reused.formatters,
      language ?? DEFAULT_LANGUAGE,
      ownUrls.map((name) => system[name]),
      stringFor,
    );
  const write: CompiledContent['write'] = (values, system, decoration) => {
    const written = writeParts(parts, stateOf(values, system, decoration), decoration.unsubscribeFooter ? footers : null);
    const made = key === null ? joined(written) : written;
    return language === null ? made : { ...made, language };
  };
  const content: CompiledContent<Key> = {
    key,
    placeholders: [...reads.names].sort(),
    dataKeys: reads.dataKeys,
    strings: [...reads.strings].sort(),
    usesUnsubscribeUrl,
    hasOwnSubjects: ownSystem.size > 0,
    subject: (values, system) => subjectOf(parts, stateOf(values, system, PLAIN)),
    valuesFor: (variables, contact) => {
      const values = resolveValues(reads, variables, contact);
      return usesUnsubscribeUrl ? values : withFooterLanguage(values, contact);
    },
    write,
    missing: (values, system) => {
      const state = stateOf(values, system, PLAIN);
      const missed = (state.missed = new Set<string>());
      writeParts(parts, state, null);
      return [...missed].sort();
    },
    render: (values, system, decoration) => {
      const { subject, html, text } = write(values, system, decoration);
      return { subject, html: textOf(html), text: textOf(text) };
    },
  };
  return { content, size: sizeOf(source, leafCount) };
}

function sizeOf(source: ContentSource, leafCount: number): number {
  const characters = textsOfContent(source).reduce((sum, field) => sum + (field?.length ?? 0), 0);
  return CONTENT_BYTES + characters * CHARACTER_BYTES + leafCount * LEAF_BYTES;
}

/** Returns all texts of a content, in a fixed order: two contents with the same ones are the same. */
export function textsOfContent(source: ContentSource): readonly (string | null)[] {
  const { subject, html, text, previewText, brand, verbatim, constants, language, strings } = source;
  const texts = [subject, html, text, previewText ?? null, brand?.name ?? null, brand?.address ?? null];
  return [
    ...texts,
    ...(verbatim ? [VERBATIM] : []),
    ...(constants ? [JSON.stringify(constants)] : []),
    ...(language ? [LANGUAGE + language] : []),
    ...(strings ? [STRINGS + JSON.stringify(strings)] : []),
  ];
}

/** Tells a text from a template that is written the same. */
const VERBATIM = 'verbatim';
/** Tells a text from the same one in another language. */
const LANGUAGE = 'language/';
/** Tells a text from the same one with other strings of its project. */
const STRINGS = 'strings/';

/** Returns whether two contents are the same texts. */
export function isSameContent(a: ContentSource, b: ContentSource): boolean {
  const [texts, others] = [textsOfContent(a), textsOfContent(b)];
  return texts.length === others.length && texts.every((text, at) => text === others[at]);
}

/** Returns a text that two contents share only when they are the same. */
export function keyOf(source: ContentSource): string {
  const fields = textsOfContent(source);
  const lengths = fields.map((field) => field?.length ?? -1).join();
  return hash('sha256', `${lengths}|${fields.join('')}`, 'base64');
}

/** Compiles a single content. Throws TemplateSyntaxError with the faults of all fields. */
export const compileContent = (source: ContentSource): CompiledContent => compile(source, keyOf(source), new Reused()).content;

/** Ends at the next `<`: a search from each of many open tags to the end would take time by the square of their number. */
const ROOT = /<(?:html|body)(?=[\s>])[^<>]*>/i;
const hasAttribute = (tag: string, name: string): boolean => new RegExp(`\\s${name}\\s*=`, 'i').test(tag);

/** Returns HTML that says its direction where that is from right to left: at its own outermost element, or in one around it. */
export function directed(html: string, language: string): string {
  if (directionOf(language) === 'ltr') return html;
  const root = ROOT.exec(html)?.[0];
  if (root === undefined) return `<div dir="rtl" lang="${language}">${html}</div>`;
  if (hasAttribute(root, 'dir')) return html;
  const lang = hasAttribute(root, 'lang') ? '' : ` lang="${language}"`;
  return html.replace(root, () => root.replace(/^<\w+/, (name) => `${name} dir="rtl"${lang}`));
}
