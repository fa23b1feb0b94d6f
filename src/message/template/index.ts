export { ContentCompiler, contentCompiler } from './compiler';
export { RENDERER_VERSION, compileContent, isSameContent, textsOfContent, directed } from './content';
export { escapeMarkup } from './values';
export { foreignPlaceholder } from './faults';
export { inspectHtml } from './inspect';
export { htmlToText } from './plain-text';
export { TemplateRenderError, TemplateSyntaxError, faultsBy, isForMany } from './types';
export type {
  CompiledContent,
  ContentForMany,
  ContactFields,
  ContentSource,
  Decoration,
  FooterBrand,
  Rendered,
  SystemValues,
  TemplateFault,
  TemplateField,
  Values,
  Written,
} from './types';
export { linksOf, writtenLinks } from './links';
