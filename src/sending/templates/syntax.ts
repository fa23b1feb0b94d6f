import { AppError } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { TemplateSyntaxError, compileContent } from '../../message/template';
import type { CompiledContent, FooterBrand, TemplateFault } from '../../message/template';

const detail = ({ field, line, column, message }: TemplateFault): ErrorDetail => ({
  path: field === 'subject' ? 'subject' : 'body',
  code: 'invalid_template',
  message: `${message} (line ${line}, column ${column})`,
});

interface Source {
  readonly subject: string;
  readonly body: string;
  readonly brand?: FooterBrand | null;
}

const faultsIn = (error: unknown): readonly ErrorDetail[] => {
  if (!(error instanceof TemplateSyntaxError)) throw error;
  return error.faults.map(detail);
};

const compiled = ({ subject, body, brand = null }: Source): CompiledContent => compileContent({ subject, html: body, text: null, brand });

/** One `invalid_template` detail for each fault of the subject and the body. */
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
