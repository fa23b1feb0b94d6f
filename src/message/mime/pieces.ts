import { LINE, quotedPrintableBound, writeQuotedPrintable } from './mail-bytes';
import type { MailBytes } from './mail-bytes';

/** A text encoded for a quoted-printable body from the beginning of a line, without its last character where that is open. */
interface WireText {
  readonly encoded: Uint8Array;
  /** Lengths of its first and last line, without line ends and the `=` of a soft one; equal where it has one line. */
  readonly first: number;
  readonly last: number;
  readonly isOneLine: boolean;
  /** The open character, or nothing. */
  readonly open: string;
}

/** A text that is in many messages. Everything derived from it is computed once, and kept with it. */
export class FixedText {
  private inMail: WireText | null = null;
  private derived: Map<string, FixedText> | null = null;

  constructor(readonly text: string) {}

  /** The encoded text, made on first use: many rendered texts are only checked or shown. */
  get wire(): WireText {
    return (this.inMail ??= wireText(this.text));
  }

  /** Returns the result of a pure function, computed once; `name` identifies the function. */
  changed(name: string, change: (text: string) => string): FixedText {
    const known = this.derived?.get(name);
    if (known) return known;
    const text = change(this.text);
    const made = text === this.text ? this : new FixedText(text);
    this.derived ??= new Map();
    this.derived.set(name, made);
    return made;
  }

  /** Returns the text between two offsets. */
  slice(from: number, to: number): FixedText {
    if (from === 0 && to === this.text.length) return this;
    return this.changed(`${from}-${to}`, (text) => text.slice(from, to));
  }
}

/** A text in pieces: shared with every message, or of this message alone. */
export type Piece = string | FixedText;
/** A text in parts, which are joined as bytes and not before. */
export type Pieces = readonly Piece[];

/** Joins pieces to a text. */
export function textOf(pieces: Pieces): string {
  let text = '';
  for (const piece of pieces) text += typeof piece === 'string' ? piece : piece.text;
  return text;
}

const CR = 0x0d;
const BLANK = 0x20;
const FIRST_HIGH_SURROGATE = 0xd800;
const LAST_HIGH_SURROGATE = 0xdbff;

/** Returns the last character of a text if its encoding depends on the next one: a CR before LF, a first surrogate, a blank that may end a line. */
function openEnd(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  const isOpen = last === BLANK || last === CR || (last >= FIRST_HIGH_SURROGATE && last <= LAST_HIGH_SURROGATE);
  return isOpen ? text.slice(-1) : '';
}

const LF = 0x0a;
const EQUALS = 0x3d;

function wireText(text: string): WireText {
  const open = openEnd(text);
  const utf8 = Buffer.from(text.slice(0, text.length - open.length));
  const room = Buffer.allocUnsafe(quotedPrintableBound(utf8.length));
  const encoded = Buffer.from(room.subarray(0, writeQuotedPrintable(utf8, room, 0, 0)));
  const firstBreak = encoded.indexOf('\r\n');
  const isOneLine = firstBreak === -1;
  const last = encoded.length - encoded.lastIndexOf(LF) - 1;
  const first = isOneLine ? last : encoded[firstBreak - 1] === EQUALS ? firstBreak - 1 : firstBreak;
  return { encoded, first, last, isOneLine, open };
}

const SOFT_BREAK = '=\r\n';
/** Printable characters that need no encoding, with single spaces inside and before. */
const AS_IT_IS = /^ ?[!-<>-~]+(?: [!-<>-~]+)*$/;
const SPACE = ' ';
const DOT = '.';

/** Writes one body: copies pieces that are in every message, and encodes the others between them. */
class BodyWriter {
  private column = 0;
  /** The open end of the last piece. */
  private held = '';

  constructor(private readonly out: MailBytes) {}

  write(pieces: Pieces): void {
    for (const piece of pieces) {
      if (typeof piece !== 'string') this.copy(piece);
      else if (piece !== '') this.join(piece);
    }
    if (this.held !== '') this.encode(this.held);
  }

  /** Copies an encoded text. Where its first line does not fit on the current one, a soft line break precedes it. */
  private copy({ text, wire }: FixedText): void {
    if (text === '') return;
    if (this.held !== '') {
      if (this.held !== SPACE || text <= SPACE) return this.join(text);
      this.stand(SPACE);
    }
    if (this.column > 0 && this.column + wire.first > LINE) this.breakLine();
    this.out.copy(wire.encoded);
    this.column = wire.isOneLine ? this.column + wire.last : wire.last;
    this.held = wire.open;
  }

  private join(piece: string): void {
    const text = this.held + piece;
    this.held = openEnd(text);
    const closed = this.held === '' ? text : text.slice(0, -1);
    if (AS_IT_IS.test(closed)) this.stand(closed);
    else if (closed !== '') this.encode(closed);
  }

  /** Writes text that needs no encoding, in as many lines as it takes; only a dot at the beginning of a line is encoded. */
  private stand(text: string): void {
    let from = 0;
    while (this.column + text.length - from > LINE) {
      const to = from + LINE - this.column;
      if (this.isLeadingDot(text, from)) return this.encode(text.slice(from));
      this.out.text(text.slice(from, to));
      this.breakLine();
      from = to;
    }
    if (this.isLeadingDot(text, from)) return this.encode(text.slice(from));
    this.out.text(from === 0 ? text : text.slice(from));
    this.column += text.length - from;
  }

  private isLeadingDot(text: string, at: number): boolean {
    return this.column === 0 && text[at] === DOT;
  }

  private encode(text: string): void {
    this.column = this.out.encode(text, this.column);
  }

  private breakLine(): void {
    this.out.text(SOFT_BREAK);
    this.column = 0;
  }
}

/**
 * Writes a body in quoted-printable (RFC 2045 6.7) from the beginning of a line on: lines of at most 76 characters that end in CRLF and never begin with a
 * dot. A reader gets the text that the pieces make up, with every CR, LF and CRLF as one line break and without NULs, wherever the pieces are cut.
 */
export const encodePieces = (pieces: Pieces, out: MailBytes): void => new BodyWriter(out).write(pieces);
