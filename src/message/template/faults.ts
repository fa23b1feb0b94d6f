import Handlebars from 'handlebars';
import type { TemplateFault } from './types';
import { nearestName } from '../../rules/near-name';

export type Fault = Omit<TemplateFault, 'field'>;

/** A fault by its offset in the source, before that is turned into line and column. */
export interface OffsetFault {
  readonly offset: number;
  readonly message: string;
}

/** Turns offsets into lines and columns, in one pass over the source for all of them. */
export function located(source: string, faults: readonly OffsetFault[]): readonly Fault[] {
  const breaks = source.matchAll(/\r\n|\r|\n/g);
  let next = breaks.next();
  let line = 1;
  let lineStart = 0;
  return [...faults]
    .sort((left, right) => left.offset - right.offset)
    .map(({ offset, message }) => {
      for (; !next.done && next.value.index + next.value[0].length <= offset; next = breaks.next()) {
        line += 1;
        lineStart = next.value.index + next.value[0].length;
      }
      return { line, column: offset - lineStart + 1, message };
    });
}

/** The parser is a singleton whose state has the position that its errors lack. */
interface ParserPosition {
  readonly Parser: { readonly lexer: { readonly matched: string; readonly match: string } };
}

/** Turns what Handlebars' parser threw into a fault with its offset in the source. */
export function parseFault(error: unknown): OffsetFault {
  const { Parser } = Handlebars as unknown as ParserPosition;
  const offset = Math.max(0, Parser.lexer.matched.length - Parser.lexer.match.length);
  const message = error instanceof Error ? error.message : '';
  if (!/^(?:Parse|Lexical) error/.test(message)) {
    return { offset, message: message.replace(/ - \d+:\d+$/, '') };
  }
  return { offset, message: Parser.lexer.match === '' ? 'Unexpected end' : `Unexpected "${Parser.lexer.match.slice(0, 40)}"` };
}

/** Other template languages' names for helpers and blocks, in lower case. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  upper: 'uppercase',
  upcase: 'uppercase',
  touppercase: 'uppercase',
  lower: 'lowercase',
  downcase: 'lowercase',
  tolowercase: 'lowercase',
  title: 'capitalize',
  titlecase: 'capitalize',
  ucfirst: 'capitalize',
  fallback: 'default',
  coalesce: 'default',
  date: 'formatDate',
  dateformat: 'formatDate',
  moment: 'formatDate',
  number: 'formatNumber',
  numberformat: 'formatNumber',
  currency: 'formatNumber',
  money: 'formatNumber',
  escape: 'urlEncode',
  encodeuricomponent: 'urlEncode',
  equals: 'eq',
  equal: 'eq',
  ifequals: 'eq',
  notequals: 'ne',
  neq: 'ne',
  greaterthan: 'gt',
  lessthan: 'lt',
  for: 'each',
  foreach: 'each',
  loop: 'each',
  section: 'with',
  ifnot: 'unless',
};

function meant(written: string, known: readonly string[]): string | null {
  const letters = written.slice(0, 40).toLowerCase();
  const named = Object.hasOwn(ELSEWHERE, letters) ? ELSEWHERE[letters] : undefined;
  return named !== undefined && known.includes(named) ? named : nearestName(letters, known);
}

/** Returns an error about an unknown helper, with the one that was probably meant, or with all of them. */
export function unknownHelper(written: string, helpers: readonly string[]): string {
  const name = meant(written, helpers);
  return `Unknown helper "${written}"${name === null ? `; there are ${helpers.join(', ')}` : `: did you mean "${name}"?`}`;
}

/** Says the same of a block. A block without values is how other languages show a list. */
export function unknownBlock(written: string, hasValues: boolean, blocks: readonly string[]): string {
  if (!hasValues) return `Unknown block "${written}": did you mean {{#each ${written}}} or {{#if ${written}}}?`;
  const name = meant(written, blocks);
  if (name !== null) return `Unknown block "${written}": did you mean {{#${name} …}}?`;
  const test = meant(written, ['eq', 'ne', 'gt', 'lt', 'and', 'or']);
  if (test !== null) return `Unknown block "${written}": did you mean {{#if (${test} …)}}?`;
  return `Unknown block "${written}"; there are ${blocks.join(', ')}`;
}

/** Placeholders of other services, which are sent as they are written. */
const FOREIGN: readonly (readonly [service: string, begins: string, form: RegExp])[] = [
  ['Liquid or Jinja', '{%', /\{%-?\s*[a-z]\w*\b[^%]{0,200}%\}/],
  ['Mailchimp', '*|', /\*\|[A-Z][A-Z0-9_:.-]{0,60}\|\*/],
  ['Mailgun', '%recipient', /%recipient[._][\w.]{1,60}%/],
  ['Salesforce', '%%', /%%[A-Za-z_]\w{0,60}%%/],
  ['ERB', '<%=', /<%=[^%]{1,200}%>/],
];

/** Returns a placeholder of another service in the texts, and whose it is; null where there is none. */
export function foreignPlaceholder(texts: readonly string[]): { readonly service: string; readonly written: string } | null {
  for (const [service, begins, form] of FOREIGN) {
    for (const text of texts) {
      const at = text.indexOf(begins);
      const written = at < 0 ? undefined : form.exec(text)?.[0];
      if (written !== undefined) return { service, written };
    }
  }
  return null;
}
