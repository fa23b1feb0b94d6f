import { quotedPrintableBound, writeQuotedPrintable } from './quoted-printable';

/** A text encoded for a quoted-printable body from the beginning of a line, without its last character where that is open. */
export interface WireText {
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
export function openEnd(text: string): string {
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
