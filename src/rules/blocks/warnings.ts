import { contrast } from '../color';
import { utf8Length } from '../conditions/text';
import type { Block, Design, Span } from './model';
import { allOf, within } from './read';
import { QUIET, styleOf } from './style';

interface Feature {
  readonly found: RegExp;
  /** The part that readers miss. */
  readonly words: string;
  /** The page of caniemail.com that says so. */
  readonly source: string;
}

/** Features that common mail programs lack, by their form in HTML. */
const FEATURES: readonly Feature[] = [
  {
    // Ends at the next colon, so that many of these names without a value take no time by the square of their number.
    found: /\bbackground(?:-image)?\s*:[^:;"'}]*\burl\(/i,
    words: 'Outlook on Windows shows no background pictures. Set a background color too.',
    source: 'css-background-image',
  },
  { found: /\bdisplay\s*:\s*(?:inline-)?flex\b/i, words: 'Outlook on Windows ignores flexbox. Use tables.', source: 'css-display-flex' },
  {
    found: /\bdisplay\s*:\s*(?:inline-)?grid\b/i,
    words: 'Outlook on Windows and Gmail ignore CSS grid. Use tables.',
    source: 'css-display-grid',
  },
  { found: /\bposition\s*:\s*(?:absolute|fixed|sticky)\b/i, words: 'Gmail and Outlook ignore CSS positions.', source: 'css-position' },
  { found: /<video\b/i, words: 'Gmail and Outlook play no video. Link a picture to it.', source: 'html-video' },
  { found: /<form\b/i, words: 'Outlook and others show no forms. Link to a page with the form.', source: 'html-form' },
  { found: /<svg\b/i, words: 'Gmail and Outlook remove SVG. Use a picture.', source: 'html-svg' },
];

/** Lists what widespread mail programs lack of what a piece of HTML uses, each with its source. */
export const lackedIn = (html: string): readonly string[] =>
  FEATURES.filter(({ found }) => found.test(html)).map(({ words, source }) => `${words} (caniemail.com: ${source})`);

export const WARNING_CODES = [
  'too_large',
  'image_only',
  'no_alt',
  'no_source',
  'no_link',
  'low_contrast',
  'client_support',
  'no_unsubscribe',
] as const;

/** A weakness of a mail, as its readers would notice it. */
export interface DesignWarning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly message: string;
  /** The block; null where it is the whole mail. */
  readonly block: string | null;
}

/** Gmail cuts off what is longer. */
const MOST_BYTES = 102 * 1024;
/** Fewer letters than this next to pictures say nothing to a reader who sees no pictures. */
const FEW_LETTERS = 20;
/** The contrast that WCAG 2 asks of text. */
const READABLE = 4.5;

const wordsIn = (span: Span): string => ('text' in span ? span.text.trim() : 'field' in span ? span.field : span.translation);

const lettersOf = (spans: readonly Span[]): number => spans.reduce((sum, span) => sum + wordsIn(span).length, 0);

function textLength(block: Block): number {
  if (block.kind === 'text') return block.lines.reduce((sum, { spans }) => sum + lettersOf(spans), 0);
  if (block.kind === 'html') return block.html.length;
  return block.kind === 'heading' ? lettersOf(block.spans) : 0;
}

const said = (code: DesignWarning['code'], block: string | null, message: string): DesignWarning => ({ code, message, block });

function ofImage({ id, src, alt, decorative }: Extract<Block, { readonly kind: 'image' }>): readonly DesignWarning[] {
  if (src === '') return [said('no_source', id, 'This picture has no address, so it is omitted.')];
  if (alt.trim() !== '' || decorative === true) return [];
  return [said('no_alt', id, 'This picture has no alternative text. Describe it, or mark it as decorative.')];
}

const NO_LINK = 'This link leads nowhere. Give it an address.';

function ofLinks(block: Block): readonly DesignWarning[] {
  if (block.kind === 'button' && block.link === '') return [said('no_link', block.id, NO_LINK)];
  if (block.kind === 'social' && block.links.some(({ link }) => link === '')) return [said('no_link', block.id, NO_LINK)];
  return [];
}

interface Colors {
  readonly text: string;
  readonly behind: string;
}

/** Returns the color of a block's text where it has one; null for what has no text of its own. */
function textColor(block: Block, { text }: Colors): string | null {
  if (block.kind === 'text' || block.kind === 'heading') return block.color ?? text;
  return block.kind === 'footer' ? QUIET : null;
}

function ofColors(blocks: readonly Block[], around: Colors): readonly DesignWarning[] {
  return blocks.flatMap((block) => {
    const behind = ('background' in block ? block.background : undefined) ?? around.behind;
    const color = textColor(block, around);
    const isFaint = color !== null && contrast(color, behind) < READABLE;
    const own = isFaint ? [said('low_contrast', block.id, 'This text is hard to read on its background. Choose a stronger color.')] : [];
    return [...own, ...within(block).flatMap((inner) => ofColors(inner, { ...around, behind }))];
  });
}

const hasUnsubscribe = (html: string): boolean => /\{\{\s*(?:@root\.)?unsubscribeUrl/.test(html);

function ofWhole(blocks: readonly Block[], html: string, type: 'transactional' | 'marketing'): readonly DesignWarning[] {
  const size = utf8Length(html);
  const letters = blocks.reduce((sum, block) => sum + textLength(block), 0);
  const isPictures = blocks.some(({ kind }) => kind === 'image') && letters < FEW_LETTERS;
  return [
    ...(size > MOST_BYTES ? [said('too_large', null, `The mail has ${Math.ceil(size / 1024)} KB. Gmail clips mail over 102 KB.`)] : []),
    ...(isPictures ? [said('image_only', null, 'The mail consists of pictures with hardly any text. Many readers see no pictures.')] : []),
    ...(type === 'marketing' && !hasUnsubscribe(html)
      ? [said('no_unsubscribe', null, 'The mail has no unsubscribe link. Add a footer; otherwise Lettermill adds its own.')]
      : []),
  ];
}

/** Returns what a reader would stumble over in a mail, given its design and its HTML. */
export function warningsOf(design: Design, html: string, type: 'transactional' | 'marketing'): readonly DesignWarning[] {
  const blocks = allOf(design.blocks);
  const { text, surface } = styleOf(design.style);
  return [
    ...ofWhole(blocks, html, type),
    ...blocks.flatMap((block) => [...(block.kind === 'image' ? ofImage(block) : []), ...ofLinks(block)]),
    ...blocks.flatMap((block) =>
      block.kind === 'html' ? lackedIn(block.html).map((words) => said('client_support', block.id, words)) : [],
    ),
    ...ofColors(design.blocks, { text, behind: surface }),
  ];
}
