import Handlebars from 'handlebars';
import type { TemplateFault } from './types';

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
