type Kind = 'plain' | 'place' | 'comment' | 'tag' | 'name' | 'value';

/** A piece of HTML, by what it is. */
export interface Token {
  readonly kind: Kind;
  readonly text: string;
}

const PIECES = /(?<place>\{\{[\s\S]*?\}\}\}?)|(?<comment><!--[\s\S]*?(?:-->|$))|(?<tag><[A-Za-z/!](?:"[^"]*"|'[^']*'|[^'">])*>?)/g;
const TAG_PIECES = /(?<place>\{\{[\s\S]*?\}\}\}?)|(?<value>"[^"{]*"|'[^'{]*')|(?<tag><\/?[\w:-]+|\/?>)|(?<name>[\w:-]+(?=\s*=))/g;

/** Splits a text into the matches of a pattern and the text between them. */
function split(text: string, pattern: RegExp, between: Kind): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) tokens.push({ kind: between, text: text.slice(end, match.index) });
    const [kind = between] = Object.entries(match.groups ?? {}).flatMap(([name, found]) => (found === undefined ? [] : [name as Kind]));
    tokens.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ kind: between, text: text.slice(end) });
  return tokens;
}

/** Returns the lines of an HTML text with placeholders, each in pieces. */
export function linesOf(html: string): readonly (readonly Token[])[] {
  const lines: Token[][] = [[]];
  const tokens = split(html, PIECES, 'plain').flatMap((token) => (token.kind === 'tag' ? split(token.text, TAG_PIECES, 'value') : [token]));
  for (const { kind, text } of tokens) {
    text.split('\n').forEach((part, at) => {
      if (at > 0) lines.push([]);
      if (part !== '') lines.at(-1)?.push({ kind, text: part });
    });
  }
  return lines;
}
