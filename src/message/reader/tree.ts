import { fieldIn, readHead } from './head';
import type { Field } from './head';
import { decodeField } from './words';
import { decodeText } from './charset';

const MOST_PARTS = 500;
const MOST_MULTIPARTS = 50;
const MOST_HEAD = 100 * 1024;
const TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/;

const [DASH, LF, CR] = [0x2d, 0x0a, 0x0d];
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, CR]);

const NO_TYPE = /^(?:text\b|$)/;

/** A message or a part of one: either has parts, or a body. */
export interface Entity {
  /** Offset of its head. */
  readonly start: number;
  readonly fields: readonly Field[];
  /** In lower case. */
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly disposition: string | null;
  readonly filename: string | null;
  readonly encoding: string;
  readonly body: Buffer;
  readonly parts: readonly Entity[];
}

/** A line that ends a part: the multipart whose boundary it is, by its depth. */
interface Delimiter {
  readonly at: number;
  readonly next: number;
  readonly depth: number;
  readonly closes: boolean;
}

/** Takes a message into its parts, in one pass over its bytes. Throws for one that is too deep, or has too many parts or too long a head. */
export function readTree(bytes: Buffer): Entity {
  return new Reader(bytes).message();
}

class Reader {
  private readonly boundaries: Buffer[] = [];
  private parts = 0;

  constructor(private readonly bytes: Buffer) {}

  message(): Entity {
    return this.entity(0, 'text/plain').entity;
  }

