import { AppError } from '../../platform/core';
import type { ErrorDetail } from '../../platform/core';
import { DESIGN_VERSION, readDesign, renderDesign, warningsOf } from '../../rules/blocks';
import type { Design, DesignWarning } from '../../rules/blocks';
import type { TemplateType } from './model';
import { TemplateSyntaxError, compileContent, directed, faultsBy } from '../../message/template';
import type { CompiledContent, ContentSource, FooterBrand, TemplateFault } from '../../message/template';
import type { Strings } from '../../rules/strings';
import type { Translations } from '../../rules/translations';

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
