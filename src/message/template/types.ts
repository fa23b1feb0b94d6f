import type { Strings } from '../../rules/strings';
import type { FixedText, Pieces } from '../mime';

/** The content to send, as its author wrote it; at least one of `html` and `text` is present. */
export interface ContentSource {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly previewText?: string | null;
  /** The sender that the footer names, if the content is for marketing mail of a project with a brand. */
  readonly brand?: FooterBrand | null;
  /** True of texts that are no templates: braces in them are text. */
  readonly verbatim?: boolean;
  /** Values that are the same for all recipients; no variable can replace them. */
  readonly constants?: Values | null;
  /** The language that it is written in (BCP 47), if it is a variant of a content for one. */
  readonly language?: string | null;
  /** The project's own strings that it reads. */
  readonly strings?: Strings | null;
}

/** The sender, as the footer of marketing mail shows it. */
export interface FooterBrand {
  readonly name: string | null;
  /** The postal address; it may have several lines. */
  readonly address: string | null;
}

export type TemplateField = 'subject' | 'html' | 'text' | 'previewText';

/** One mistake in a template. Line and column count from 1 and refer to the text as its author wrote it. */
export interface TemplateFault {
  readonly field: TemplateField;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A content that cannot be compiled; holds the faults of all its fields. */
export class TemplateSyntaxError extends Error {
  override readonly name = 'TemplateSyntaxError';
  constructor(readonly faults: readonly TemplateFault[]) {
    super(faults.map(({ field, line, column, message }) => `${field}, line ${line}, column ${column}: ${message}`).join('\n'));
  }
}

/** Returns the faults of what `compile` compiles; none if it can be compiled. */
export function faultsBy(compile: () => unknown): readonly TemplateFault[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error.faults;
    throw error;
  }
}

/** A rendering that broke a bound on loops, output or work. */
export class TemplateRenderError extends Error {
  override readonly name = 'TemplateRenderError';
}

/** The data for placeholders. */
export type Values = Readonly<Record<string, unknown>>;

/** The fields of a contact that a template can read under their own names. */
export interface ContactFields {
  readonly contactId: string | null;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly locale: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Values that only the platform provides; no variable can replace them. */
export interface SystemValues {
  readonly unsubscribeUrl: string;
  readonly preferencesUrl: string;
  readonly viewInBrowserUrl: string;
  readonly year: number;
}

/** The replacement of a link: text that may need escaping, or pieces that need none in any attribute. */
export type TrackedLink = string | readonly (string | FixedText)[];

/** The additions to one rendering. */
export interface Decoration {
  /** Gets a decoded URL, and whether it is the same for all recipients; returns its replacement. */
  readonly trackLink: ((url: string, isShared: boolean) => TrackedLink) | null;
  readonly pixelUrl: string | null;
  readonly unsubscribeFooter: boolean;
}

export interface Rendered {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
}

/** A rendering in pieces; a piece shared by every message is the same object in each of them. */
export interface Written {
  readonly subject: string;
  readonly html: Pieces;
  readonly text: Pieces;
  /** The language of the content; absent where that is not known. */
  readonly language?: string;
}

/** The parts of a message, parsed and checked, to be rendered for any number of recipients. */
export interface CompiledContent<Key extends string | null = string | null> {
  /** Identifies the source; null where it was compiled for one message. */
  readonly key: Key;
  /** Names of the variables and contact fields read anywhere, sorted, without the platform's values. */
  readonly placeholders: readonly string[];
  /** The custom fields read as `data.<field>`; null when `data` is read as a whole. */
  readonly dataKeys: ReadonlySet<string> | null;
  /** Keys of the project's strings that are read without a fallback, sorted. */
  readonly strings: readonly string[];
  /** True when html or text has its own unsubscribe link, so that no footer is added. */
  readonly usesUnsubscribeUrl: boolean;
  /** True when the subject reads the platform's values, so that each message has its own. */
  readonly hasOwnSubjects: boolean;
  /** Renders the subject for one recipient. Throws as `write` does. */
  subject(values: Values, system: SystemValues): string;
  /** Returns the least data to store for rendering this content again: variables over contact fields, only the names used. */
  valuesFor(variables: Values, contact: ContactFields): Values;
  /** Renders for one recipient, for mail. Throws TemplateRenderError when a bound is broken. */
  write(values: Values, system: SystemValues, decoration: Decoration): Written;
  /** Lists the placeholders that resolve to nothing for one recipient: their values are missing, and they have no fallback. Throws as `write` does. */
  missing(values: Values, system: SystemValues): readonly string[];
  /** Renders like `write`, to plain strings. */
  render(values: Values, system: SystemValues, decoration: Decoration): Rendered;
}

/** A content of many messages. */
export type ContentForMany = CompiledContent<string>;

/** Returns whether many messages share a content. */
export const isForMany = (content: CompiledContent): content is ContentForMany => content.key !== null;
