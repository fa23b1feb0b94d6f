export { ContentCompiler, contentCompiler } from './compiler';
export { RENDERER_VERSION, compileContent, isSameContent } from './content';
export { escapeMarkup } from './escape';
export { TemplateRenderError, TemplateSyntaxError } from './types';
export type {
  CompiledContent,
  ContactFields,
  ContentSource,
  Decoration,
  Rendered,
  SystemValues,
  TemplateFault,
  TemplateField,
  Values,
  Written,
} from './types';
