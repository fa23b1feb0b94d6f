import { decodeText } from './charset';
import { decodeField } from './words';

export interface Parameterized {
  /** In lower case, without comments. */
  readonly value: string;
  /** By their names in lower case, decoded. */
  readonly parameters: ReadonlyMap<string, string>;
}

const MOST_LENGTH = 16_384;
const PARAMETER = /;\s*([^\s=;"]{1,200})\s*=\s*(?:"((?:[^"\\]|\\[^])*)"?|([^;]*))/g;
/** Of a name: which piece it is, and whether it is percent-encoded (RFC 2231). */
const PIECE = /^(.*?)(?:\*(\d{1,3}))?(\*)?$/;

interface Piece {
  readonly at: number;
  readonly isEncoded: boolean;
  readonly text: string;
}

const COMMENT = /\s*\([^()]{0,200}\)\s*/g;
/** Who names a file without quotation marks means the parentheses in its name. */
const OF_A_FILE = /^(?:file)?name$/;

/** Reads a field with parameters, such as Content-Type (RFC 2045 5.1, RFC 2231). The value has a letter for each byte. */
export function readParameters(given: string): Parameterized {
  const field = given.slice(0, MOST_LENGTH);
  const pieces = new Map<string, Piece[]>();
  for (const match of field.matchAll(PARAMETER)) {
    const { name, ...piece } = pieceOf(match);
    const known = pieces.get(name);
    if (known) known.push(piece);
    else pieces.set(name, [piece]);
  }
  const [value = ''] = field.split(';', 1);
  return {
    value: value.replace(COMMENT, '').trim().toLowerCase(),
    parameters: new Map([...pieces].map(([name, found]) => [name, joined(found)])),
  };
}

function pieceOf([, parameter = '', quoted, token = '']: RegExpMatchArray): Piece & { readonly name: string } {
  const [, name = '', number = '-1', star] = PIECE.exec(parameter.toLowerCase()) ?? [];
  const text = quoted?.replace(/\\([^])/g, '$1') ?? bare(name, token);
  return { name, at: Number(number), isEncoded: star !== undefined, text };
}

const bare = (name: string, token: string): string => (OF_A_FILE.test(name) ? token : token.replace(COMMENT, '')).trim();

/** The form in pieces or with a charset counts before the plain one, which stands beside it for old software. */
function joined(pieces: readonly Piece[]): string {
  const numbered = pieces.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
  const chosen = numbered.length > 0 ? numbered : [pieces.find(({ isEncoded }) => isEncoded) ?? pieces[0]!];
  if (!chosen.some(({ isEncoded }) => isEncoded)) return decodeField(chosen.map(({ text }) => text).join(''));
  const [, charset = '', first = chosen[0]!.text] = /^([^']*)'[^']*'([^]*)$/.exec(chosen[0]!.text) ?? [];
  const bytes = chosen.map(({ isEncoded, text }, index) => unescaped(index === 0 ? first : text, isEncoded)).join('');
  return decodeText(Buffer.from(bytes, 'latin1'), charset);
}

const unescaped = (text: string, isEncoded: boolean): string =>
  isEncoded ? text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text;
