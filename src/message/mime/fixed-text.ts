import { quotedPrintableBound, writeQuotedPrintable } from './quoted-printable';

/** A text as it stands in a quoted-printable body from the beginning of a line on, without its last character where that is open. */
export interface WireText {
  readonly encoded: Uint8Array;
  /** Lengths of its first and of its last line, without line ends and the sign of a soft one; the same one where it has no other. */
  readonly first: number;
  readonly last: number;
  readonly isOneLine: boolean;
  /** The open character, or nothing. */
  readonly open: string;
}

/** A text that comes in many messages. What is made of it is made once, and kept as long as it is. */
export class FixedText {
  private inMail: WireText | null = null;
  private derived: Map<string, FixedText> | null = null;

  constructor(readonly text: string) {}

  /** Encoded when it goes into mail for the first time: much of what is rendered is only judged or shown. */
  get wire(): WireText {
    return (this.inMail ??= wireText(this.text));
  }

  /** The text that a pure function makes of it. `name` stands for the function. */
  changed(name: string, change: (text: string) => string): FixedText {
    const known = this.derived?.get(name);
    if (known) return known;
    const text = change(this.text);
    const made = text === this.text ? this : new FixedText(text);
    this.derived ??= new Map();
    this.derived.set(name, made);
    return made;
  }

  /** What stands between two offsets. */
  slice(from: number, to: number): FixedText {
    if (from === 0 && to === this.text.length) return this;
    return this.changed(`${from}-${to}`, (text) => text.slice(from, to));
  }
}

/** A text in the pieces that it is made of: what every message says, and what this one says. */
export type Piece = string | FixedText;
export type Pieces = readonly Piece[];

/** The text that pieces make up. */
export function textOf(pieces: Pieces): string {
  let text = '';
  for (const piece of pieces) text += typeof piece === 'string' ? piece : piece.text;
  return text;
}

const CR = 0x0d;
const BLANK = 0x20;
const FIRST_HIGH_SURROGATE = 0xd800;
const LAST_HIGH_SURROGATE = 0xdbff;

/** The last character of a text if it takes the next one to know how it is written: a CR before LF, a first surrogate before the second, a blank that may end a line. */
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
