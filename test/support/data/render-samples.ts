import fc from 'fast-check';
import { ContentCompiler, TemplateSyntaxError } from '../../../src/message/template';
import type { ContentSource, Decoration, SystemValues, Values } from '../../../src/message/template';

const compiler = new ContentCompiler();

const SYSTEM: SystemValues = {
  unsubscribeUrl: 'https://t.example/u',
  preferencesUrl: 'https://t.example/p/1',
  viewInBrowserUrl: 'https://t.example/v',
  year: 2026,
};
const PLAIN: Decoration = { trackLink: null, pixelUrl: null, unsubscribeFooter: false };

/** Renders a source with these values as they are. */
export function render(source: Partial<ContentSource>, values: Values, decoration: Partial<Decoration> = {}) {
  return compiler.compile({ subject: 's', html: null, text: null, ...source }).render(values, SYSTEM, { ...PLAIN, ...decoration });
}

/** Returns the result of `render`, or null when the template is refused. */
export function attempt(source: Partial<ContentSource>, decoration: Partial<Decoration> = {}, values: Values = VALUES) {
  try {
    return render(source, values, decoration);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return null;
    throw error;
  }
}

/** Joins up to `most` parts, one after another. */
export const joined = (parts: fc.Arbitrary<string>, most: number) => fc.array(parts, { maxLength: most }).map((list) => list.join(''));

/** A value of each kind. */
export const VALUES: Values = {
  word: `<a href='x'> & "q"`,
  url: 'https://e.example/?a=1&b=2',
  bad: 'javascript:x',
  zero: 0,
  no: false,
  none: null,
  empty: '',
  list: [
    { word: 'one', tags: ['x', '--', '>'] },
    { word: 'two', tags: [] },
  ],
  object: { word: 'in', tags: { k: 'v', l: 1 } },
};
