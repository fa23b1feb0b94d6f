import { AppError } from '../errors';
import type { ErrorDetail } from '../errors';
import { TemplateSyntaxError, compileContent } from '../render';
import type { TemplateFault } from '../render';

const detail = ({ field, line, column, message }: TemplateFault): ErrorDetail => ({
  path: field === 'subject' ? 'subject' : 'body',
  code: 'invalid_template',
  message: `${message} (line ${line}, column ${column})`,
});

/** Throws 422 with one `invalid_template` detail for each fault of the subject and the body. */
export function checkSyntax({ subject, body }: { readonly subject: string; readonly body: string }): void {
  try {
    compileContent({ subject, html: body, text: null });
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    throw new AppError('validation_error', 'The template is not valid', error.faults.map(detail));
  }
}
