import { ContentCompiler } from '../../../src/message/template';
import type {
  CompiledContent,
  ContactFields,
  ContentSource,
  Decoration,
  Rendered,
  SystemValues,
  Values,
} from '../../../src/message/template';

const compiler = new ContentCompiler();

export const ADA: ContactFields = {
  contactId: 'con_1',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: null,
  locale: 'en',
  data: { plan: 'pro', seats: 0, empty: '' },
};
export const SYSTEM: SystemValues = {
  unsubscribeUrl: 'https://t.example/u/1',
  preferencesUrl: 'https://t.example/p/1',
  viewInBrowserUrl: 'https://t.example/v/1',
  year: 2026,
};
export const PLAIN: Decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };

/** Compiles a source. Throws a `TemplateSyntaxError` when it is refused. */
export const contentOf = (source: Partial<ContentSource>): CompiledContent =>
  compiler.compile({ subject: 's', html: null, text: null, ...source });

/** Renders a source with the variables of a request, for a contact: what a send does. */
export function render(source: Partial<ContentSource>, variables: Values = {}, contact = ADA): Rendered {
  const content = contentOf(source);
  return content.render(content.valuesFor(variables, contact), SYSTEM, PLAIN);
}

/** The text part that a template gives. */
export const text = (template: string, variables: Values = {}, contact = ADA) => render({ text: template }, variables, contact).text;
