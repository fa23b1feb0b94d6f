import { STRING_KEY } from '../strings';
import type { Path } from './model';

/** Up to ten names or numbers with dots between them. Nothing else reaches a placeholder. */
const PATH = /^(?!else\b)[A-Za-z_][\w-]{0,63}(?:\.[\w-]{1,64}){0,9}$/;
const NAME = /^(?!else$|this$|if$|data$)[A-Za-z]\w{0,30}$/;
/** Characters that a string of a template cannot hold: the backslash, and those that do not show. */
const UNQUOTABLE = /[\\\p{Cc}]/u;
const PLACEHOLDER = /(?<!\{)\{\{\s*([\w.-]+)\s*\}\}(?!\})/g;
const SCHEME = /^(?:https?:\/\/[^\s/?#{}]|mailto:|tel:)/i;
const ONE_PLACEHOLDER = /^\{\{\s*([\w.-]+)\s*\}\}$/;
const BAD_IN_LINK = /[\s\p{Cc}]/u;

export const isPath = (text: string): boolean => PATH.test(text);

/** Returns whether a text can be the key of a translation. */
export const isTranslationKey = (text: string): boolean => STRING_KEY.test(text);

/** Returns whether a text can name the element of a repetition. */
export const isName = (text: string): boolean => NAME.test(text);

/** Returns whether a text can be a fallback, or a value to compare with. */
export const isLiteral = (text: string): boolean => !UNQUOTABLE.test(text);

/** Returns whether a link leads to the web, to an address or to a telephone, or is a placeholder. A link that is empty is not written yet. */
export function isLink(text: string): boolean {
  if (text === '') return true;
  const [, whole] = ONE_PLACEHOLDER.exec(text) ?? [];
  if (whole !== undefined) return isPath(whole);
  return SCHEME.test(text) && !BAD_IN_LINK.test(text.replaceAll(PLACEHOLDER, 'x'));
}

/** Returns whether a link can be the address of a picture. */
export const isSource = (text: string): boolean => isLink(text) && !/^(?:mailto|tel):/i.test(text);

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A template reads braces, and a backslash before them.
  '{': '&#123;',
  '}': '&#125;',
  '\\': '&#92;',
};

/** Writes text for element content and quoted attributes, so that neither HTML nor a template finds anything in it. */
export const escaped = (text: string): string =>
  text.replaceAll('\0', '').replace(/[&<>"'{}\\]/g, (character) => ENTITIES[character] ?? character);

/** Writes a string of a template. */
const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;

/** Writes a value of a template. */
export const literal = (value: string | number | boolean): string => (typeof value === 'string' ? quoted(value) : String(value));

/** Names of elements that repetitions around a block give; empty outside of all. */
export type Names = readonly string[];

/** Writes a path so that it means the same inside of a repetition as outside. */
export function pathIn(path: Path, names: Names): string {
  const [head = ''] = path.split('.', 1);
  return names.length === 0 || names.includes(head) ? path : `@root.${path}`;
}

const withFallback = (written: string, fallback: string | undefined): string =>
  fallback === undefined || fallback === '' ? `{{${written}}}` : `{{${written} | ${quoted(fallback)}}}`;

/** Writes a placeholder. */
export const placeholder = (path: Path, names: Names, fallback?: string): string => withFallback(pathIn(path, names), fallback);

/** Writes the placeholder of a translation. */
export const translation = (key: string, fallback?: string): string => withFallback(`t ${quoted(key)}`, fallback);

/** Writes a link for a quoted attribute; its placeholders stay placeholders. */
export function linkIn(link: string, names: Names): string {
  let from = 0;
  const parts: string[] = [];
  for (const found of link.matchAll(PLACEHOLDER)) {
    const [written, path = ''] = found;
    parts.push(escaped(link.slice(from, found.index)), isPath(path) ? placeholder(path, names) : escaped(written));
    from = found.index + written.length;
  }
  return [...parts, escaped(link.slice(from))].join('');
}
