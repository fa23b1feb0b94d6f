import { createHash } from 'node:crypto';
import { perCore, sendFailed } from '../../platform/core';
import type { Context } from '../../platform/core';
import { RENDERER_VERSION, TemplateSyntaxError, contentCompiler, directed, isSameContent, textsOfContent } from '../../message/template';
import type { CompiledContent, ContentSource } from '../../message/template';
import type { InlineContent } from '../../records/emails';
import { footerBrandOf } from '../../rules/brand';
import { stringsIn } from '../../rules/strings';
import type { Strings } from '../../rules/strings';
import { languageChooser } from '../../rules/translations';
import type { Translation, Translations } from '../../rules/translations';
import type { Template } from '../templates';
import type { Draft, DraftContent, PreparedRecipient, SendMessage } from './types';

/** Compiles what a message says. */
export function contentOf(
  ctx: Context,
  message: SendMessage,
  template: Template | null,
  { type, strings }: Pick<Draft, 'type'> & { readonly strings: Strings | null },
): DraftContent & Pick<Draft, 'contentIn'> {
  const written = withBrand(sourceOf(message, template), brandFor(ctx, type));
  const source = withStrings(written, strings);
  const fromName = message.fromName ?? template?.fromName ?? null;
  return {
    source,
    content: compileStored(ctx, readNow(message, source)),
    contentHash: lastHash(ctx.core).of(ctx.projectId, source),
    contentIn: contentsIn(message, template?.variants ?? message.variants, (language, variant) => {
      const own = withStrings(translated(message, written, language, variant), strings);
      const sender = (template && message.fromName) ?? variant.fromName ?? fromName;
      return { source: own, content: compileStored(ctx, own), contentHash: hashContent(ctx.projectId, own), fromName: sender };
    }),
    fromName,
  };
}

function compileStored({ core }: Context, source: ContentSource): CompiledContent {
  try {
    return contentCompiler(core).compile(source);
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw sendFailed('template_render_failed', 'The template does not compile with this subject');
  }
}

/** Returns what chooses the content of a message by language; undefined where it is the same in all. A subject of the message's own is for all languages. */
function contentsIn(
  { templateId, subject }: SendMessage,
  variants: Translations | null | undefined,
  make: (language: string, variant: Translation) => DraftContent,
): Draft['contentIn'] {
  if (!variants) return undefined;
  const chosen = languageChooser(Object.keys(variants));
  const made = new Map<string, DraftContent>();
  return (locale) => {
    const language = chosen(locale);
    const variant = language === null ? undefined : variants[language];
    if (language === null || !variant) return undefined;
    const known = made.get(language) ?? make(language, templateId !== null && subject !== null ? { ...variant, subject } : variant);
    made.set(language, known);
    return known;
  };
}

/** Returns a content in another language. */
const translated = (
  message: SendMessage,
  source: InlineContent,
  language: string,
  { subject, body, previewText = null }: Translation,
): InlineContent => ({
  ...source,
  subject: titled(message, subject),
  html: directed(body, language),
  previewText: message.templateId === null ? previewText : (message.previewText ?? previewText),
  language,
});

const TRIAL = '[Test] ';

/** Returns a subject, which says so where its author tries it out. */
const titled = ({ isTrial }: SendMessage, subject: string): string => (isTrial === true ? TRIAL + subject : subject);

const sourceOf = (message: SendMessage, template: Template | null): InlineContent => ({
  subject: titled(message, message.subject ?? template?.subject ?? ''),
  html: template?.body ?? message.html,
  text: message.text,
  previewText: message.previewText ?? null,
  ...(message.given && { verbatim: true }),
});

/** Returns what of a content matters before its attempt: of a message that came composed only the subject, as its texts have no placeholders. */
const readNow = ({ given }: SendMessage, source: InlineContent): ContentSource =>
  given ? { subject: source.subject, html: null, text: null, verbatim: true } : source;

// Only marketing mail has a footer.
const brandFor = ({ project }: Context, type: Draft['type']): InlineContent['brand'] =>
  type === 'marketing' ? footerBrandOf(project.brand) : null;

/** Adds whom the footer names; content without a brand has no such member, as most messages store their own. */
const withBrand = (source: InlineContent, brand: InlineContent['brand']): InlineContent => (brand ? { ...source, brand } : source);

/** Adds the project's strings that a content reads; most contents read none. */
function withStrings(source: InlineContent, strings: Strings | null): InlineContent {
  const { verbatim, subject, html, text, previewText } = source;
  const used = verbatim ? null : stringsIn(strings, [subject, html, text, previewText]);
  return used ? { ...source, strings: used } : source;
}

/** Returns what a recipient of a draft reads, and the id of that. */
export function contentFor(draft: Draft, recipient: PreparedRecipient | null): DraftContent & Pick<Draft, 'contentId'> {
  const own = recipient?.own;
  if (!own) return draft;
  return { ...own, contentId: draft.contentId && draft.contentId.replace(draft.contentHash, own.contentHash) };
}
/** The latest content and its id: most messages of a batch share one content. */
class LastHash {
  private last: { readonly projectId: string; readonly source: InlineContent; readonly id: string } | null = null;

  of(projectId: string, source: InlineContent): string {
    if (this.last?.projectId !== projectId || !isSameContent(this.last.source, source)) {
      this.last = { projectId, source, id: hashContent(projectId, source) };
    }
    return this.last.id;
  }
}

const lastHash = perCore(() => new LastHash());

/** Derives the id under which a project's content is stored once. Prefixes each text with its length, since a text may contain any separator. */
export function hashContent(projectId: string, source: InlineContent): string {
  const texts = textsOfContent(source);
  const lengths = texts.map((each) => each?.length ?? -1).join();
  return createHash('sha256')
    .update(`${RENDERER_VERSION}/${projectId}/${lengths}/${texts.join('')}`)
    .digest('base64url');
}
