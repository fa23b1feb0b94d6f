export { compileContent, compileForOne, isSameContent, RENDERER_VERSION } from './content';
export { TemplateRenderError, TemplateSyntaxError } from './types';
export type {
  CompiledContent,
  ContactFields,
  ContentSource,
  Decoration,
  Rendered,
  SystemValues,
  TemplateFault,
  Values,
  Written,
} from './types';
