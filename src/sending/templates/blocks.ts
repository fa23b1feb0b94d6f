import { AppError } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { DESIGN_VERSION, readDesign, renderDesign, warningsOf } from '../../rules/blocks';
import type { Design, DesignWarning } from '../../rules/blocks';
import type { TemplateType } from './model';
import { syntaxFaults } from './syntax';

interface RenderedBlocks {
  /** The HTML that a template or campaign has as its body. */
  readonly body: string;
  readonly warnings: readonly DesignWarning[];
}

const invalidDesign = (details: readonly ErrorDetail[]): AppError => new AppError('validation_error', 'The design is not valid', details);

function parsed(design: unknown, member: string): unknown {
  if (typeof design !== 'string') return design;
  try {
    return JSON.parse(design);
  } catch {
    throw invalidDesign([{ path: member, code: 'invalid_template', message: 'Must be JSON' }]);
  }
}

/** Reads and renders a design. Throws 422 for what is no design, and for faults in the templates of its HTML blocks; `pathOf` names the places of its faults. */
function checked(given: unknown, pathOf: (path: string) => string): { readonly design: Design; readonly body: string } {
  const { design, faults } = readDesign(given);
  if (!design) throw invalidDesign(faults.map(({ path, message }) => ({ path: pathOf(path), code: 'invalid_template', message })));
  const body = renderDesign(design);
  const inTemplate = syntaxFaults({ subject: '', body });
  if (inTemplate.length > 0) throw invalidDesign(inTemplate.map((fault) => ({ ...fault, path: pathOf('') })));
  return { design, body };
}

/** Renders a design to HTML. Throws 422 for what is no design, and for faults in the templates of its HTML blocks. */
export function renderBlocks(given: unknown, type: TemplateType): RenderedBlocks {
  const { design, body } = checked(parsed(given, 'bodyBlocks'), (path) => (path === '' ? 'bodyBlocks' : `bodyBlocks.${path}`));
  return { body, warnings: warningsOf(design, body, type) };
}

/** Checks the JSON of a list of blocks, as the design of a mail holds it. Throws 422 at `blocks`. */
export function checkBlocks(text: string): void {
  const blocks = parsed(text, 'blocks');
  if (Array.isArray(blocks) && blocks.length === 0) throw invalidDesign([{ path: 'blocks', code: 'too_small', message: 'Give a block' }]);
  checked({ version: DESIGN_VERSION, blocks }, (path) => path || 'blocks');
}
