/** What is to be sent, as its author wrote it; at least one of `html` and `text` is there. */
export interface ContentSource {
  readonly subject: string;
  readonly html: string | null;
  readonly text: string | null;
  readonly previewText?: string | null;
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

/** A rendering that broke a bound on loops, output or work. */
export class TemplateRenderError extends Error {
  override readonly name = 'TemplateRenderError';
}

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

/** What the platform alone provides; no variable can replace it. */
export interface SystemValues {
  readonly unsubscribeUrl: string;
  readonly viewInBrowserUrl: string;
  readonly year: number;
}

/** What is added to one rendering. `trackLink` gets the decoded URL and answers the one to put in its place. */
export interface Decoration {
  readonly trackLink: ((url: string) => string) | null;
  readonly pixelUrl: string | null;
  readonly unsubscribeFooter: boolean;
}

export interface Rendered {
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Texts that stand in both parts whoever the recipient is, in their order; not all of them. The same lists for each rendering. */
  readonly fixed: FixedTexts;
}

export interface FixedTexts {
  readonly html: readonly string[];
  readonly text: readonly string[];
}

export interface CompiledContent {
  /** Names of the variables and contact fields read anywhere, sorted; what the platform provides is not among them. */
  readonly placeholders: readonly string[];
  /** The custom fields read as `data.<field>`; null when `data` is read as a whole. */
  readonly dataKeys: ReadonlySet<string> | null;
  /** True when html or text has its own unsubscribe link, so that no footer is added. */
  readonly usesUnsubscribeUrl: boolean;
  /** The least that has to be kept to render this content again: variables over contact fields, only the names used. */
  valuesFor(variables: Values, contact: ContactFields): Values;
  /** Renders for one recipient. Throws TemplateRenderError when a bound is broken. */
  render(values: Values, system: SystemValues, decoration: Decoration): Rendered;
}
