import { AppError } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { TemplateSyntaxError, compileContent } from '../../message/template';
import type { TemplateFault } from '../../message/template';

const detail = ({ field, line, column, message }: TemplateFault): ErrorDetail => ({
  path: field === 'subject' ? 'subject' : 'body',
  code: 'invalid_template',
  message: `${message} (line ${line}, column ${column})`,
});

interface Source {
  readonly subject: string;
  readonly body: string;
}

/** One `invalid_template` detail for each fault of the subject and the body. */
export function syntaxFaults({ subject, body }: Source): readonly ErrorDetail[] {
  try {
    compileContent({ subject, html: body, text: null });
    return [];
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return error.faults.map(detail);
  }
}

/** Throws 422 with the faults. */
export function checkSyntax(source: Source): void {
  const faults = syntaxFaults(source);
  if (faults.length > 0) throw new AppError('validation_error', 'The template is not valid', faults);
}