  /** Reads a part up to the line that ends it, which may be one of a multipart around it: not all are closed. */
  private entity(start: number, defaultType: string): { readonly entity: Entity; readonly stop: Delimiter | null } {
    const isOutermost = this.parts === 0;
    if (++this.parts > MOST_PARTS) throw new Error('Too many parts');
    const isDelimiter = (at: number): boolean => this.delimiterAt(at) !== null;
    const bounds = { start, end: this.bytes.length, mostBytes: MOST_HEAD, isOutermost, isDelimiter };
    const { fields, end } = readHead(this.bytes, bounds);
    const described = describe(fields, defaultType);
    const boundary = described.type.startsWith('multipart/') ? this.boundaryOf(described, end) : null;
    if (boundary !== null) {
      const { parts, stop } = this.multipart(end, boundary, described.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain');
      if (parts.length > 0) return { entity: { ...described, start, fields, parts, body: this.bytes.subarray(end, end) }, stop };
    }
    const stop = this.nextDelimiter(end);
    const body = this.bytes.subarray(end, stop ? this.beforeLine(end, stop.at) : this.bytes.length);
    const type = described.type.startsWith('multipart/') ? 'text/plain' : described.type;
    return { entity: { ...described, start, type, fields, parts: [], body }, stop };
  }

  // Some software forgets to name the boundary, which is then the first line.
  private boundaryOf({ parameters }: Pick<Entity, 'parameters'>, bodyAt: number): string | null {
    const named = parameters.get('boundary');
    if (named) return named.trimEnd();
    return /^\r?\n?--([^\r\n]{1,70})\r?\n/.exec(this.bytes.toString('latin1', bodyAt, bodyAt + 100))?.[1]?.trimEnd() ?? null;
  }

  private multipart(
    start: number,
    boundary: string,
    defaultType: string,
  ): { readonly parts: readonly Entity[]; readonly stop: Delimiter | null } {
    if (this.boundaries.length === MOST_MULTIPARTS) throw new Error('Too many multiparts');
    const depth = this.boundaries.push(Buffer.from(boundary, 'latin1')) - 1;
    const parts: Entity[] = [];
    let stop = this.nextDelimiter(start);
    while (stop?.depth === depth && !stop.closes) {
      const part = this.entity(stop.next, defaultType);
      parts.push(part.entity);
      stop = part.stop;
    }
    this.boundaries.pop();
    // Text after the last part belongs to none.
    return { parts, stop: stop?.depth === depth ? this.nextDelimiter(stop.next) : stop };
  }

  private nextDelimiter(from: number): Delimiter | null {
    if (this.boundaries.length === 0) return null;
    for (let at = from; at < this.bytes.length; at++) {
      // Not by a search of the runtime: a call for each of millions of lines of dashes takes seconds.
      if (this.bytes[at] !== DASH || this.bytes[at + 1] !== DASH || (at > from && this.bytes[at - 1] !== LF)) continue;
      const found = this.delimiterAt(at);
      if (found) return found;
    }
    return null;
  }

  private delimiterAt(at: number): Delimiter | null {
    if (this.bytes[at] !== DASH || this.bytes[at + 1] !== DASH) return null;
    for (let depth = this.boundaries.length - 1; depth >= 0; depth--) {
      const end = this.endOfBoundary(at + 2, this.boundaries[depth]!);
      if (end === -1) continue;
      const closes = this.bytes[end] === DASH && this.bytes[end + 1] === DASH;
      const next = this.endOfBlankLine(closes ? end + 2 : end);
      if (next !== -1) return { at, next, depth, closes };
    }
    return null;
  }

  private endOfBoundary(at: number, boundary: Buffer): number {
    for (let index = 0; index < boundary.length; index++) if (this.bytes[at + index] !== boundary[index]) return -1;
    return at + boundary.length;
  }

  /** Returns where the next line begins; -1 where something is left of this one. */
  private endOfBlankLine(from: number): number {
    let at = from;
    while (BLANKS.has(this.bytes[at] ?? 0)) at++;
    if (at >= this.bytes.length) return at;
    return this.bytes[at] === LF ? at + 1 : -1;
  }

  // The line break before a delimiter belongs to it.
  private beforeLine(start: number, at: number): number {
    let end = at;
    if (end > start && this.bytes[end - 1] === LF) end--;
    while (end > start && this.bytes[end - 1] === CR) end--;
    return end;
  }
}

type Described = Pick<Entity, 'type' | 'parameters' | 'disposition' | 'filename' | 'encoding'>;

function describe(fields: readonly Field[], defaultType: string): Described {
  const read = (name: string, otherwise = '') => readParameters(fieldIn(fields, name) ?? otherwise);
  const { value, parameters } = read('content-type', defaultType);
  const disposition = read('content-disposition');
  const filename = (disposition.parameters.get('filename') ?? parameters.get('name') ?? '').replaceAll('\0', '');
  return {
    type: TYPE.test(value) ? value : NO_TYPE.test(value) ? defaultType : 'application/octet-stream',
    parameters,
    disposition: disposition.value || null,
    filename: filename || null,
    encoding: read('content-transfer-encoding').value,
  };
}

interface Parameterized {
  /** In lower case, without comments. */
  readonly value: string;
  /** Decoded values by their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const MOST_LENGTH = 16_384;

const PARAMETER = /;\s*([^\s=;"]{1,200})\s*=\s*(?:"((?:[^"\\]|\\[^])*)"?|([^;]*))/g;

/** Matches a parameter's name: the number of its piece, and whether it is percent-encoded (RFC 2231). */
const PIECE = /^(.*?)(?:\*(\d{1,3}))?(\*)?$/;

interface Piece {
  readonly at: number;
  readonly isEncoded: boolean;
  readonly text: string;
}

const COMMENT = /\s*\([^()]{0,200}\)\s*/g;

/** A file's name without quotation marks may contain parentheses. */
const OF_A_FILE = /^(?:file)?name$/;

/** Reads a field with parameters, such as Content-Type (RFC 2045 5.1, RFC 2231). The value has a letter for each byte. */
function readParameters(given: string): Parameterized {
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

/** Prefers the form in pieces or with a charset to the plain one, which is next to it for old software. */
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

/** Returns the text of a field of the head, decoded. */
export const textOf = (fields: readonly Field[], name: string): string => decodeField(fieldIn(fields, name) ?? '').replaceAll('\0', '');

/** A text that is shown as the message, by its offset in the bytes. */
export interface TextPart {
  readonly kind: 'html' | 'plain';
  /** Offset of its head. */
  readonly headAt: number;
  readonly bodyAt: number;
  readonly bodyEnd: number;
}

/** The parts of these are signed or encrypted, and must not change (RFC 1847). */
const SEALED: ReadonlySet<string> = new Set(['multipart/signed', 'multipart/encrypted']);

/** Finds the texts of a message, but for those of its files and of what is signed or encrypted. Throws as `readMail` does. */
export function textPartsIn(bytes: Buffer): readonly TextPart[] {
  const partsOf = (entity: Entity): readonly TextPart[] => {
    if (SEALED.has(entity.type)) return [];
    if (entity.parts.length > 0) return entity.parts.flatMap(partsOf);
    const kind = entity.type === 'text/html' ? 'html' : entity.type === 'text/plain' ? 'plain' : null;
    if (kind === null || entity.disposition === 'attachment' || entity.filename !== null) return [];
    const bodyAt = entity.body.byteOffset - bytes.byteOffset;
    return [{ kind, headAt: entity.start, bodyAt, bodyEnd: bodyAt + entity.body.length }];
  };
  return partsOf(readTree(bytes));
}
