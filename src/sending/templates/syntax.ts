import { AppError } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { TemplateSyntaxError, compileContent, directed } from '../../message/template';
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

const faultsIn = (error: unknown): readonly ErrorDetail[] => {
  if (!(error instanceof TemplateSyntaxError)) throw error;
  return error.faults.map(detail);
};

const compiled = ({ subject, body, brand = null, language = null, strings = null }: Source): CompiledContent =>
  compileContent({ subject, html: language === null ? body : directed(body, language), text: null, brand, language, strings });

/** Returns one `invalid_template` detail for each fault of the subject and the body. */
export function syntaxFaults(source: Source): readonly ErrorDetail[] {
  try {
    compiled(source);
    return [];
  } catch (error) {
    return faultsIn(error);
  }
}

/** Compiles a template. Throws 422 with the faults. */
export function checkSyntax(source: Source): CompiledContent {
  try {
    return compiled(source);
  } catch (error) {
    throw new AppError('validation_error', 'The template is not valid', faultsIn(error));
  }
}

/** Finds one `invalid_template` detail for each fault of the variants, at `variants.<language>`. */
export function variantFaults(variants: Translations | null | undefined): readonly ErrorDetail[] {
  return Object.entries(variants ?? {}).flatMap(([language, { subject, body, previewText, abSubjectB }]) => [
    ...faultsOf({ subject, html: body, text: null, previewText: previewText ?? null }, language),
    ...(abSubjectB ? faultsOf({ subject: abSubjectB, html: '', text: null }, language, 'abSubjectB') : []),
  ]);
}

function faultsOf(source: ContentSource, language: string, member?: string): readonly ErrorDetail[] {
  try {
    compileContent({ ...source, language });
    return [];
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return error.faults.map((fault) => {
      const { path, ...rest } = detail(fault);
      const own = fault.field === 'previewText' ? fault.field : path;
      return { ...rest, path: `variants.${language}.${member ?? own}` };
    });
  }
}

/** Checks a template with its variants. Throws 422 with the faults. */
export function checkAllSyntax({ variants, ...source }: Source & { readonly variants?: Translations | null | undefined }): void {
  const faults = [...syntaxFaults(source), ...variantFaults(variants)];
  if (faults.length > 0) throw new AppError('validation_error', 'The template is not valid', faults);
}
