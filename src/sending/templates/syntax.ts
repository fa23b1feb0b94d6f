import { AppError } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { TemplateSyntaxError, compileContent, directed, faultsBy } from '../../message/template';
import type { CompiledContent, ContentSource, FooterBrand, TemplateFault } from '../../message/template';
import type { Strings } from '../../rules/strings';
import type { Translations } from '../../rules/translations';

const detail = ({ field, line, column, message }: TemplateFault): ErrorDetail => ({
  path: field === 'subject' ? 'subject' : 'body',
  code: 'invalid_template',
  message: `${message} (line ${line}, column ${column})`,
});

interface Source {
  readonly subject: string;
  readonly body: string;
  readonly brand?: FooterBrand | null;
  /** Set for a variant. */
  readonly language?: string | null;
  /** The project's strings that it reads. */
  readonly strings?: Strings | null;
}

const compiled = ({ subject, body, brand = null, language = null, strings = null }: Source): CompiledContent =>
  compileContent({ subject, html: language === null ? body : directed(body, language), text: null, brand, language, strings });

/** Returns one `invalid_template` detail for each fault of the subject and the body. */
export const syntaxFaults = (source: Source): readonly ErrorDetail[] => faultsBy(() => compiled(source)).map(detail);

/** Compiles a template. Throws 422 with the faults. */
export function checkSyntax(source: Source): CompiledContent {
  try {
    return compiled(source);
  } catch (error) {
    throw error instanceof TemplateSyntaxError ? notValid(error.faults.map(detail)) : error;
  }
}

/** Finds one `invalid_template` detail for each fault of the variants, at `variants.<language>`. */
export function variantFaults(variants: Translations | null | undefined): readonly ErrorDetail[] {
  return Object.entries(variants ?? {}).flatMap(([language, { subject, body, previewText, abSubjectB }]) => [
    ...faultsOf({ subject, html: body, text: null, previewText: previewText ?? null }, language),
    ...(abSubjectB ? faultsOf({ subject: abSubjectB, html: '', text: null }, language, 'abSubjectB') : []),
  ]);
}

const faultsOf = (source: ContentSource, language: string, member?: string): readonly ErrorDetail[] =>
  faultsBy(() => compileContent({ ...source, language })).map((fault) => {
    const { path, ...rest } = detail(fault);
    const own = fault.field === 'previewText' ? fault.field : path;
    return { ...rest, path: `variants.${language}.${member ?? own}` };
  });

/** Checks a template with its variants. Throws 422 with the faults. */
export function checkAllSyntax({ variants, ...source }: Source & { readonly variants?: Translations | null | undefined }): void {
  const faults = [...syntaxFaults(source), ...variantFaults(variants)];
  if (faults.length > 0) throw notValid(faults);
}

const notValid = (faults: readonly ErrorDetail[]): AppError => new AppError('validation_error', 'The template is not valid', faults);
