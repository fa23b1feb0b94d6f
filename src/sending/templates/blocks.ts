import { AppError } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { readDesign, renderDesign, warningsOf } from '../../rules/blocks';
import type { DesignWarning } from '../../rules/blocks';
import type { TemplateType } from './model';
import { syntaxFaults } from './syntax';

interface RenderedBlocks {
  /** The HTML that a template or campaign has as its body. */
  readonly body: string;
  readonly warnings: readonly DesignWarning[];
}

const refused = (details: readonly ErrorDetail[]): AppError => new AppError('validation_error', 'The design is not valid', details);

function parsed(design: unknown): unknown {
  if (typeof design !== 'string') return design;
  try {
    return JSON.parse(design);
  } catch {
    throw refused([{ path: 'bodyBlocks', code: 'invalid_template', message: 'Must be JSON' }]);
  }
}

/** Renders a design to HTML. Throws 422 for what is no design, and for faults in the templates of its HTML blocks. */
export function renderBlocks(given: unknown, type: TemplateType): RenderedBlocks {
  const { design, faults } = readDesign(parsed(given));
  if (!design)
    throw refused(
      faults.map(({ path, message }) => ({ path: path === '' ? 'bodyBlocks' : `bodyBlocks.${path}`, code: 'invalid_template', message })),
    );
  const body = renderDesign(design);
  const inTemplate = syntaxFaults({ subject: '', body });
  if (inTemplate.length > 0) throw refused(inTemplate.map((fault) => ({ ...fault, path: 'bodyBlocks' })));
  return { body, warnings: warningsOf(design, body, type) };
}
